"""The cliff of a series as its report tells it: the rungs of its ladder, the wall that comes first, the signs."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from typing import Final, Literal

from generator.across.ladders import rungs, wall_inputs
from generator.across.levels import at_level, number_at, numbers_of
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text
from generator.told.figure_model import Mark
from generator.told.quoting import series_names, series_value
from generator.told.sentence import LevelName, Part, Quantity, Sentence
from generator.values import Value

FEWEST: Final = 3
"""Rungs of a ladder on which a cliff can be told from a slope."""
WAITING: Final = 0.5
"""Requests waiting on average from which on they queue: one waits for a moment, for the next step, at any load."""
FLAT: Final = 0.05
"""Growth of throughput for a doubling of the concurrency, below which it no longer rises."""
JUMP: Final = 3.0
"""Times the TTFT of the level before, above which it has jumped."""

Sign = Literal["preempted", "waiting", "refused", "flat", "ttft_p50", "ttft_p99"]
OF_ENGINE: Final[Mapping[Sign, str]] = {
    "preempted": "cliff_preemptions", "waiting": "cliff_waiting", "refused": "cliff_refused",
}  # fmt: skip
"""Signs that one level tells for itself, and the metric that does; other failures, or of no known cause, are none."""
NAMES: Final[Mapping[Sign, Text]] = {
    "preempted": Text(zh="抢占", en="preempted"),
    "waiting": Text(zh="排队", en="waiting"),
    "refused": Text(zh="KV 放不下而失败", en="failed for want of KV"),
    "flat": Text(zh="吞吐不再上升", en="throughput no longer rises"),
    "ttft_p50": Text(zh="TTFT p50 突增", en="TTFT p50 jumps"),
    "ttft_p99": Text(zh="TTFT p99 突增", en="TTFT p99 jumps"),
}
Wall = Literal["pool", "slots", "both"]
Division = Literal["slots", "groups", "blocks", "tokens"]
"""By what the pool is divided: contexts of slots, blocks over groups of layers, whole blocks, or plain tokens."""
PER_REQUEST: Final[Mapping[str, Division]] = {
    "kv_slot_context": "slots",
    "kv_blocks_of_request": "groups",
    "engine_block_tokens_of_series": "blocks",
}


def climbed(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels of a closed loop that differ in the load alone, excluded ones too: beyond a cliff many are."""
    kept = rungs(series.levels, numbers_of(analysis, series))
    return [level for level in kept if level.kind == "concurrency" and level.load]


def with_cliff(analysis: Analysis) -> list[Series]:
    """Return the series of which a cliff can be told: their ladder has rungs enough, and their wall is known."""
    return [
        series
        for series in analysis.round.series
        if len(climbed(analysis, series)) >= FEWEST and of_series(analysis, "cliff_wall", series) is not None
    ]


def of_series(analysis: Analysis, metric: str, series: Series) -> float | None:
    """Return a number of a series in base units; None where it is not known."""
    return analysis.frame.of_series(metric, series.id).value


def observed_at(analysis: Analysis, series: Series) -> Level | None:
    """Return the level of the cliff as observed; None where it showed at none."""
    concurrency = of_series(analysis, "cliff_observed", series)
    return next((level for level in climbed(analysis, series) if level.load == concurrency), None)


def due_at(analysis: Analysis, series: Series) -> Level | None:
    """Return the first level above the wall that comes first; None where the ladder ends below it."""
    wall = of_series(analysis, "cliff_wall", series)
    return next((level for level in climbed(analysis, series) if wall is not None and level.load > wall), None)


def staggered_at(analysis: Analysis, series: Series) -> Level | None:
    """Return the first level above what fits when requests are staggered; None where that is not known, or too high."""
    most = of_series(analysis, "cliff_staggered", series)
    return next((level for level in climbed(analysis, series) if most is not None and level.load > most), None)


def agrees(analysis: Analysis, series: Series) -> bool:
    """Say whether the cliff showed where it was due: of requests all at their end, or staggered ones of a pool."""
    seen = observed_at(analysis, series)
    later = staggered_at(analysis, series) if first_wall(analysis, series) == "pool" else None
    return seen is not None and seen in (due_at(analysis, series), later)


def first_wall(analysis: Analysis, series: Series) -> Wall:
    """Say which wall comes first; both, where each slot keeps its own part of the pool."""
    pool, slots = (of_series(analysis, key, series) for key in ("cliff_predicted", "wall_scheduler"))
    if pool is None or (slots is not None and slots < pool):
        return "slots"
    return "both" if slots is not None and math.isclose(slots, pool) else "pool"


def division(analysis: Analysis, series: Series) -> Division:
    """Say what the wall of the pool was computed from."""
    inputs = {one.metric for one in wall_inputs(_memory(analysis, series))}
    return next((kind for metric, kind in PER_REQUEST.items() if metric in inputs), "tokens")


def divided(analysis: Analysis, series: Series) -> dict[str, Part]:
    """Return the pool, what a request or a slot takes of it, and the size of a block, where the wall rests on them."""
    inputs = {one.metric: one for one in wall_inputs(_memory(analysis, series))}
    names = {
        "pool": ("kv_pool_tokens", "engine_pool_blocks_of_series"),
        "each": ("kv_slot_context", "kv_blocks_of_request", "request_tokens"),
        "block": ("engine_block_tokens_of_series",),
    }
    found = {name: next((inputs[key] for key in keys if key in inputs), None) for name, keys in names.items()}
    return {name: Quantity(address) for name, address in found.items() if address is not None}


def _memory(analysis: Analysis, series: Series) -> Value:
    return analysis.frame.of_series("wall_memory", series.id)


def failed_whole(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels of the kind of load of most levels at which every request failed, by rising load."""
    kind = analysis.round.load_kinds[0]

    def failed(level: Level) -> bool:
        answered, lost = (number_at(analysis, at_level(key, series, level)) for key in ("completed", "failed"))
        return answered == 0 and bool(lost)

    return [level for level in series.levels if level.kind == kind and level.load and failed(level)]


def failed_from(analysis: Analysis, series: Series) -> Level | None:
    """Return the lowest level from which on every request failed; None where one at the highest was answered."""
    failed = failed_whole(analysis, series)
    levels = [level for level in series.levels if level.kind == analysis.round.load_kinds[0] and level.load]
    rest = list(takewhile(failed.__contains__, sorted(levels, key=lambda level: -level.load)))
    return rest[-1] if rest else None


def failed_loads(analysis: Analysis, several: Sequence[Series]) -> set[float]:
    """Return the loads at which every request of any series failed: lines have no points there, the axis a tick."""
    return {level.load for series in several for level in failed_whole(analysis, series)}


def failure_marks(analysis: Analysis, several: Sequence[Series]) -> list[Mark]:
    """Return a mark for each series whose line ends since nothing was answered from some level on."""
    ends = [(series, level) for series in several if (level := failed_from(analysis, series)) is not None]
    return [
        Mark(level.load, None, Sentence(ALL_FAILED, {"l": level_name(series, level), "s": series_names([series.id])}))
        for series, level in ends
    ]


def met_at(analysis: Analysis, series: Series, wall: float) -> tuple[Level, list[Sign]] | None:
    """Return the level above a wall at which the engine itself first told of it, and how; None where it never did."""
    level = observed_at(analysis, series)
    if level is None or not level.load or level.load <= wall:
        return None
    signs: list[Sign] = [
        sign for sign in signs_at(analysis, series, level) if sign in {"preempted", "waiting", "refused"}
    ]
    return (level, signs) if signs else None


def signs_at(analysis: Analysis, series: Series, level: Level) -> list[Sign]:
    """Return the signs that are seen at a level: those it tells itself, and those against the level below."""
    told = [sign for sign in OF_ENGINE if _is_told(analysis, series, level, sign)]
    ladder = climbed(analysis, series)
    place = ladder.index(level)
    return [*told, *(_against(analysis, series, ladder[place - 1], level) if place else [])]


def _is_told(analysis: Analysis, series: Series, level: Level, sign: Sign) -> bool:
    number = number_at(analysis, at_level(OF_ENGINE[sign], series, level)) or 0.0
    return number >= WAITING if sign == "waiting" else number > 0


def _against(analysis: Analysis, series: Series, below: Level, level: Level) -> list[Sign]:
    def both(metric: str) -> tuple[float, float] | None:
        low, high = (number_at(analysis, at_level(metric, series, one)) for one in (below, level))
        return (low, high) if low and high else None

    found: list[Sign] = []
    delivered = both("output_throughput")
    if delivered is not None and level.load > below.load:
        allowed = (1 + FLAT) ** math.log2(level.load / below.load)
        found += ["flat"] if delivered[1] < delivered[0] * allowed else []
    p50, p99 = both("ttft_p50"), both("ttft_p99")
    found += ["ttft_p50"] if p50 is not None and p50[1] > JUMP * p50[0] else []
    found += ["ttft_p99"] if p99 is not None and p99[1] > JUMP * p99[0] else []
    return found


def cliff_marks(
    analysis: Analysis, several: Sequence[Series], drawn: Collection[float], metric: str | None = None
) -> list[Mark]:
    """Return the marks that lie within what is drawn, the wall that comes first and the observed cliff of each series.

    Series that have one at the same place share its mark.

    Args:
        analysis: what is known of the round.
        several: whose.
        drawn: the places on the axis at which there are points.
        metric: what the axis counts of a level; None for the concurrency.
    """
    marks: list[Mark] = []
    for on_axis, (key, text) in ((_wall_on, DUE), (_observed_on, SEEN)):
        at_place: dict[tuple[float, Text], list[Series]] = {}
        for series in several:
            if (x := on_axis(analysis, series, metric)) is not None and drawn and min(drawn) <= x <= max(drawn):
                told = NONE_LEFT if text is SEEN[1] and _ends_there(analysis, series) else text
                at_place.setdefault((x, told), []).append(series)
        for (x, told), those in at_place.items():
            parts: dict[str, Part] = {"s": _whose(those, several), "c": series_value(key, those[0].id)}
            marks.append(Mark(x, None, Sentence(told, parts)))
    return marks


def _ends_there(analysis: Analysis, series: Series) -> bool:
    """Say whether from the observed cliff on no request was answered."""
    level = failed_from(analysis, series)
    return level is not None and level == observed_at(analysis, series)


def _whose(those: Sequence[Series], several: Sequence[Series]) -> Part:
    if len(those) == len(several) > 1:
        return Text(zh="所有系列", en="all series")
    return series_names(one.id for one in those)


def _wall_on(analysis: Analysis, series: Series, metric: str | None) -> float | None:
    wall = of_series(analysis, "cliff_wall", series)
    ladder = climbed(analysis, series)
    if metric is None or wall is None or not ladder:
        return wall
    each = number_at(analysis, at_level(metric, series, ladder[0]))
    return None if each is None else wall * each / ladder[0].load


def _observed_on(analysis: Analysis, series: Series, metric: str | None) -> float | None:
    level = observed_at(analysis, series)
    if level is None:
        return None
    return level.load if metric is None else number_at(analysis, at_level(metric, series, level))


DUE: Final = ("cliff_wall", Text(zh="预测 C={c}：{s}", en="predicted C={c}: {s}"))
SEEN: Final = ("cliff_observed", Text(zh="实测 C={c}：{s}", en="observed C={c}: {s}"))
NONE_LEFT: Final = Text(zh="实测 C={c}，全部失败：{s}", en="observed C={c}, all fail: {s}")
ALL_FAILED: Final = Text(zh="{l} 起全部失败：{s}", en="all failed from {l} on: {s}")


def level_name(series: Series, level: Level) -> LevelName:
    """Return the name of a level of a series."""
    return LevelName(series.id, level.id)
