"""Published definitions that do not hold: where a round has both its number and the better one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from generator.frame import Analysis
from generator.kinds import AS_PUBLISHED, WITHOUT_EMBEDDING
from generator.text import Text
from generator.told.quoting import level_value, pair_value, series_value
from generator.told.sentence import LevelName, Part, Quantity, Sentence, SeriesName, say

Pair = tuple[Part, Quantity, Quantity]
"""What is compared, as published, and as it should be."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One definition, with all numbers that the round has in both ways."""

    key: str
    title: Text
    pairs: tuple[Pair, ...]


def corrections(analysis: Analysis) -> tuple[Correction, ...]:
    """Return the definitions of which any number differs from what was published; none where nothing was."""
    if analysis.round.file.round.origin != "transcribed":
        return ()
    found = []
    for key, (title, pairs_of) in DEFINITIONS.items():
        pairs = tuple(pair for pair in pairs_of(analysis) if None not in _numbers(analysis, pair))
        if any(published != better for published, better in (_numbers(analysis, pair) for pair in pairs)):
            found.append(Correction(key, title, pairs))
    return tuple(found)


def _numbers(analysis: Analysis, pair: Pair) -> tuple[float | None, float | None]:
    _, published, better = pair
    return analysis.frame.values[published.address].value, analysis.frame.values[better.address].value


def _levels(analysis: Analysis) -> Iterable[tuple[str, str, Sentence]]:
    for series in analysis.round.series:
        for level in series.levels:
            at = say(zh="{s} {l}", en="{s} {l}", s=SeriesName(series.id), l=LevelName(series.id, level.id))
            yield series.id, level.id, at


def _graph_reuse(analysis: Analysis) -> Iterable[Pair]:
    for series, level, at in _levels(analysis):
        published = level_value("graph_reuse_per_token", series, level, AS_PUBLISHED)
        yield at, published, level_value("graph_reuse_per_step", series, level)


def _stall_share(analysis: Analysis) -> Iterable[Pair]:
    for series, level, at in _levels(analysis):
        published = level_value("stall_share", series, level, AS_PUBLISHED)
        yield at, published, level_value("stall_share", series, level)


def _weights(analysis: Analysis) -> Iterable[Pair]:
    for series in analysis.round.series:
        name = say(zh="{s} 每步权重", en="{s} weights per step", s=SeriesName(series.id))
        key = "weight_bytes_per_step"
        yield name, series_value(key, series.id), series_value(key, series.id, WITHOUT_EMBEDDING)
        for level in analysis.usable(series.id)[:1]:
            at = say(
                zh="{s} {l} 的 MBU",
                en="{s} {l} MBU",
                s=SeriesName(series.id),
                l=LevelName(series.id, level.id),
            )
            mbu = level_value("mbu", series.id, level.id)
            yield at, mbu, level_value("mbu", series.id, level.id, WITHOUT_EMBEDDING)
    yield from _speed_ups(analysis)


SPEED_UPS: Final = {
    "predicted_speedup": Text(zh="{s} 预测加速", en="{s} predicted speed-up"),
    "predicted_speedup_attained": Text(zh="{s} 预测达成率", en="{s} share attained"),
}


def _speed_ups(analysis: Analysis) -> Iterable[Pair]:
    for compared in analysis.round.compared:
        for key, name in SPEED_UPS.items():
            what = Sentence(name, {"s": SeriesName(compared.id)})
            yield what, pair_value(key, compared.id), pair_value(key, compared.id, WITHOUT_EMBEDDING)


DEFINITIONS: Final[dict[str, tuple[Text, Callable[[Analysis], Iterable[Pair]]]]] = {
    "graph-reuse": (Text(zh="计算图复用率", en="Graph reuse"), _graph_reuse),
    "stall-share": (Text(zh="停顿占比", en="Stall share"), _stall_share),
    "weights-basis": (Text(zh="权重口径", en="Weights counted"), _weights),
}
"""Anchor -> what it is called, and where its numbers stand."""
