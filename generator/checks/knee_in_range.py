"""Do the levels reach the knee, and begin below it? Where not, what the engine can do at most is not known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import at_level, known_addresses, known_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, LoadKind, Series
from generator.text import Text
from generator.themes import SATURATION
from generator.told.findings import Finding
from generator.told.quoting import series_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say
from generator.values import Address

FEWEST: Final = 3
"""Levels of one ladder that a curve needs."""
KNEES: Final[dict[LoadKind, str]] = {"concurrency": "knee_concurrency", "rate": "knee_rate"}


@check(
    theme=SATURATION,
    title=Text(zh="饱和点在测量范围之内", en="Knee within the levels"),
    question=Text(
        zh="负载范围是否足以看出饱和点？",
        en="Do the loads go high enough, and begin low enough, to show where the engine is full?",
    ),
    stage="conclusions",
    rule=Text(
        zh="只有负载不同、吞吐已知的可用档位有 {fewest} 个以上的系列：饱和点没有测到，或者就是最低的那一档，只提示。",
        en="For series with {fewest} usable levels or more that differ in the load alone and whose throughput is known: a note where the knee is not reached, or is the lowest of them.",
    ).format(fewest=FEWEST),
)
def knee_in_range(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has a curve."""
    curves = [
        (series, levels, knee)
        for series in analysis.round.series
        for kind, knee in KNEES.items()
        if len(levels := _curve(analysis, series, kind)) >= FEWEST
    ]
    return [_examine(analysis, *one) for one in curves] or [_nothing()]


def _curve(analysis: Analysis, series: Series, kind: LoadKind) -> list[Level]:
    """Return the levels of a ladder at which it is known what was delivered, or served."""
    metric = "served_share" if kind == "rate" else "output_throughput"
    return [level for _, level in known_at(analysis, metric, series, ladder(analysis, series, kind))]


def _examine(analysis: Analysis, series: Series, levels: Sequence[Level], knee: str) -> Finding:
    found = analysis.frame.of_series(knee, series.id)
    evidence = known_addresses(analysis, (at_level("output_throughput", series, level) for level in levels))
    parts: dict[str, Part] = {
        "s": SeriesName(series.id),
        "low": LevelName(series.id, levels[0].id),
        "high": LevelName(series.id, levels[-1].id),
    }
    if found.value is None:
        parts["why"] = found.reason or NOT_KNOWN
        return _note(series, levels[-1], evidence, Sentence(NOT_REACHED, parts), HIGHER)
    parts["knee"] = series_value(knee, series.id)
    evidence = (Address(knee, "series", series.id), *evidence)
    if knee == KNEES["concurrency"] and found.value <= levels[0].load:
        alone = levels[0].load <= 1
        edge = Sentence(ALONE if alone else AT_THE_EDGE, {name: parts[name] for name in ("s", "low")})
        return _note(series, levels[0], evidence, edge, BATCHING if alone else LOWER)
    return Finding("knee_in_range", "pass", Sentence(WITHIN, parts), series.id, evidence=evidence)


def _note(series: Series, level: Level, evidence: tuple[Address, ...], message: Sentence, remedy: Sentence) -> Finding:
    return Finding("knee_in_range", "note", message, series.id, (level.id,), evidence=evidence, remedy=remedy)


NOT_KNOWN: Final = Text(zh="数据不足", en="there are too few data")
NOT_REACHED: Final = Text(
    zh="{s} 从 {low} 到 {high} 没有测到饱和点：{why}。它最多能产出多少还不知道。",
    en="From {low} to {high} the knee of {s} does not appear: {why}. What it can deliver at most is not known.",
)
ALONE: Final = Text(
    zh="{s} 在 {low} 就已经饱和：更多的请求同时在途，吞吐不增，这个引擎不从批处理得益。",
    en="{s} is full at {low} already: with more requests in flight it delivers no more, and batching gains it nothing.",
)
AT_THE_EDGE: Final = Text(
    zh="{s} 在最低的档位 {low} 就已经饱和：真正的饱和点在它或更低处。",
    en="{s} is full at {low} already, the lowest level: its knee lies there or below.",
)
WITHIN: Final = Text(
    zh="{s} 的饱和点 {knee} 落在 {low} 与 {high} 之间。",
    en="The knee of {s}, {knee}, lies between {low} and {high}.",
)
HIGHER: Final = say(
    zh="把负载加到吞吐不再增长，再往上翻一番；缺的是吞吐或时延的，补上它们。",
    en="Raise the load until throughput stops growing, and double it once more; where throughput or latency is missing, add it.",
)
LOWER: Final = say(zh="加测更低的负载。", en="Measure lower loads.")
BATCHING: Final = say(
    zh="看核数、线程数与批大小的设置：一条请求就占满了算力，或者批处理没有开。",
    en="See the settings of cores, threads and batch sizes: one request takes all compute, or nothing is batched.",
)


def _nothing() -> Finding:
    message = say(
        zh="没有哪个系列有足够多只有负载不同的可用档位，谈不上饱和点。",
        en="No series has enough usable levels that differ in the load alone to show a knee.",
    )
    return Finding("knee_in_range", "pass", message, is_empty=True)
