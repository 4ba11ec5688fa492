"""The log's own times of a start beside the moments that we saw, and what it leaves unexplained."""

from __future__ import annotations

from typing import Final

from generator.across.cold_starts import STAGE_NAMES, STAGES, at_start, first_of, of_start, started
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Heading, Paragraph, Row, Table
from generator.told.sentence import Part, Quantity, Sentence, SeriesName, say

ROWS: Final = (
    *STAGE_NAMES.items(),
    ("start_told", Text(zh="日志说明的，合计", en="sum of the stages in the log")),
    ("cold_start_healthy", Text(zh="外部所见的就绪", en="ready, as observed")),
    ("start_untold", Text(zh="日志没有说明的", en="not explained by the log")),
    ("start_ready", Text(zh="日志说的就绪", en="ready, by the log")),
    ("start_ready_gap", Text(zh="外部所见减日志所说", en="observed − log")),
)


@section(checks=("start_stages_agree",))
def cold_start_log(analysis: Analysis) -> Chapter | None:
    """Show a row a stage and a column a series: of its first start."""
    told = [series for series in started(analysis) if _has_log(analysis, series)]
    if not told:
        return None
    headings = (Heading(say(zh="阶段", en="stage")), *(_heading(series) for series in told))
    known = [(key, name) for key, name in ROWS if any(_number(analysis, key, one) is not None for one in told)]
    rows = tuple(Row((name, *(_cell(analysis, key, series) for series in told))) for key, name in known)
    caption = say(zh="第一次启动，日志所记与外部所见", en="The first start, by the log and as observed")
    blocks = (Paragraph(Sentence(MEANT)), Table("cold-start-log-table", caption, headings, rows))
    return Chapter(say(zh="日志里的启动", en="The start by the log"), blocks)


def _has_log(analysis: Analysis, series: Series) -> bool:
    return any(_number(analysis, key, series) is not None for key in STAGES)


def _number(analysis: Analysis, key: str, series: Series) -> float | None:
    return of_start(analysis, key, series, first_of(analysis, series))


def _heading(series: Series) -> Heading:
    return Heading(say(zh="{s}", en="{s}", s=SeriesName(series.id)), "s")


def _cell(analysis: Analysis, key: str, series: Series) -> Part:
    if _number(analysis, key, series) is None:
        return same("—")
    return Quantity(at_start(key, series, first_of(analysis, series)), unit="s", bare=True)


MEANT: Final = Text(
    zh="vLLM 自己报载入权重、编译、捕获 CUDA graph 与 init engine 的秒数，其余由两行之间的时间得出；llama.cpp 只报试算显存的秒数，其余都是两行之间的时间。日志没有说明的是夹在各行之间的时间：分词器、HTTP 服务、别的进程。",
    en="vLLM gives the seconds of loading weights, compiling, capturing CUDA graphs and init engine; the rest is time between two lines. "
    "llama.cpp gives those of fitting its parameters to the memory alone. What the log does not tell lies between its lines: "
    "tokenizer, HTTP server, other processes.",
)
