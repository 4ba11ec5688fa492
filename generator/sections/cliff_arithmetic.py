"""What the predicted cliff is computed from, and the observed one beside it, as concurrencies and as tokens."""

from __future__ import annotations

from collections.abc import Iterator

from generator.across.cliffs import first_wall, of_series, with_cliff
from generator.across.ladders import wall_inputs
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.told.blocks import Block, FigureBlock, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.told.quoting import series_value
from generator.told.sentence import Quantity, Sentence, SeriesName, say

WALLS = ("wall_scheduler", "cliff_wall")


@section(checks=("slot_context", "wall_reached_unseen"))
def cliff_arithmetic(analysis: Analysis) -> Chapter | None:
    """Set out the ledger of each series, and draw how full the pool was."""
    groups = tuple(_group(analysis, series) for series in with_cliff(analysis))
    if not groups:
        return None
    caption = say(zh="悬崖的账", en="How the cliff is computed")
    blocks: list[Block] = [Paragraph(_intro()), Ledger("cliff-account", caption, groups), FigureBlock("cliff_kv_use")]
    return Chapter(say(zh="悬崖的账", en="How the cliff is computed"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="预测值 = KV 池 ÷ 一条请求结束时占用的 token；槽位各留一份上下文时，= 池 ÷ 每槽位的份额。它按全部请求同时到最大长度来算，是最早的一处；请求彼此错开、引擎又按需分配时，平均每条只占输入加一半输出，悬崖会晚一些。先到的墙是它与槽位数中较小的一个。",
        en="Predicted = KV pool ÷ tokens that a request takes at its end; where each slot keeps a context of its own, = pool ÷ share of a slot. It assumes "
        "all requests at full length at once, so it is the earliest place; where they are staggered and the engine gives out KV as "
        "they grow, each holds its input and half of its output on average, and the cliff comes later. The wall that comes first is the "
        "lower of it and the slots.",
    )


def _group(analysis: Analysis, series: Series) -> LedgerGroup:
    return LedgerGroup(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(_lines(analysis, series)))


def _lines(analysis: Analysis, series: Series) -> Iterator[LedgerLine]:
    wall = analysis.frame.of_series("wall_memory", series.id)
    if wall.value is not None:
        yield from (LedgerLine(Quantity(address)) for address in wall_inputs(wall))
        yield LedgerLine(series_value("wall_memory", series.id))
    staggered = ("cliff_staggered",) if first_wall(analysis, series) == "pool" else ()
    for key in (*WALLS, *staggered, "cliff_observed"):
        if of_series(analysis, key, series) is not None:
            yield LedgerLine(series_value(key, series.id))
    if of_series(analysis, "cliff_gap_levels", series) is not None:
        yield LedgerLine(series_value("cliff_gap_levels", series.id), is_sum=True)
