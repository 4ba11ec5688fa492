"""What the engine said it was doing at each load, beside what the client had in flight."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import Place, Shown, at_level, known_at, level_table, number_at
from generator.figures import on_axis
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, FigureBlock, Paragraph
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Sentence, SeriesName, say

SAMPLED: Final = ("gauge_running_mean", "gauge_waiting_mean", "gauge_kv_usage_mean")
LOGGED: Final = ("log_running_most", "log_waiting_most", "log_kv_usage_most")
COLUMNS: Final = (
    Shown("in_flight", Text(zh="客户端在途", en="in flight, client")),
    Shown("mean_concurrency", Text(zh="客户端在途，均值", en="in flight, mean")),
    Shown("gauge_running_mean", Text(zh="计算中，均值", en="running, mean")),
    Shown("gauge_running_most", Text(zh="计算中，最多", en="running, most")),
    Shown("gauge_waiting_mean", Text(zh="排队，均值", en="waiting, mean")),
    Shown("gauge_waiting_most", Text(zh="排队，最多", en="waiting, most")),
    Shown("gauge_kv_usage_most", Text(zh="KV 池占用，最高", en="KV pool use, most"), "%"),
    Shown("log_running_most", Text(zh="日志：计算中，最多", en="log: running, most")),
    Shown("log_waiting_most", Text(zh="日志：排队，最多", en="log: waiting, most")),
    Shown("log_kv_usage_most", Text(zh="日志：KV 占用，最高", en="log: KV use, most"), "%"),
)


@section(checks=("gauges_sampled", "waiting_requests", "concurrency_reached"))
def curve_gauges(analysis: Analysis) -> Chapter | None:
    """Print running, waiting and KV use by samples or log; draw samples over time where there are any."""
    places = [(series, level) for series in analysis.round.series for level in on_axis(analysis, series)]
    told = [place for place in places if _is_known(analysis, place, *SAMPLED, *LOGGED)]
    if not told:
        return None
    sampled = all(_is_known(analysis, place, *SAMPLED) for place in told)
    columns = [column for column in COLUMNS if not (sampled and column.metric in LOGGED)]
    shown = [column for column in columns if any(_is_known(analysis, place, column.metric) for place in told)]
    caption = say(zh="引擎自报的量与客户端的并发", en="What the engine said, beside the client's concurrency")
    queued = [sentence for series in analysis.round.series if (sentence := _queued(analysis, series)) is not None]
    blocks: list[Block] = [
        Paragraph(passage(_intro(), *queued)),
        level_table(analysis, "curve-gauges-table", caption, shown, told),
    ]
    if any(requests.gauges is not None for requests in analysis.round.requests.values()):
        blocks.append(FigureBlock("gauges_over_time"))
    return Chapter(say(zh="引擎一侧", en="On the engine's side"), tuple(blocks))


def _is_known(analysis: Analysis, place: Place, *metrics: str) -> bool:
    return any(number_at(analysis, at_level(metric, *place)) is not None for metric in metrics)


def _intro() -> Sentence:
    return say(
        zh="客户端维持的并发若都在计算，“计算中”应当跟着它涨；涨不上去而“排队”涨起来，说明引擎一侧先满。",
        en="If all that the client keeps in flight is computed, the running ones rise with it; where they stop and the waiting ones "
        "rise instead, the engine is full.",
    )


def _queued(analysis: Analysis, series: Series) -> Sentence | None:
    """Say from which level on requests waited in the engine."""
    for key in ("gauge_waiting_mean", "log_waiting_most"):
        levels = [level for level in ladder(analysis, series) if _is_known(analysis, (series, level), key)]
        waited = [level for number, level in known_at(analysis, key, series, levels) if number >= 1]
        if waited:
            return say(
                zh="{s} 从 {l} 起有请求在引擎里排队（{x} 条）。",
                en="With {s} requests wait in the engine from {l} on ({x} there).",
                s=SeriesName(series.id),
                l=LevelName(series.id, waited[0].id),
                x=level_value(key, series.id, waited[0].id),
            )
    return None
