"""Do the client's own statistics follow from its requests? Where not, it counted what is no measurement, or left some out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np

from generator.across.levels import at_level
from generator.frame import Analysis
from generator.kinds import REPORTED, check
from generator.model import Level, Series
from generator.numeric.spilled import filled, pieces
from generator.numeric.statistics import statistic
from generator.runs.requests import Requests
from generator.text import Text, same
from generator.themes import CLIENT
from generator.told.findings import Finding
from generator.told.quoting import listed_levels
from generator.told.sentence import LevelName, Part, Quantity, Sentence, SeriesName, say
from generator.values import Value

TOLERANCE: Final = 0.005
"""Two ways to take one statistic differ by less than this share."""
NO_TIME: Final = 1e-5
"""Seconds: gaps are kept to the microsecond, and no latency is told apart by less than ten of them."""
QUANTITIES: Final = ("ttft", "tpot", "itl", "e2el")
STATISTICS: Final = ("mean", "p50", "p90", "p95", "p99")
LATENCIES: Final = tuple(f"{quantity}_{statistic}" for quantity in QUANTITIES for statistic in STATISTICS)
NAMES: Final[Mapping[str, Text]] = {
    "requests": Text(zh="请求数", en="requests"),
    "completed": Text(zh="完成数", en="completed requests"),
    "input_tokens_counted": Text(zh="输入 token 数", en="input tokens"),
    "output_tokens_counted": Text(zh="输出 token 数", en="output tokens"),
    "request_throughput": Text(zh="请求吞吐", en="request throughput"),
    "output_throughput": Text(zh="输出吞吐", en="output throughput"),
    "total_token_throughput": Text(zh="总吞吐", en="total throughput"),
}

TOKENLESS: Final = Text(
    zh="压测工具把没有 token 的回答按时延为零计入。", en="It counts answers without a token as latencies of zero."
)
FAILED: Final = Text(zh="压测工具把失败的请求按时延为零计入。", en="It counts failed requests as latencies of zero.")
NO_REASON: Final = Text(zh="它怎样统计，从文件里看不出来。", en="The file does not show how it came by its number.")


@dataclass(frozen=True, slots=True)
class Pair:
    """A statistic of one run: as the client says it, and taken from its requests."""

    level: Level
    said: Value
    taken: Value

    @property
    def apart(self) -> float:
        """Return how far the two are apart, as a share of the larger."""
        said, taken = self.said.value or 0.0, self.taken.value or 0.0
        larger = max(abs(said), abs(taken))
        return abs(said - taken) / larger if larger else 0.0

    @property
    def agrees(self) -> bool:
        """Say whether the difference is none."""
        no_time = (
            self.taken.address.metric in LATENCIES and abs((self.said.value or 0) - (self.taken.value or 0)) <= NO_TIME
        )
        return no_time or self.apart <= TOLERANCE


@check(
    theme=CLIENT,
    title=Text(zh="压测工具自己的统计", en="The client's own statistics"),
    question=Text(
        zh="压测工具给出的均值、分位数与吞吐，是否与逐条请求算出的一致？",
        en="Are the client's means, percentiles and throughputs those of its requests?",
    ),
    rule=Text(
        zh="压测工具给出的统计量，与从逐条请求算出的相差超过 {slack} 就警告。若把失败或没有 token 的请求按零计入正好得到它的数，就指出来。",
        en="A warning where a statistic that the client gives differs by more than {slack} from that of its requests. Where counting failed or empty answers as zero gives exactly its number, the finding says so.",
    ).format(slack=f"{TOLERANCE:.1%}"),
)
def client_statistics(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose runs are there request by request."""
    pairs = {series: list(_pairs(analysis, series)) for series in analysis.round.series}
    return [_examine(analysis, series, found) for series, found in pairs.items() if found] or [_nothing()]


def _examine(analysis: Analysis, series: Series, pairs: list[Pair]) -> Finding:
    apart = [pair for pair in pairs if not pair.agrees]
    return _differ(analysis, series, apart) if apart else _agree(series, pairs)


def _pairs(analysis: Analysis, series: Series) -> Iterator[Pair]:
    for level in series.levels:
        for trial in level.runs:
            for key in (*LATENCIES, *NAMES):
                taken = at_level(key, series, level, trial)
                both = analysis.frame.known([taken._replace(basis=REPORTED), taken])
                if len(both) > 1 and both[1].formula is not None:
                    yield Pair(level, *both)


def _differ(analysis: Analysis, series: Series, apart: list[Pair]) -> Finding:
    worst = max(apart, key=lambda pair: round(pair.apart, 9))
    levels = list(dict.fromkeys(pair.level.id for pair in apart))
    return Finding(
        check="client_statistics",
        status="warn",
        series=series.id,
        levels=tuple(levels),
        evidence=tuple(value.address for pair in apart for value in (pair.said, pair.taken)),
        doubts=tuple(pair.said.address for pair in apart),
        message=say(
            zh="{series} 在 {levels} 的统计与请求对不上，差得最多的是 {worst}。{reason}本报告的数都取自请求。",
            en="At {levels}, the client's statistics of {series} are not those of its requests. Furthest apart is {worst}. "
            "{reason} This report takes its numbers from the requests.",
            series=SeriesName(series.id),
            levels=listed_levels(series.id, levels),
            worst=_worst(series, worst, one_of_several=len(levels) > 1),
            reason=_reason(analysis, worst),
        ),
        bias=_bias(series, worst),
        looks="better" if _flatters(worst) else "worse",
        remedy=say(
            zh="引用从请求算出的数；压测工具若有更新的版本，换用它。",
            en="Quote the numbers taken from the requests, and use a newer release of the client where there is one.",
        ),
    )


def _worst(series: Series, pair: Pair, *, one_of_several: bool) -> Sentence:
    name, level = _name(pair.taken.address.metric), LevelName(series.id, pair.level.id)
    which = say(zh="{level} 的{name}", en="{name} at {level}", level=level, name=name) if one_of_several else name
    return say(
        zh="{which}：压测工具给出 {said}，按请求算是 {taken}",
        en="{which}: {said} from the client, {taken} from its requests",
        which=which,
        said=Quantity(pair.said.address),
        taken=Quantity(pair.taken.address),
    )


def _name(key: str) -> Part:
    if key in NAMES:
        return NAMES[key]
    quantity, _, statistic = key.partition("_")
    if statistic == "mean":
        return Text(zh=f"{quantity.upper()} 均值", en=f"mean {quantity.upper()}")
    return same(f"{quantity.upper()} {statistic}")


def _reason(analysis: Analysis, pair: Pair) -> Text:
    """Say what the client must have counted, where counting it gives the client's number."""
    where = pair.taken.address
    requests = analysis.round.requests.get((where.series or "", where.level or "", where.trial))
    if requests is None or where.metric not in LATENCIES:
        return NO_REASON
    tokenless = int((requests.answered & ~requests.spoke).sum())
    without = int((~requests.spoke).sum())
    for zeros, reason in ((tokenless, TOKENLESS), (without, FAILED)):
        if zeros and _taken_as(pair, _with_zeros(requests, where.metric, zeros)).agrees:
            return reason
    return NO_REASON


def _taken_as(pair: Pair, number: float) -> Pair:
    """Return a pair whose statistic was taken another way."""
    return replace(pair, taken=pair.taken._replace(value=number))


def _with_zeros(requests: Requests, key: str, zeros: int) -> float:
    quantity, _, name = key.partition("_")
    sample = requests.sample(f"request_{quantity}")
    return statistic(name, filled(zeros + len(sample), np.float64, chain([np.zeros(zeros)], pieces(sample))))


def _flatters(pair: Pair) -> bool:
    lower = (pair.said.value or 0.0) < (pair.taken.value or 0.0)
    return lower == (pair.taken.address.metric in LATENCIES)


def _bias(series: Series, pair: Pair) -> Sentence:
    name = SeriesName(series.id)
    if _flatters(pair):
        return say(zh="压测工具的数让 {s} 显得更好。", en="The client's number flatters {s}.", s=name)
    return say(zh="压测工具的数让 {s} 显得更差。", en="The client's number makes {s} look worse.", s=name)


def _agree(series: Series, pairs: list[Pair]) -> Finding:
    furthest = max(pairs, key=lambda pair: round(pair.apart, 9))
    return Finding(
        check="client_statistics",
        status="pass",
        series=series.id,
        levels=tuple(dict.fromkeys(pair.level.id for pair in pairs)),
        evidence=(furthest.said.address, furthest.taken.address),
        message=say(
            zh="{series} 的压测工具给出的统计，都与逐条请求算出的一致。",
            en="All statistics that the client gives of {series} are those of its requests.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="client_statistics",
        status="pass",
        message=say(
            zh="没有哪一次运行既有压测工具的统计、又有逐条的请求，没有可对照的。",
            en="No run has both the client's statistics and per-request records, so there is nothing to compare.",
        ),
        is_empty=True,
    )
