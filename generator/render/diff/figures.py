"""Figures that show two rounds over each other: one colour a series, dashes for the base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.analysis.graph import Graph
from generator.comparing.held import Held
from generator.figures import on_axis
from generator.frame import Analysis
from generator.model import Series, accents_of
from generator.render.diff.printer import OVERLAID, of_round
from generator.render.plotting.palette import ACCENTS
from generator.render.views.figure import FigureView, figure_view
from generator.render.wording.numbers import Printer
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Point
from generator.told.sentence import RoundName, Sentence
from generator.units import from_base
from generator.values import Address

TITLES: Final[Mapping[str, Text]] = {
    "output_throughput": Text(zh="两轮的输出吞吐：{base} 与 {head}", en="Output throughput of {base} and {head}"),
    "itl_p50": Text(zh="两轮的 ITL p50：{base} 与 {head}", en="ITL p50 of {base} and {head}"),
}
CAPTION: Final = Text(
    zh="每个系列一种颜色：虚线（与另一种标记）是 {base}，实线是 {head}。双对数坐标；"
    "空心点没有通过该轮的自检，点线连到它们。",
    en="One colour per series: dashed lines, with other markers, are {base}, solid lines {head}. Both axes are "
    "logarithmic. Hollow points did not pass the self-checks of their round; dotted segments lead to them.",
)
SETS_APART: Final = (1, 2, 3, 5, 6, 7)
"""By how many sets of colours the base may be further than the head: four would draw its lines solid."""
SPOILT: Final = Text(zh="没有通过 {round} 的自检", en="did not pass the self-checks of {round}")


def overlays(held: Held, graph: Graph) -> dict[str, FigureModel]:
    """Return the figures that have something of both rounds, by their keys."""
    if (
        held.comparison.banner.standing == "not_comparable"
        or held.base.round.load_kinds[0] != held.head.round.load_kinds[0]
    ):
        return {}
    metrics = {key: graph.metrics[key, None] for key in OVERLAID}
    drawn = {key: _lines(held, key, metric.unit) for key, metric in metrics.items()}
    return {
        f"{key}_both": _figure(held, key, metrics[key].unit, metrics[key].title, lines)
        for key, lines in drawn.items()
        if _has_both(held, lines)
    }


def _has_both(held: Held, lines: tuple[Line, ...]) -> bool:
    drawn = {line.series for line in lines}
    sides = [{of_round(one.id, side) for one in side.round.series} for side in (held.base, held.head)]
    return all(drawn & side for side in sides) and any(len(line.points) > 1 for line in lines)


def _figure(held: Held, key: str, unit: str, title: Text, lines: tuple[Line, ...]) -> FigureModel:
    loads = sorted({point.x for line in lines for point in line.points})
    names = {"base": RoundName(held.base.round.id), "head": RoundName(held.head.round.id)}
    x = Axis(held.head.round.load_label, "", "log", tuple(loads))
    return FigureModel(
        key=f"{key}_both",
        title=Sentence(TITLES[key], names),
        caption=Sentence(CAPTION, names),
        plot=LinePlot(x=x, y=Axis(title, unit, "log"), lines=lines),
        accents=_accents(held),
    )


def _accents(held: Held) -> dict[str, int]:
    """Return the number of each line: what is whole sets of colours further has the same one, and is dashed.

    So many sets that no marker of the base is that of another series in the head, where there are enough markers.
    """
    named = held.decided.options.pairs
    series = {one.id: one for side in (held.head, held.base) for one in side.round.series}
    numbers = {id_: number % ACCENTS for id_, number in accents_of(series.values()).items()}
    again = ACCENTS * _sets_apart(set(numbers.values()))
    return {
        of_round(one.id, side): numbers[named.get(one.id, one.id) if side is held.base else one.id] + further
        for side, further in ((held.base, again), (held.head, 0))
        for one in side.round.series
    }


def _sets_apart(numbers: set[int]) -> int:
    """Return how many sets further no number has the marker of another one; 1 where there is no such distance."""
    apart = (sets for sets in SETS_APART if numbers.isdisjoint((number + sets) % ACCENTS for number in numbers))
    return next(apart, 1)


def _lines(held: Held, key: str, unit: str) -> tuple[Line, ...]:
    found = (_line(side, series, key, unit) for side in (held.base, held.head) for series in side.round.series)
    return tuple(line for line in found if line.points)


def _line(side: Analysis, series: Series, key: str, unit: str) -> Line:
    drawn, points = of_round(series.id, side), []
    for level in on_axis(side, series):
        value = side.frame.values.get(Address(key, "level", series.id, level.id))
        if value is not None and value.value:
            where = Address(key, "level", drawn, level.id)
            is_spoilt = (series.id, level.id) in side.spoilt
            spoilt = Sentence(SPOILT, {"round": RoundName(side.round.id)}) if is_spoilt else None
            points.append(Point(level.load, from_base(value.value, unit), level.id, where, spoilt))
    name = same(f"{side.round.label(series.id)} · {side.round.id}")
    return Line(name, drawn, "measured", tuple(points))


def figure_views(models: Mapping[str, FigureModel], printer: Printer, data: str) -> dict[str, FigureView]:
    """Render the figures in one language; ``data`` is the way from the page to the folder of the comparison's data."""
    views = {key: figure_view(key, model, printer, data) for key, model in models.items()}
    return {key: view for key, view in views.items() if isinstance(view, FigureView)}
