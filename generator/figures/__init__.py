"""Figures: one a file, each a neutral description of what is shown; here, lines over the load and the levels they connect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from generator.across.ladders import ladder, limit_of, rungs
from generator.across.levels import (
    amount,
    at_level,
    drawn_levels,
    known_at,
    left_undrawn,
    load_axis_label,
    number_at,
    of_one_length,
    place_name,
    why_spoilt,
)
from generator.frame import Analysis
from generator.kinds import Missing
from generator.model import Level, Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Point, Role
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Listing, Sentence, SeriesName, say
from generator.units import from_base


def on_axis(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels that the line of a series connects: its ladder, and what is excluded of it.

    Where nothing is usable, the levels that would have been its ladder.
    """
    drawn = drawn_levels(analysis, series)
    numbers = partial(_number, analysis, series)
    first = next(iter(ladder(analysis, series)), None)
    if first is None:
        return [level for level in rungs(drawn, numbers) if level.load]
    loaded = [level for level in drawn if level.load and limit_of(level) == limit_of(first)]
    return next(group for group in of_one_length(loaded, numbers) if first in group)


def _number(analysis: Analysis, series: Series, level: Level, metric: str) -> float | None:
    return amount(analysis, metric, (series, level))


def left_off(analysis: Analysis) -> list[Sentence]:
    """Say which levels the lines do not connect, and why."""
    places = [(series, level) for series in analysis.round.series for level in drawn_levels(analysis, series)]
    connected = {series.id: on_axis(analysis, series) for series in analysis.round.series}
    reasons: dict[Text, list[Sentence]] = {}
    for series, level in places:
        if level not in connected[series.id]:
            reasons.setdefault(_why_off(level, connected[series.id]), []).append(place_name(series.id, level.id))
    left = [Sentence(why, {"levels": Listing(tuple(names))}) for why, names in reasons.items()]
    return [*left_undrawn(analysis), *left]


def _why_off(level: Level, connected: Sequence[Level]) -> Text:
    """Return why a level is not on the line that connects others."""
    if not level.load:
        return NO_LOAD
    return OTHER_LENGTHS if limit_of(level) in {limit_of(one) for one in connected} else OTHER_LIMIT


def makes_line(analysis: Analysis, *metrics: str) -> bool:
    """Say whether any series has numbers other than zero, of all these metrics, at two levels that its line connects."""
    return any(
        sum(all(_number(analysis, series, level, key) for key in metrics) for level in on_axis(analysis, series))
        >= FEWEST
        for series in analysis.round.series
    )


def load_line(
    analysis: Analysis, series: Series, metric: str, *, unit: str, statistic: str = "", role: Role = "measured"
) -> Line:
    """Return a metric of a series over the load; what is zero has no place on a log axis."""
    points = load_points(analysis, series, on_axis(analysis, series), metric, unit)
    name = f"{analysis.round.label(series.id)} {statistic}".rstrip()
    return Line(same(name), series.id, role, points)


def load_points(
    analysis: Analysis, series: Series, levels: Iterable[Level], metric: str, unit: str
) -> tuple[Point, ...]:
    """Return a metric of levels over their load; what is zero has no place on a log axis."""
    return tuple(
        Point(level.load, from_base(number, unit), level.id, at, why_spoilt(analysis, (series, level)))
        for level in levels
        if (number := number_at(analysis, at := at_level(metric, series, level)))
    )


def latency_by_load(analysis: Analysis, of: str, unit: str, axis: Text) -> FigureModel | Missing:
    """Draw median and p99 of a latency of each series over the load, on log–log axes.

    Args:
        analysis: what is known of the round.
        of: how the metrics begin: ``ttft`` for ``ttft_p50`` and ``ttft_p99``.
        unit: of the upright axis.
        axis: what the latency is called.
    """
    series = analysis.round.series
    lines = [
        load_line(analysis, one, f"{of}_{statistic}", unit=unit, statistic=statistic)
        for one in series
        for statistic in ("p50", "p99")
    ]
    drawn = tuple(line for line in lines if line.points)
    loads = sorted({point.x for line in drawn for point in line.points})
    if not makes_line(analysis, f"{of}_p50") and not makes_line(analysis, f"{of}_p99"):
        return Missing(Sentence(ONE_LOAD, {"of": axis}))
    return FigureModel(
        key=f"{of}_by_load",
        title=_course(analysis, of, axis),
        caption=passage(Sentence(MEDIAN_AND_P99, {}), *left_off(analysis)),
        plot=LinePlot(Axis(load_axis_label(analysis), "", "log", tuple(loads)), Axis(axis, unit, "log"), drawn),
        accents=analysis.round.accents,
    )


def _course(analysis: Analysis, of: str, axis: Text) -> Sentence:
    """Say what the median is at the lowest and at the highest load."""
    told = []
    for series in analysis.round.series:
        known = known_at(analysis, f"{of}_p50", series, ladder(analysis, series))
        if len(known) < FEWEST:
            continue
        (_, low), (_, high) = known[0], known[-1]
        told.append(
            say(
                zh="{s} 从 {a}（{l}）到 {b}（{h}）",
                en="{s} from {a} ({l}) to {b} ({h})",
                s=SeriesName(series.id),
                a=level_value(f"{of}_p50", series.id, low.id),
                b=level_value(f"{of}_p50", series.id, high.id),
                l=LevelName(series.id, low.id),
                h=LevelName(series.id, high.id),
            )
        )
    if not told:
        return say(zh="{of} 随负载的变化", en="{of} versus load", of=axis)
    return say(zh="{of} 的 p50：{told}", en="{of} p50: {told}", of=axis, told=Listing(tuple(told)))


FEWEST: Final = 2
"""Loads that a line needs."""
MEDIAN_AND_P99: Final = Text(
    zh="双对数坐标。每个系列两条线：p50 与 p99；请求少的档位，p99 就是最慢的一两条。",
    en="Both axes are logarithmic. Each series has two lines, p50 and p99; where requests are few, the p99 is one or two of them.",
)
ONE_LOAD: Final = Text(
    zh="画不出 {of} 随负载的变化：没有系列在两个以上的负载记录了它。",
    en="{of} over the load cannot be drawn: no series has it at two loads or more.",
)
OTHER_LIMIT: Final = Text(
    zh="没有画出 {levels}：并发上限与线上的档位不同。",
    en="Not drawn: {levels}, where the limit on concurrency is not that of the levels on the line.",
)
NO_LOAD: Final = Text(
    zh="没有画出 {levels}：既没有并发数，也没有到达率。",
    en="Not drawn: {levels}, which have neither a concurrency nor an arrival rate.",
)
OTHER_LENGTHS: Final = Text(
    zh="没有画出 {levels}：请求的长度与线上的档位不同。",
    en="Not drawn: {levels}, where requests have other lengths than at the levels on the line.",
)
