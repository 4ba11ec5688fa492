"""The answer: where each engine is full, what it delivers at most, and which bound it meets first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

from generator.across.cliffs import NAMES, failed_whole, met_at
from generator.across.excluded import name_at, tell_past
from generator.across.ladders import WALLS, ladder, most_in_flight, walls
from generator.across.levels import amount, at_level, known_at, level_names, number_at
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Card, Cards, Paragraph
from generator.told.quoting import level_value, passage, series_value
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

FEWEST: Final = 2
"""Levels that a curve has at least."""
HALF: Final = 0.5
"""Share of the throughput of one request alone below which a curve grows far less than its load; also of a step."""
FALL: Final = 0.05
"""Share of throughput by which a level must lie below the one before for the curve to fall there."""


@section(checks=("knee_in_range", "past_saturation"))
def curve(analysis: Analysis) -> Chapter:
    """State of each series the knee, the highest throughput and the lowest bound."""
    blocks: list[Block] = []
    for series in analysis.round.series:
        blocks.append(Paragraph(_told(analysis, series), "lead"))
        if cards := _cards(analysis, series):
            blocks.append(Cards(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(cards)))
    return Chapter(_heading(analysis), tuple(blocks))


def _heading(analysis: Analysis) -> Sentence:
    measured = analysis.round.series
    full = [series for series in measured if _is_full(analysis, series)]
    if len(full) == len(measured):
        return say(zh="结论：每个系列都测到了极限", en="Verdict: every series was measured up to its limit")
    if full:
        return say(zh="结论：有的引擎满了，有的没有", en="Verdict: some engines are full, some are not")
    short = [series for series in measured if _short_at(analysis, series) is not None]
    if short:
        return Sentence(ALL_SHORT if len(short) == len(measured) else SOME_SHORT, {})
    if any(_reaches_wall(analysis, series) for series in measured):
        return say(zh="结论：测到的负载里没有出现饱和点", en="Verdict: no knee shows in the loads measured")
    return say(zh="结论：测到的负载还没有把引擎填满", en="Verdict: the loads measured did not fill the engines")


ALL_SHORT: Final = Text(
    zh="结论：没有测到饱和点，但吞吐的增长远不及并发",
    en="Verdict: no knee shows, but throughput grows far less than the load",
)
SOME_SHORT: Final = Text(
    zh="结论：没有测到饱和点，但有的系列吞吐的增长远不及并发",
    en="Verdict: no knee shows, but throughput of some series grows far less than the load",
)


def _short_at(analysis: Analysis, series: Series) -> Level | None:
    """Return the highest level of a series where each request gets less than half of what one alone does; else None.

    Of a series that shows a limit, or is under rates, that is not asked.
    """
    found = known_at(analysis, "output_throughput", series, ladder(analysis, series))
    if not found or _is_full(analysis, series) or _knee_key(analysis) == "knee_rate":
        return None
    last = found[-1][1]
    kept = amount(analysis, "scaling_efficiency", (series, last))
    return last if kept is not None and kept < HALF else None


def _reaches_wall(analysis: Analysis, series: Series) -> bool:
    """Say whether as many requests were in flight as the lowest wall admits."""
    most, wall = most_in_flight(analysis, series), _lowest_wall(analysis, series)
    return most is not None and wall is not None and (most[0] > wall[0] or math.isclose(most[0], wall[0]))


def _is_full(analysis: Analysis, series: Series) -> bool:
    """Say whether a limit of a series shows: its knee, a wall that it met, or levels of which every request failed."""
    if _knee(analysis, series) is not None or failed_whole(analysis, series):
        return True
    wall = _lowest_wall(analysis, series)
    return wall is not None and met_at(analysis, series, wall[0]) is not None


def _knee(analysis: Analysis, series: Series) -> str | None:
    """Return which knee of a series is known: that of the kind of load that is told of."""
    key = _knee_key(analysis)
    return key if analysis.frame.of_series(key, series.id).value is not None else None


def _knee_key(analysis: Analysis) -> str:
    return "knee_rate" if analysis.round.load_kinds[0] == "rate" else "knee_concurrency"


def _told(analysis: Analysis, series: Series) -> Sentence:
    levels = ladder(analysis, series)
    if len(levels) < FEWEST:
        return say(
            zh="{s} 没有两个只有负载不同的可用档位，谈不上曲线。",
            en="{s} has no two usable levels that differ in the load alone, and so no curve.",
            s=SeriesName(series.id),
        )
    told = (
        _of_knee(analysis, series), _of_doubt(analysis, series), _of_scaling(analysis, series),
        _of_fall(analysis, series), _of_walls(analysis, series), _of_cause(analysis, series),
        *_of_shortfall(analysis, series),
    )  # fmt: skip
    best = _best(analysis, series)
    told = (told[0], *(tell_past(analysis, series, best) if best is not None else ()), *told[1:])
    return passage(*(one for one in told if one is not None))


def _best(analysis: Analysis, series: Series) -> Level | None:
    """Return the level of the ladder that delivers most; None where no throughput is known."""
    found = known_at(analysis, "output_throughput", series, ladder(analysis, series))
    return max(found, key=lambda one: one[0])[1] if found else None


def _knee_level(analysis: Analysis, series: Series) -> Level | None:
    """Return the level at which a series is full; None where that is not known, or nothing was delivered there."""
    key = _knee(analysis, series)
    at = analysis.frame.of_series(key, series.id).value if key is not None else None
    found = known_at(analysis, "output_throughput", series, ladder(analysis, series))
    return next((level for _, level in found if level.load == at), None)


def _of_knee(analysis: Analysis, series: Series) -> Sentence:
    best, key, full = _best(analysis, series), _knee(analysis, series), _knee_level(analysis, series)
    name: dict[str, Part] = {"s": SeriesName(series.id)}
    most: dict[str, Part] = {}
    if best is not None:
        most = {"l": LevelName(series.id, best.id), "x": level_value("output_throughput", series.id, best.id)}
    if key is None:
        return _without_knee(analysis, series, {**name, **most})
    knee: dict[str, Part] = {**name, "knee": series_value(key, series.id)}
    if full is None or best is None:
        return Sentence(KNEE, knee)
    there = level_value("output_throughput", series.id, full.id)
    if full == best and key != "knee_rate":
        return Sentence(FULL_AT_BEST, {**knee, "y": there})
    return Sentence(SERVES if key == "knee_rate" else FULL, {**knee, **most, "y": there})


def _of_doubt(analysis: Analysis, series: Series) -> Sentence | None:
    """Say at which levels a check doubts the numbers that a knee rests on: the knee is then no surer than they are."""
    key = _knee(analysis, series)
    if key is None:
        return None
    doubted = {address for finding in analysis.findings for address in finding.doubts}
    rests = {one.address.level for one in analysis.frame.of_series(key, series.id).inputs if one.address in doubted}
    levels = [level for level in series.levels if level.id in rests]
    return Sentence(DOUBTED, {"l": level_names(series, levels)}) if levels else None


DOUBTED: Final = Text(
    zh="它依据的 {l} 的数自检存疑（†，见下表的注），这个饱和点也就存疑。",
    en="It rests on numbers of {l} that a check puts in doubt (†, see the note below the table), so this knee is in doubt, too.",
)


def _without_knee(analysis: Analysis, series: Series, parts: dict[str, Part]) -> Sentence:
    """Say why no knee is known: nothing was answered above the best level, a wall came first, or what the metric says."""
    failed, wall, best = failed_whole(analysis, series), _lowest_wall(analysis, series), _best(analysis, series)
    if failed and best is not None:
        refused = all(number_at(analysis, at_level("cliff_refused", series, level)) for level in failed)
        return Sentence(FAILED_FOR_KV if refused else FAILED, {**parts, "f": level_names(series, failed)})
    if best is not None and wall is not None and met_at(analysis, series, wall[0]) is not None:
        return Sentence(PAST_WALL, {**parts, "w": wall[1], "c": series_value(wall[2], series.id)})
    why = analysis.frame.of_series(_knee_key(analysis), series.id).reason or NOT_KNOWN
    return Sentence(NO_KNEE if best is None else NO_KNEE_BEST, {**parts, "why": why})


FAILED: Final = Text(
    zh="{s} 的输出吞吐在 {l} 最高，为 {x}；{f} 的请求全部失败，饱和点没有测到。",
    en="{s} delivers most at {l}: {x}. At {f} every request failed, so its knee is not known.",
)
FAILED_FOR_KV: Final = Text(
    zh="{s} 的输出吞吐在 {l} 最高，为 {x}；{f} 的请求因 KV 放不下而全部失败，饱和点没有测到。",
    en="{s} delivers most at {l}: {x}. At {f} every request failed for want of KV, so its knee is not known.",
)
PAST_WALL: Final = Text(
    zh="{s} 的输出吞吐在 {l} 最高，为 {x}；过了{w}（C = {c}）没有一档起持平，饱和点没有测到。",
    en="{s} delivers most at {l}: {x}. Past its {w} (C = {c}) throughput varies with no level from which it is flat: no knee shows.",
)
NOT_KNOWN: Final = Text(zh="数据不足", en="there are too few data")
NO_KNEE: Final = Text(zh="{s} 的饱和点未知：{why}。", en="The knee of {s} is not known: {why}.")
NO_KNEE_BEST: Final = Text(
    zh="{s} 的饱和点未知：{why}。输出吞吐在 {l} 最高，为 {x}。",
    en="The knee of {s} is not known: {why}. It delivers most at {l}: {x}.",
)
KNEE: Final = Text(zh="{s} 在 {knee} 饱和。", en="{s} is full at {knee}.")
FULL: Final = Text(
    zh="{s} 在 C = {knee} 饱和，吞吐 {y}：再往上，吞吐几乎不增，E2EL 变长。最高的是 {l} 的 {x}。",
    en="{s} is saturated from C = {knee} on, at {y}: beyond that throughput hardly grows and the E2EL does. The most is {x}, at {l}.",
)
FULL_AT_BEST: Final = Text(
    zh="{s} 在 C = {knee} 饱和，吞吐 {y}，也是各档最高：再往上，吞吐不增，E2EL 变长。",
    en="{s} is saturated from C = {knee} on, at {y}, its highest: beyond that only the latency (E2EL) grows.",
)
SERVES: Final = Text(
    zh="{s} 跟得上的最高到达率是 {knee}，产出 {y}；再高就有一条越来越长的队列。最高的产出是 {l} 的 {x}。",
    en="{s} serves up to {knee}, where it delivers {y}; above that a queue grows. The most is {x}, at {l}.",
)


def _of_scaling(analysis: Analysis, series: Series) -> Sentence | None:
    """Say what is left of the throughput of one request alone, where the series is full, else where it delivers most."""
    level = _knee_level(analysis, series) or _best(analysis, series)
    if level is None or level.load <= 1 or amount(analysis, "scaling_efficiency", (series, level)) is None:
        return None
    return say(
        zh="{l} 的扩展效率为 {e}（吞吐 ÷（并发 × 单条请求的吞吐））。",
        en="Its scaling efficiency at {l} is {e}: throughput ÷ (concurrency × that of one request at a time).",
        l=LevelName(series.id, level.id),
        e=level_value("scaling_efficiency", series.id, level.id),
    )


def _of_walls(analysis: Analysis, series: Series) -> Sentence:
    found = walls(analysis, series)
    if not found:
        return Sentence(NO_WALL, {})
    at, key = found[0]
    most = most_in_flight(analysis, series)
    parts: dict[str, Part] = {"w": _lowest(found), "c": series_value(key, series.id)}
    if most is None:
        return Sentence(WALL, parts)
    parts["l"] = LevelName(series.id, most[1].id)
    if math.isclose(most[0], at):
        return Sentence(REACHED, parts)
    return Sentence(PAST if most[0] > at else BELOW, parts)


def _lowest(found: Sequence[tuple[float, str]]) -> Listing:
    """Return the names of the lowest bounds: with fixed slots, memory and scheduler are the same one."""
    return Listing(tuple(WALLS[key] for at, key in found if math.isclose(at, found[0][0])))


NO_WALL: Final = Text(
    zh="显存、带宽、调度三个界限的位置都不知道：缺的是 KV 池、模型形状和槽位数。",
    en="Where memory, bandwidth and scheduler set bounds is not known: the KV pool, the shape of the model and the slots are not "
    "on record.",
)
WALL: Final = Text(zh="已知的界限里最低的是{w}，C = {c}。", en="The lowest known bound is the {w} (C = {c}).")
REACHED: Final = Text(
    zh="已知的界限里最低的是{w}，C = {c}，最高的负载 {l} 已达到它。",
    en="The lowest known bound is the {w} (C = {c}); the highest load, {l}, just reaches it.",
)
PAST: Final = Text(
    zh="已知的界限里最低的是{w}，C = {c}，最高的负载 {l} 已超过它。",
    en="The lowest known bound is the {w} (C = {c}); the highest load, {l}, is past it.",
)
BELOW: Final = Text(
    zh="已知的界限里最低的是{w}，C = {c}，最高的负载 {l} 尚未达到它。",
    en="The lowest known bound is the {w} (C = {c}), which the highest load, {l}, does not reach.",
)


def _lowest_wall(analysis: Analysis, series: Series) -> tuple[float, Listing, str] | None:
    """Return the lower of the walls of memory and scheduler, its names and its metric; the bandwidth bend is no wall."""
    found = [(at, key) for at, key in walls(analysis, series) if key != "wall_bandwidth"]
    return (found[0][0], _lowest(found), found[0][1]) if found else None


def _of_cause(analysis: Analysis, series: Series) -> Sentence | None:
    """Say what bounds a series under a closed loop: a wall that it met, or what is left where it is full below them."""
    wall, key = _lowest_wall(analysis, series), _knee(analysis, series)
    if wall is None or _knee_key(analysis) == "knee_rate":
        return None
    at, names, metric = wall
    full = analysis.frame.of_series(key, series.id).value if key is not None else None
    if full is not None and full < at:
        return Sentence(BELOW_WALLS, {})
    parts: dict[str, Part] = {"w": names, "c": series_value(metric, series.id)}
    met = met_at(analysis, series, at)
    if met is not None:
        signs = Listing(tuple(NAMES[sign] for sign in met[1]))
        return Sentence(BY_WALL, {**parts, "l": LevelName(series.id, met[0].id), "signs": signs})
    return Sentence(AT_WALL, parts) if full is not None else None


BELOW_WALLS: Final = Text(
    zh="饱和点低于已知的每一堵墙：限制它的是算力或显存带宽，不是 KV 池，也不是槽位。",
    en="The knee lies below every wall that is known: what bounds it is compute or memory bandwidth, neither the KV pool nor the slots.",
)
BY_WALL: Final = Text(
    zh="限制它的是{w}（C = {c}）：从 {l} 起，引擎自报的征兆有：{signs}。",
    en="What bounds it is the {w} (C = {c}): from {l} on the engine reports it ({signs}).",
)
AT_WALL: Final = Text(
    zh="饱和点不低于{w}（C = {c}），与它相符：更多的请求只是在等。",
    en="The knee does not lie below the {w} (C = {c}) and agrees with it: further requests only wait.",
)


def _of_fall(analysis: Analysis, series: Series) -> Sentence | None:
    """Say where a curve without a knee falls furthest from one level to the next."""
    found = known_at(analysis, "output_throughput", series, ladder(analysis, series))
    falls = [(after / before, low, high) for (before, low), (after, high) in pairwise(found) if before]
    deepest = min(falls, key=itemgetter(0), default=None)
    if _is_full(analysis, series) or deepest is None or deepest[0] > 1 - FALL:
        return None
    _, low, high = deepest
    return say(
        zh="它有升有降：从 {low} 的 {x} 降到 {high} 的 {y}。",
        en="It does not rise throughout: from {low} to {high} it falls from {x} to {y}.",
        low=LevelName(series.id, low.id),
        high=LevelName(series.id, high.id),
        x=level_value("output_throughput", series.id, low.id),
        y=level_value("output_throughput", series.id, high.id),
    )


def _of_shortfall(analysis: Analysis, series: Series) -> Iterator[Sentence]:
    """Yield what is known of why throughput grows far less than the load, though no limit shows."""
    level, wall, most = _short_at(analysis, series), _lowest_wall(analysis, series), most_in_flight(analysis, series)
    if level is None:
        return
    is_below = wall is not None and most is not None and (most[0] < wall[0] or math.isclose(most[0], wall[0]))
    if wall is not None and is_below:
        yield Sentence(NOT_BY_WALL, {"w": wall[1], "c": series_value(wall[2], series.id)})
    read = amount(analysis, "floor_ratio", (series, level))
    if read is not None:
        ratio = level_value("floor_ratio", series.id, level.id)
        yield Sentence(
            BY_READING if read >= HALF else NOT_BY_READING, {"l": LevelName(series.id, level.id), "r": ratio}
        )
    elif is_below:
        yield Sentence(BY_EITHER, {})


NOT_BY_WALL: Final = Text(
    zh="吞吐跟不上并发，不是因为{w}：同时在途的请求没有超过 C = {c}。",
    en="That throughput falls behind the load is not due to the {w}: no more than C = {c} requests were in flight.",
)
BY_READING: Final = Text(
    zh="{l} 的一步里，按下限读权重与 KV 占 {r}：先限制它的是显存带宽。",
    en="By the floor, reading weights and KV takes {r} of a step at {l}: memory bandwidth binds first.",
)
NOT_BY_READING: Final = Text(
    zh="{l} 的一步里，按下限读权重与 KV 只占 {r}，其余是计算或引擎自身的开销：先限制它的不是显存带宽。",
    en="By the floor, reading weights and KV takes only {r} of a step at {l}, the rest is compute or the engine's own work: memory "
    "bandwidth is not what binds first.",
)
BY_EITHER: Final = Text(
    zh="限制它的是显存带宽或算力，数据不足以区分。",
    en="What binds is memory bandwidth or compute; the data do not say which.",
)


def _cards(analysis: Analysis, series: Series) -> list[Card]:
    if len(ladder(analysis, series)) < FEWEST:
        return []
    cards, key, best = [], _knee(analysis, series), _best(analysis, series)
    if key is not None:
        label = say(zh="跟得上的到达率", en="Rate served") if key == "knee_rate" else say(zh="饱和点", en="Knee")
        cards.append(Card(label, series_value(key, series.id), _latency_there(analysis, series)))
    if best is not None:
        cards += _best_cards(analysis, series, best)
    found = walls(analysis, series)
    for _, wall in found[:1]:
        label, name = say(zh="最低的界限", en="Lowest bound"), say(zh="{w}", en="{w}", w=_lowest(found))
        cards.append(Card(label, series_value(wall, series.id), name))
    return cards


def _latency_there(analysis: Analysis, series: Series) -> Sentence:
    """Return the latency at the knee."""
    level = _knee_level(analysis, series)
    if level is None or amount(analysis, "e2el_p50", (series, level)) is None:
        return say(zh="再往上只是多等", en="above it requests only wait")
    return say(zh="E2EL p50 {e}", en="E2EL p50 {e}", e=level_value("e2el_p50", series.id, level.id))


def _best_cards(analysis: Analysis, series: Series, best: Level) -> list[Card]:
    number = level_value("output_throughput", series.id, best.id)
    cards = [Card(say(zh="最高输出吞吐", en="Highest throughput"), number, name_at(analysis, series, best))]
    level = _knee_level(analysis, series) or best
    if level.load > 1 and amount(analysis, "scaling_efficiency", (series, level)) is not None:
        label = say(zh="{l} 的扩展效率", en="Scaling efficiency at {l}", l=LevelName(series.id, level.id))
        alone = say(zh="单条请求 {x}", en="one at a time: {x}", x=series_value("throughput_alone", series.id))
        cards.append(Card(label, level_value("scaling_efficiency", series.id, level.id), alone))
    return cards
