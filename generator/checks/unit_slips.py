"""Is a number a thousand times off? Identities between numbers tell which one is in another unit than it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import all_places, amount, at_level, has_requests, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address

CLOSES: Final = 0.1
"""By how much an identity may be off once a number is scaled: medians do not add up exactly."""
OFF: Final = 0.2
"""By how much it has to be off before; a slip of a unit is never smaller."""
SCALES: Final = (
    (
        1e3,
        Text(zh="小了一千倍，像是以秒计、却当成毫秒", en="a thousand times too small, as seconds read as milliseconds"),
    ),
    (
        1e-3,
        Text(zh="大了一千倍，像是以毫秒计、却当成秒", en="a thousand times too large, as milliseconds read as seconds"),
    ),
    (
        1e6,
        Text(
            zh="小了一百万倍，像是以秒计、却当成微秒", en="a million times too small, as seconds read as microseconds"
        ),
    ),
    (
        1e-6,
        Text(
            zh="大了一百万倍，像是以微秒计、却当成秒", en="a million times too large, as microseconds read as seconds"
        ),
    ),
)
"""What a number is to be multiplied by, and how it is then off."""
COUNTED: Final = {
    1e3: Text(zh="小了一千倍，像是以千个 token 计", en="a thousand times too small, as thousands of tokens"),
    1e-3: Text(zh="大了一千倍，像是把毫秒当成秒来除", en="a thousand times too large, as if divided by milliseconds"),
}


@dataclass(frozen=True, slots=True)
class Slip:
    """A number of a level that fits the others once it is scaled, how it is off, and those that say so."""

    level: Level
    where: Address
    how: Text
    against: tuple[Address, ...]


@check(
    theme=RECORDS,
    title=Text(zh="单位是否写错", en="Unit errors"),
    question=Text(
        zh="由恒等式相连的几个数，有没有哪个差了一千倍？",
        en="Of numbers that an identity ties together, is any a thousand times off?",
    ),
    rule=Text(
        zh="TTFT 加每个间隔一个 TPOT（或 ITL）等于 E2EL；输出吞吐 × 总耗时等于产出的 token；ITL 不长于并发 ÷ 吞吐。等式差出 {off} 以上，而把其中一个数乘以或除以一千（或一百万）就吻合到 {closes} 以内，就警告并说出像是哪个单位。",
        en="TTFT plus a TPOT (or ITL) for every gap is the E2EL; output throughput × duration is the tokens produced; the ITL is about the concurrency ÷ throughput. A warning, with the likely unit, where an identity is off by more than {off} and holds to within {closes} once one number is multiplied or divided by a thousand, or a million.",
    ).format(off=f"{OFF:.0%}", closes=f"{CLOSES:.0%}"),
)
def unit_slips(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series; what requests give has the unit of the requests."""
    slips = [(series, slip) for series, level in all_places(analysis) for slip in _slips(analysis, series, level)]
    by_kind: dict[tuple[str, str, Text], list[Slip]] = {}
    for series, slip in slips:
        by_kind.setdefault((series.id, slip.where.metric, slip.how), []).append(slip)
    return [_slipped(analysis.round.series_by_id(one), found) for (one, _, _), found in by_kind.items()] or [
        _none(analysis)
    ]


def _slips(analysis: Analysis, series: Series, level: Level) -> list[Slip]:
    if has_requests(analysis, (series, level)):
        return []
    tried = (_of_latencies(analysis, series, level), _of_tokens(analysis, series, level))
    found = [slip for slip in tried if slip is not None]
    return found or [slip for slip in (_of_gaps(analysis, series, level),) if slip is not None]


def _of_latencies(analysis: Analysis, series: Series, level: Level) -> Slip | None:
    """Try TTFT + gaps × time per token = E2EL, with each of the three scaled."""
    place = (series, level)
    step = next((key for key in ("tpot_p50", "itl_p50", "tpot_mean") if amount(analysis, key, place)), None)
    gaps = amount(analysis, "gaps_per_request", place) or (amount(analysis, "output_tokens_mean", place) or 1.0) - 1
    keys = ("ttft_p50", step or "tpot_p50", "e2el_p50")
    parts = [amount(analysis, key, place) for key in keys]
    if not all(parts) or gaps <= 0:
        return None
    known = [one or 0.0 for one in parts]
    if abs(_departure(known, gaps)) <= OFF:
        return None
    for number, key in enumerate(keys):
        for scale, how in SCALES:
            scaled = [one * scale if at == number else one for at, one in enumerate(known)]
            if abs(_departure(scaled, gaps)) <= CLOSES:
                others = tuple(at_level(other, series, level) for other in keys if other != key)
                return Slip(level, at_level(key, series, level), how, others)
    return None


def _departure(latencies: Sequence[float], gaps: float) -> float:
    """Return how far TTFT and the gaps are from the E2EL, as a part of the larger one."""
    first, step, whole = latencies
    parts = first + gaps * step
    return (parts - whole) / max(parts, whole)


def _of_tokens(analysis: Analysis, series: Series, level: Level) -> Slip | None:
    """Try throughput × duration = tokens counted, which is exact but for rounding."""
    keys = ("output_throughput", "duration", "output_tokens_counted")
    rate, took, tokens = (amount(analysis, key, (series, level)) for key in keys)
    if not rate or not took or not tokens:
        return None
    how = next((how for scale, how in COUNTED.items() if abs(rate * took * scale / tokens - 1) <= CLOSES), None)
    where, *others = (at_level(key, series, level) for key in keys)
    return None if how is None else Slip(level, where, how, tuple(others))


def _of_gaps(analysis: Analysis, series: Series, level: Level) -> Slip | None:
    """Try ITL ≈ concurrency ÷ throughput: waits make the latter longer, though never a thousand times."""
    gap, longest = (amount(analysis, key, (series, level)) for key in ("itl_p50", "stream_token_time"))
    if not gap or not longest or gap <= longest * (1 + OFF):
        return None
    times = gap / longest
    how = next((how for scale, how in SCALES if scale < 1 and OFF < times * scale <= 1 + CLOSES), None)
    where, against = (at_level(key, series, level) for key in ("itl_p50", "stream_token_time"))
    return None if how is None else Slip(level, where, how, (against,))


def _slipped(series: Series, slips: Sequence[Slip]) -> Finding:
    first = slips[0]
    return Finding(
        check="unit_slips",
        status="warn",
        series=series.id,
        levels=tuple(slip.level.id for slip in slips),
        evidence=tuple(where for slip in slips for where in (slip.where, *slip.against)),
        doubts=tuple(slip.where for slip in slips),
        message=say(
            zh="{series} 在 {levels} 的{name}{how}：{value} 与 {others} 对不上，换算之后就吻合。",
            en="At {levels} the {name} of {series} is {how}: {value} does not fit {others}, and does once it is converted.",
            series=SeriesName(series.id),
            levels=level_names(series, [slip.level for slip in slips]),
            name=_name(first.where),
            how=first.how,
            value=Quantity(first.where),
            others=Listing(tuple(Quantity(one) for one in first.against)),
        ),
        bias=say(
            zh="在改正之前，涉及这个数的比较都不成立。",
            en="Until it is put right, no comparison that rests on this number holds.",
        ),
        remedy=say(
            zh="核对这一列的单位，把它改成列名所说的单位。",
            en="See in which unit that column is, and write it in the one that its name says.",
        ),
    )


def _name(where: Address) -> Sentence:
    """Return what a reader calls the number."""
    if where.metric == "output_throughput":
        return say(zh="输出吞吐", en="output throughput")
    quantity, _, statistic = where.metric.partition("_")
    return say(zh=" {n} ", en="{n}", n=same(f"{quantity.upper()} {statistic}"))


def _none(analysis: Analysis) -> Finding:
    tied = [place for place in all_places(analysis) if not has_requests(analysis, place)]
    message = say(
        zh="由恒等式相连的数里，没有哪个像是写错了单位。",
        en="Of the numbers that an identity ties together, none looks like a slip of a unit.",
    )
    return Finding("unit_slips", "pass", message, is_empty=not tied)
