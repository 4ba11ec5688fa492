"""The time to the first token over the concurrency, with the predicted and the observed cliff of each series."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import cliff_marks, climbed, failed_loads, with_cliff
from generator.figures import load_points
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import LOAD_LABELS, Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot
from generator.told.sentence import Sentence, say

STATISTICS: Final = ("p50", "p99")


@figure
def cliff_ttft(analysis: Analysis) -> FigureModel | Missing:
    """Draw p50 and p99 of each series on log–log axes."""
    told = with_cliff(analysis)
    drawn = (_line(analysis, series, statistic) for series in told for statistic in STATISTICS)
    lines = tuple(line for line in drawn if len(line.points) > 1)
    if not lines:
        return Missing(Sentence(NOTHING))
    loads = sorted({point.x for line in lines for point in line.points} | failed_loads(analysis, told))
    marks = tuple(cliff_marks(analysis, told, loads))
    return FigureModel(
        key="cliff_ttft",
        title=say(zh="TTFT 与悬崖", en="TTFT and the cliff"),
        caption=say(
            zh="双对数坐标，每个系列两条线：p50 与 p99。竖线是预测与实测的悬崖。",
            en="Both axes are logarithmic; each series has two lines, p50 and p99. Vertical lines are the predicted and the observed cliff.",
        ),
        plot=LinePlot(
            Axis(LOAD_LABELS["concurrency"], "", "log", tuple(loads)), Axis(same("TTFT"), "ms", "log"), lines, marks
        ),
        accents=analysis.round.accents,
    )


def _line(analysis: Analysis, series: Series, statistic: str) -> Line:
    points = load_points(analysis, series, climbed(analysis, series), f"ttft_{statistic}", "ms")
    return Line(same(f"{analysis.round.label(series.id)} {statistic}"), series.id, "measured", points)


NOTHING: Final = Text(
    zh="画不出 TTFT 与悬崖：没有系列既知道先到的墙，又在两个以上的并发有 TTFT。",
    en="TTFT and cliff cannot be drawn: no series has a known wall, and a TTFT at two concurrencies or more.",
)
