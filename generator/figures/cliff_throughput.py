"""Throughput over the concurrency, with the predicted and the observed cliff of each series."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import cliff_marks, climbed, failed_loads, with_cliff
from generator.across.levels import at_level, number_at, why_spoilt
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import LOAD_LABELS, Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Point
from generator.told.sentence import Sentence, say


@figure
def cliff_throughput(analysis: Analysis) -> FigureModel | Missing:
    """Draw one line a series on log–log axes; beyond a cliff also what is excluded."""
    told = with_cliff(analysis)
    lines = tuple(line for series in told if len((line := _line(analysis, series)).points) > 1)
    if not lines:
        return Missing(Sentence(NOTHING))
    loads = sorted({point.x for line in lines for point in line.points} | failed_loads(analysis, told))
    marks = tuple(cliff_marks(analysis, told, loads))
    return FigureModel(
        key="cliff_throughput",
        title=say(zh="吞吐与悬崖", en="Throughput and the cliff"),
        caption=say(
            zh="双对数坐标。竖线是预测与实测的悬崖；超出所画范围的不画。空心点是已排除的档位。",
            en="Both axes are logarithmic. Vertical lines are the predicted and the observed cliff, where they lie within what is drawn. "
            "Hollow points are excluded levels.",
        ),
        plot=LinePlot(
            Axis(LOAD_LABELS["concurrency"], "", "log", tuple(loads)),
            Axis(Text(zh="输出吞吐", en="output throughput"), "tok/s", "log"),
            lines,
            marks,
        ),
        accents=analysis.round.accents,
    )


def _line(analysis: Analysis, series: Series) -> Line:
    points = tuple(
        Point(level.load, number, level.id, at, why_spoilt(analysis, (series, level)))
        for level in climbed(analysis, series)
        if (number := number_at(analysis, at := at_level("output_throughput", series, level)))
    )
    return Line(same(analysis.round.label(series.id)), series.id, "measured", points)


NOTHING: Final = Text(
    zh="画不出吞吐与悬崖：没有系列既知道先到的墙，又在两个以上的并发有吞吐。",
    en="Throughput and cliff cannot be drawn: no series has a known wall, and a throughput at two concurrencies or more.",
)
