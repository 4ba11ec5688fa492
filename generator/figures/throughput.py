"""Output throughput over the load, with the crossover."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from generator.across.cliffs import failed_loads, failure_marks
from generator.across.ladders import ladder
from generator.across.levels import by_kind_of_data, load_axis_label, why_spoilt
from generator.figures import left_off, on_axis
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Mark, Point
from generator.told.quoting import crossing_of, passage, series_names
from generator.told.sentence import Sentence, SeriesName, say


@figure
def throughput(analysis: Analysis) -> FigureModel | Missing:
    """Draw one line a series on log–log axes, and mark where a series crosses the baseline."""
    all_lines = (_line(analysis, series) for series in analysis.round.series)
    lines = tuple(line for line in all_lines if any(point.y > 0 for point in line.points))
    if not any(sum(point.y > 0 for point in line.points) > 1 for line in lines):
        return _missing(analysis)
    loads = sorted({point.x for line in lines for point in line.points} | failed_loads(analysis, analysis.round.series))
    marks = tuple(mark for compared in analysis.round.compared for mark in _marks(analysis, compared))
    spoilt = [line.series for line in lines if any(point.spoilt for point in line.points)]
    return FigureModel(
        key="throughput",
        title=_title(analysis),
        caption=_caption(analysis, marks, spoilt),
        plot=LinePlot(
            x=Axis(load_axis_label(analysis), "", "log", tuple(loads)),
            y=Axis(Text(zh="输出吞吐", en="output throughput"), "tok/s", "log"),
            lines=lines,
            marks=(*marks, *failure_marks(analysis, analysis.round.series)),
        ),
        accents=analysis.round.accents,
    )


def _line(analysis: Analysis, series: Series) -> Line:
    points = []
    for level in on_axis(analysis, series):
        value = analysis.frame.of_level("output_throughput", series.id, level.id)
        if value.value is not None:  # nothing delivered has no place on a log axis, and breaks the line
            spoilt = why_spoilt(analysis, (series, level))
            points.append(Point(level.load, value.value, level.id, value.address, spoilt))
    return Line(same(analysis.round.label(series.id)), series.id, "measured", tuple(points))


def _marks(analysis: Analysis, compared: Series) -> list[Mark]:
    crossing = _crossing(analysis, compared)
    if crossing is None or analysis.round.baseline is None:
        return []
    label = say(
        zh="交叉点 C ≈ {c}",
        en="crossover C ≈ {c}",
        c=crossing_of("crossover_concurrency", compared.id),
    )
    return [Mark(crossing, _height(analysis, analysis.round.baseline, crossing), label)]


def _crossing(analysis: Analysis, compared: Series) -> float | None:
    """Return the crossover; None also where the axis is not the concurrency, so that it has no place there."""
    is_on_axis = analysis.round.load_kinds[0] == "concurrency"
    return analysis.frame.of_pair("crossover_concurrency", compared.id).value if is_on_axis else None


def _height(analysis: Analysis, series: Series, x: float) -> float | None:
    """Return the throughput at ``x``, straight between its neighbours on log–log axes."""
    values = [
        (level.load, analysis.frame.of_level("output_throughput", series.id, level.id).value)
        for level in ladder(analysis, series, "concurrency")
    ]
    known = [(load, amount) for load, amount in values if amount]
    for (a, low), (b, high) in pairwise(known):
        if a < b and a <= x <= b:
            return low * math.exp(math.log(high / low) * math.log(x / a) / math.log(b / a))
    return None


def _title(analysis: Analysis) -> Sentence:
    crossed = [series for series in analysis.round.compared if _crossing(analysis, series) is not None]
    if not crossed or len(analysis.round.compared) > 1 or analysis.round.baseline is None:
        return say(zh="输出吞吐随负载的变化", en="Output throughput versus load")
    return say(
        zh="{compared} 与 {baseline} 的吞吐在 C ≈ {c} 持平",
        en="{compared} and {baseline} deliver the same at C ≈ {c}",
        compared=SeriesName(crossed[0].id),
        baseline=SeriesName(analysis.round.baseline.id),
        c=crossing_of("crossover_concurrency", crossed[0].id),
    )


def _caption(analysis: Analysis, marks: Sequence[Mark], spoilt: Sequence[str]) -> Sentence:
    told = [say(zh="双对数坐标。", en="Both axes are logarithmic."), *left_off(analysis)]
    if marks:
        told.append(
            say(
                zh="交叉点在相邻的可用档位之间按 log–log 直线插值。",
                en="The crossover is linearly interpolated on log–log axes between neighbouring usable levels.",
            )
        )
    if spoilt:
        told.append(
            say(
                zh="空心点是 {series} 已排除的档位。",
                en="Hollow points are excluded levels of {series}.",
                series=series_names(spoilt),
            )
        )
    return passage(*told)


def _missing(analysis: Analysis) -> Missing:
    left = left_off(analysis)
    if left:
        return Missing(passage(Sentence(NO_AXIS), *left))
    return Missing(by_kind_of_data(analysis.round.series, runs=TOO_FEW_RUNS, table=TOO_FEW_ROWS))


NO_AXIS: Final = Text(
    zh="没有系列在至少两个可以放在同一根轴上的档位有输出吞吐。",
    en="The throughput curve cannot be drawn: no series has an output throughput at two levels that share an axis.",
)


TOO_FEW_RUNS: Final = Text(
    zh="没有系列在至少两个负载不同的档位有输出吞吐。",
    en="The throughput curve cannot be drawn: no series has an output throughput at two loads or more.",
)
TOO_FEW_ROWS: Final = Text(
    zh="没有系列在至少两个档位记录了输出吞吐。补上 output_throughput 一列即可。",
    en="The throughput curve cannot be drawn: no series has an output throughput at two levels or more. Fill in the "
    "column output_throughput.",
)
