"""Goodput over the load: requests a second that met the latency targets."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import Shown, amount, highest, known_at, level_table
from generator.figures import on_axis
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Paragraph
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("request_throughput", Text(zh="请求吞吐", en="requests"), "req/s"),
    Shown("request_goodput", same("goodput"), "req/s"),
    Shown("goodput_share", Text(zh="达标的份额", en="share that met them"), "%"),
    Shown("ttft_p99", same("TTFT p99"), "ms"),
    Shown("itl_p99", same("ITL p99"), "ms"),
)


@section()
def curve_goodput(analysis: Analysis) -> Chapter | None:
    """Print the goodput of each level of the ladders; nothing where no targets were set."""
    places = [(series, level) for series in analysis.round.series for level in on_axis(analysis, series)]
    known = [place for place in places if amount(analysis, "request_goodput", place) is not None]
    if not known:
        return None
    told = [sentence for series in analysis.round.series if (sentence := _best(analysis, series)) is not None]
    caption = say(zh="每一档的 goodput", en="Goodput at each level")
    table = level_table(analysis, "curve-goodput-table", caption, COLUMNS, known)
    return Chapter(say(zh="达标的吞吐", en="Throughput that counts"), (Paragraph(passage(_intro(), *told)), table))


def _intro() -> Sentence:
    return say(
        zh="goodput 只数达到时延目标的请求；它到顶的负载，往往在吞吐的饱和点之前。",
        en="Goodput counts the requests that met the latency targets; it often peaks below the load at which throughput is full.",
    )


def _best(analysis: Analysis, series: Series) -> Sentence | None:
    found = known_at(analysis, "request_goodput", series, ladder(analysis, series))
    if not found:
        return None
    level = highest(found)
    return say(
        zh="{s} 的 goodput 在 {l} 最高，为 {x}。",
        en="The goodput of {s} is highest at {l}: {x}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        x=level_value("request_goodput", series.id, level.id),
    )
