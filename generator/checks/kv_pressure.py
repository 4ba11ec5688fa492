"""Was the KV cache full? Then requests are put off or taken back, and the level measures its capacity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.levels import amount, known_addresses
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import MEMORY
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import Sentence, SeriesName, say

FULL: Final = 0.99
"""Usage of the KV cache from which on it is full: what is left over is less than a request."""
USAGE: Final = "log_kv_usage_most"
RETRACTED: Final = "log_retracted"
PUT_OFF: Final = ("log_preemptions", "log_preemptions_at_least", RETRACTED)
"""How logs count the requests that had to give their place away."""


@check(
    theme=MEMORY,
    title=Text(zh="KV cache 写满", en="KV cache full"),
    question=Text(
        zh="KV cache 有没有写满，请求因此被抢占或收回，吞吐因此下降？",
        en="Was the KV cache full, so requests were preempted or retracted, or throughput fell?",
    ),
    rule=Text(
        zh="看服务端日志：KV cache 占用到过 {full}，同时有请求被抢占或收回，或吞吐低于负载更低的档位，就警告；只是写满的提示。被收回过请求的也警告，无论占用多少。",
        en="By the server's log: a warning where the usage of the KV cache reached {full} and requests were preempted, or throughput is below that of a level of lower load; a note where it was merely full. A warning, too, wherever requests were retracted.",
    ).format(full=f"{FULL:.0%}"),
    stage="conclusions",
)
def kv_pressure(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose log gives the usage."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, USAGE, RETRACTED)
    full = [spot for spot in spots if (amount_at(analysis, spot, USAGE) or 0.0) >= FULL]
    hurt = [spot for spot in spots if _is_hurt(analysis, spot, is_full=spot in full)]
    merely = [spot for spot in full if spot not in hurt]
    found = [_hurt(analysis, hurt)] if hurt else []
    found += [_merely(analysis, merely)] if merely else []
    return found or ([_room(analysis, spots)] if spots else [])


def _is_hurt(analysis: Analysis, spot: Spot, *, is_full: bool) -> bool:
    if amount_at(analysis, spot, RETRACTED):
        return True
    return is_full and (_put_off(analysis, spot) is not None or _has_fallen(analysis, spot))


def _put_off(analysis: Analysis, spot: Spot) -> str | None:
    """Return the count of requests that gave their place away; None where there were none."""
    return next((key for key in PUT_OFF if amount_at(analysis, spot, key)), None)


def _has_fallen(analysis: Analysis, spot: Spot) -> bool:
    """Say whether a level of lower load has more throughput."""
    own = _throughput(analysis, spot)
    if spot.level is None or own is None:
        return False
    lower = [
        Spot(spot.series, one)
        for one in spot.series.levels
        if one.order < spot.level.order and one.kind == spot.level.kind
    ]
    return any((_throughput(analysis, one) or 0.0) > own for one in lower)


def _throughput(analysis: Analysis, spot: Spot) -> float | None:
    return None if spot.level is None else amount(analysis, "output_throughput", (spot.series, spot.level))


def _told(analysis: Analysis, spots: Sequence[Spot]) -> Sentence:
    worst = watched.most(analysis, spots, USAGE)
    usage = say(zh="占用最高 {usage}", en="its usage reached {usage}", usage=worst.value(USAGE))
    return say(
        zh="{series} 的 KV cache 在{where}写满：{usage}。",
        en="The KV cache of {series} was full {where}: {usage}.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        usage=watched.of_worst(spots, worst, usage),
    )


def _consequence(analysis: Analysis, spots: Sequence[Spot]) -> Sentence:
    counted = [(key, spot) for spot in spots if (key := _put_off(analysis, spot)) is not None]
    if not counted:
        return say(zh="它的吞吐低于负载更低的档位。", en="Its throughput is below that of a level of lower load.")
    key, worst = max(counted, key=lambda one: amount_at(analysis, one[1], one[0]) or 0.0)
    return say(
        zh="有请求被抢占或收回，共 {n} 次，都要重算。",
        en="Requests were preempted or retracted {n} times, and computed again.",
        n=worst.value(key),
    )


def _hurt(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    usage = [spot for spot in spots if (amount_at(analysis, spot, USAGE) or 0.0) >= FULL]
    name = SeriesName(spots[0].series.id)
    begin = _told(analysis, usage) if usage else _taken_back(spots)
    return Finding(
        check="kv_pressure",
        status="warn",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=known_addresses(analysis, watched.evidence(spots, USAGE, *PUT_OFF)),
        looks="worse",
        message=passage(begin, _consequence(analysis, spots)),
        bias=say(
            zh="{series} 的吞吐与时延尾部显得更差：量到的是 KV cache 的容量，不是计算的快慢。",
            en="The throughput and the tails of {series} look worse: what is measured is the capacity of its KV cache, and not how "
            "fast it computes.",
            series=name,
        ),
        remedy=say(
            zh="加大 KV cache（显存份额、量化的 KV、更短的上下文）或降低负载，再测一遍；或者就以这个容量作结论，并写明。",
            en="Enlarge the KV cache (share of memory, quantised KV, a shorter context) or lower the load and measure again; or "
            "conclude on this capacity, and say so.",
        ),
    )


def _taken_back(spots: Sequence[Spot]) -> Sentence:
    return say(
        zh="{series} 的服务端在{where}因 KV cache 放不下而收回请求。",
        en="The server of {series} took requests back {where}, for want of room in its KV cache.",
        series=SeriesName(spots[0].series.id),
        where=watched.where(spots),
    )


def _merely(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="kv_pressure",
        status="note",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, USAGE),
        message=passage(
            _told(analysis, spots),
            say(
                zh="日志里没有抢占，吞吐也没有下降。", en="Its log mentions no preemption, and throughput did not fall."
            ),
        ),
    )


def _room(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    name = SeriesName(spots[0].series.id)
    told = [spot for spot in spots if amount_at(analysis, spot, USAGE) is not None]
    message = say(zh="{s} 没有请求被收回。", en="No request to {s} was retracted.", s=name)
    if told:
        message = say(
            zh="{s} 的 KV cache 没有写满：占用最高 {usage}。",
            en="The KV cache of {s} was never full: its usage is at most {usage}.",
            s=name,
            usage=watched.most(analysis, told, USAGE).value(USAGE),
        )
    return Finding(
        "kv_pressure", "pass", message, spots[0].series.id, watched.levels_of(spots), watched.evidence(told, USAGE)
    )


def _nothing() -> Finding:
    message = say(
        zh="服务端日志没有提到 KV cache 的占用，不适用。",
        en="No server's log gives the usage of the KV cache: not applicable.",
    )
    return Finding("kv_pressure", "pass", message, is_empty=True)
