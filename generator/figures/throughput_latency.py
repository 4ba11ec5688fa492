"""What latency more throughput costs: a point for each level, from the lowest load to the highest."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import highest, known_at, why_spoilt
from generator.figures import left_off, makes_line, on_axis
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Series
from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Point
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Listing, Sentence, SeriesName, say
from generator.units import from_base


@figure
def throughput_latency(analysis: Analysis) -> FigureModel | Missing:
    """Draw the median E2EL over the output throughput, one line a series, in order of the load."""
    lines = tuple(line for series in analysis.round.series if (line := _line(analysis, series)).points)
    if not makes_line(analysis, "output_throughput", "e2el_p50"):
        return Missing(Sentence(TOO_FEW, {}))
    return FigureModel(
        key="throughput_latency",
        title=_title(analysis),
        caption=passage(Sentence(CAPTION, {}), *left_off(analysis)),
        plot=LinePlot(
            x=Axis(Text(zh="输出吞吐", en="output throughput"), "tok/s", "log"),
            y=Axis(same("E2EL p50"), "ms", "log"),
            lines=lines,
        ),
        accents=analysis.round.accents,
    )


def _line(analysis: Analysis, series: Series) -> Line:
    points = []
    for level in on_axis(analysis, series):
        delivered, latency = (
            analysis.frame.of_level(key, series.id, level.id) for key in ("output_throughput", "e2el_p50")
        )
        if delivered.value and latency.value:
            spoilt = why_spoilt(analysis, (series, level))
            points.append(Point(delivered.value, from_base(latency.value, "ms"), level.id, latency.address, spoilt))
    return Line(same(analysis.round.label(series.id)), series.id, "measured", tuple(points))


def _title(analysis: Analysis) -> Sentence:
    """Say of each series what its highest throughput is, and how long a request takes there."""
    told = []
    for series in analysis.round.series:
        both = [level for _, level in known_at(analysis, "e2el_p50", series, ladder(analysis, series))]
        known = known_at(analysis, "output_throughput", series, both)
        if known:
            best = highest(known)
            told.append(
                say(
                    zh="{s} 最多 {x}，E2EL p50 为 {e}（{l}）",
                    en="{s} peaks at {x}, with an E2EL p50 of {e} ({l})",
                    s=SeriesName(series.id),
                    x=level_value("output_throughput", series.id, best.id),
                    e=level_value("e2el_p50", series.id, best.id),
                    l=LevelName(series.id, best.id),
                )
            )
    if not told:
        return say(zh="时延随吞吐的变化", en="Latency versus throughput")
    return say(zh="{told}", en="{told}", told=Listing(tuple(told)))


CAPTION: Final = Text(
    zh="双对数坐标；线按负载从低到高连接各档，折回左边的那一段，负载加了，吞吐反而低了。",
    en="Both axes are logarithmic; lines connect the levels by rising load. Where one turns back to the left, more load delivers less.",
)
TOO_FEW: Final = Text(
    zh="画不出时延随吞吐的变化：没有系列在两档以上同时记录了输出吞吐与 E2EL p50。",
    en="Latency over throughput cannot be drawn: no series has output throughput and E2EL p50 at two levels or more.",
)
