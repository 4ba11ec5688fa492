"""The arithmetic of the three bounds of the concurrency: memory, bandwidth, scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.across.ladders import WALLS, ladder, wall_inputs
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.told.quoting import passage, series_value
from generator.told.sentence import Quantity, Sentence, SeriesName, say


@section(checks=("wall_reached_unseen", "kv_pressure", "slot_context"))
def curve_walls(analysis: Analysis) -> Chapter | None:
    """Set out each bound with what it is computed from, and say why others are not known."""
    told = [series for series in analysis.round.series if len(ladder(analysis, series)) > 1]
    if not told:
        return None
    groups = [LedgerGroup(_name(series), tuple(_lines(analysis, series))) for series in told]
    known = tuple(group for group in groups if group.lines)
    missing = [sentence for series in told for sentence in _missing(analysis, series)]
    blocks: list[Block] = [Paragraph(_intro())]
    if known:
        caption = say(zh="三个界限的账，按并发", en="How the three bounds are computed, as concurrencies")
        blocks.append(Ledger("curve-walls", caption, known))
    if missing:
        blocks.append(Paragraph(passage(*missing), "note"))
    return Chapter(say(zh="三个界限：两堵墙，一个拐点", en="Three bounds: two walls and a bend"), tuple(blocks))


def _name(series: Series) -> Sentence:
    return say(zh="{s}", en="{s}", s=SeriesName(series.id))


def _intro() -> Sentence:
    return say(
        zh="显存墙是 KV 池能同时装下几条达到最大长度的请求，调度墙是引擎允许同时计算几条：再多就排队。带宽拐点不是墙：到那里，一步里读 KV 的时间和读权重的一样长，按下限吞吐已到极限的一半，再加并发换来的越来越少。",
        en="The memory wall is the number of requests at full length that fit into the KV pool, the scheduler wall the number that the engine "
        "computes at once: the rest wait. The bandwidth bend is not a wall but the concurrency at which a step spends as long reading KV as "
        "weights: the floor then allows half of its limiting throughput, and further requests add less and less.",
    )


def _lines(analysis: Analysis, series: Series) -> Iterator[LedgerLine]:
    """Yield, of each bound that is known, what it was computed from, and the bound itself."""
    for key in WALLS:
        wall = analysis.frame.of_series(key, series.id)
        if wall.value is None:
            continue
        for address in wall_inputs(wall):
            yield LedgerLine(Quantity(address))
        yield LedgerLine(series_value(key, series.id), is_sum=True)


def _missing(analysis: Analysis, series: Series) -> Iterator[Sentence]:
    for key in WALLS:
        wall = analysis.frame.of_series(key, series.id)
        if wall.value is None:
            yield say(
                zh="{s} 的{w}不知道：{why}。",
                en="The {w} of {s} is not known: {why}.",
                s=SeriesName(series.id),
                w=WALLS[key],
                why=wall.reason or NOT_RECORDED,
            )


NOT_RECORDED: Final = Text(zh="没有记录", en="it is not on record")
