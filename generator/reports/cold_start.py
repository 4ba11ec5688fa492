"""How long an engine takes until it answers for the first time."""

from __future__ import annotations

from typing import Final

from generator.across.cold_starts import started
from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_START: Final = Text(
    zh='没有哪个系列记录了启动。给 [[series]] 一个 argv，rounds collect 就会拉起引擎并记下各个时刻（starts = 3 重复启动，page_cache = "dropped" 先清页缓存）；手头已有的数填进 published.toml 的 [cold_start]。',
    en="No series has a start on record. Give a [[series]] its argv, and rounds collect starts the engine and notes the moments (starts = 3 "
    'starts it repeatedly, page_cache = "dropped" drops the model\'s files first); numbers that you have go into [cold_start] of '
    "published.toml.",
)


@report(
    order=60,
    title=Text(zh="冷启动", en="Cold start"),
    question=Text(
        zh="从拉起进程到能回答第一条请求要多久，时间花在哪里？",
        en="How long from the spawn to the first answer, and where does the time go?",
    ),
    sections=("cold_start", "cold_start_waterfall", "cold_start_starts", "cold_start_log", "cold_start_traps"),
)
def cold_start(analysis: Analysis) -> Text | None:
    """Want the moment of an open port of any series."""
    return None if started(analysis) else NO_START
