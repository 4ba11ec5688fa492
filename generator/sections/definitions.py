"""Where a published report used another definition: its number, the better one, and why."""

from __future__ import annotations

from typing import Final

from generator.across.corrections import Correction, corrections
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import Block, Heading, Paragraph, Row, Subheading, Table
from generator.told.sentence import Listing, Sentence, say

HEADINGS: Final = (
    Heading(say(zh="指标", en="metric")),
    Heading(say(zh="按原报告的定义", en="by the report's definition")),
    Heading(say(zh="按订正的定义", en="by the corrected one")),
)
WHY: Final = {
    "graph-reuse": say(
        zh="一个批处理步为每个槽位各产出一个 token，而计数器每步只加一次。以 token 数为分母，计算图复用率会随并发按 1/C 下降，与引擎无关。",
        en="A batched step yields a token for each slot and moves the counter once. Over tokens, the rate falls as 1/C "
        "whatever the engine does.",
    ),
    "stall-share": say(
        zh="均值 ÷ 中位数 − 1 是相对中位数的开销，可以超过 100%；占解码时间的比例是 1 − 中位数 ÷ 均值。取 TPOT 的均值还会被只产出几个 token 的请求抬高。",
        en="Mean ÷ median − 1 is an overhead relative to the median and can pass 100%; the share of decode time is 1 − "
        "median ÷ mean. Taken from the mean TPOT, it is also inflated by requests of very few tokens.",
    ),
    "weights-basis": say(
        zh="解码一步只查输入 embedding 的一行。把整张表算进去会抬高 MBU，只给一边去掉则偏向另一边；右列两边都不含它。",
        en="A step looks up one row of the input embedding. Counting the whole table inflates the MBU, and leaving it out "
        "for one engine alone favours the other; the right column leaves it out for both.",
    ),
}


@section()
def definitions(analysis: Analysis) -> Chapter | None:
    """Set the published definition beside the corrected one wherever the round has both."""
    corrected = corrections(analysis)
    if not corrected:
        return None
    blocks: list[Block] = [Paragraph(_lead(corrected))]
    for one in corrected:
        blocks += [Subheading(one.key, say(one.title.zh, one.title.en)), Paragraph(WHY[one.key]), _table(one)]
    return Chapter(
        say(zh="定义：原报告有误之处与订正", en="Definitions: published errors and their corrections"),
        tuple(blocks),
    )


def _lead(corrected: tuple[Correction, ...]) -> Sentence:
    return say(
        zh="原报告的定义有误之处：{what}。下面逐项给出理由，以及按两种定义各算出多少。",
        en="Some definitions of the published report do not hold: those of {what}. For each, the reason and "
        "what both definitions give.",
        what=Listing(tuple(_in_a_sentence(one) for one in corrected)),
    )


def _in_a_sentence(one: Correction) -> Sentence:
    return say(zh=one.title.zh, en=one.title.en.lower())


def _table(one: Correction) -> Table:
    return Table(
        key=f"defined-{one.key}",
        caption=say(zh=f"{one.title.zh}：两种定义", en=f"{one.title.en}: two definitions"),
        headings=HEADINGS,
        rows=tuple(Row(pair) for pair in one.pairs),
    )
