"""The stages of a start one behind the other: as seen from outside, and as the engine's log tells them."""

from __future__ import annotations

from generator.across.cold_starts import started
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import FigureBlock, Paragraph
from generator.told.sentence import say


@section()
def cold_start_waterfall(analysis: Analysis) -> Chapter | None:
    """Show the figure where any start is known."""
    if not started(analysis):
        return None
    told = say(
        zh="每个系列的第一次启动：上面一条是从外面看到的时刻，下面一条是引擎日志里的各阶段；空白段是日志没有说明的时间。",
        en="The first start of each series: above, the moments seen from outside; below, the stages by the engine's log. What is left "
        "white is time that no log line accounts for.",
    )
    return Chapter(
        say(zh="启动的各阶段", en="The stages of a start"), (Paragraph(told), FigureBlock("cold_start_stages"))
    )
