"""What a comparison has to state, whether this one does, and which findings bound what may be concluded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.across.levels import all_places, amount
from generator.checks.reporting_demands import TAILS
from generator.deciding.bounds import bounding
from generator.deciding.records import NAMES, Bound
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Facts, Heading, Paragraph, Row, Table
from generator.told.quoting import clipped
from generator.told.sentence import Count, Listing, Part, Sentence, SeriesName, say

PRECISION: Final = say(zh="精度", en="Precision")
LEVELS: Final = say(zh="分并发的结果", en="Results per concurrency")
PERCENTILES: Final = say(zh="尾部分位数", en="Tail percentiles")
WARM_UP: Final = say(zh="预热状态", en="State of warm-up")


@section()
def guide_demands(analysis: Analysis) -> Chapter:
    """Set out the four demands and what bounds the certainty of the page."""
    found = bounding(analysis)
    blocks: list[Block] = [Paragraph(_intro()), Facts(tuple(_demands(analysis)))]
    blocks += [Paragraph(finding.message, "note") for finding in analysis.warnings_of("reporting_demands")]
    blocks += [_table(found)] if found else [Paragraph(UNBOUNDED, "note")]
    return Chapter(say(zh="结论有多可靠", en="How far the conclusions reach"), tuple(blocks))


UNBOUNDED: Final = say(
    zh="没有自检限制结论；测量次数与差距的大小仍然限制。",
    en="No check bounds the conclusions; the number of trials and the size of a difference still do.",
)


def _intro() -> Sentence:
    return say(
        zh="下面列出的四项少了任何一项，本页的数就只供定性参考。此外每条结论还受自检、测量次数与差距大小的限制：“{firm}”要求双方都测过几次、范围不重叠且差距够大，“{leaning}”只是方向可信，“{qualitative}”只看得出方向与量级，“{open}”指现有数据分不出谁领先。",
        en="If any of the four listed below is missing, the numbers of the page are qualitative only. Beyond that, checks, the number of trials and the size of a difference bound "
        "each conclusion: “{firm}” takes several trials of both that do not overlap and differ by enough, “{leaning}” is a direction and no more, "
        "“{qualitative}” shows direction and order of magnitude alone, “{open}” means that these data do not settle who leads.",
        firm=NAMES["firm"],
        leaning=NAMES["leaning"],
        qualitative=NAMES["qualitative"],
        open=NAMES["open"],
    )


def _demands(analysis: Analysis) -> Iterator[tuple[Sentence, Sentence]]:
    yield PRECISION, _precisions(analysis)
    yield LEVELS, _levels(analysis)
    yield PERCENTILES, _percentiles(analysis)
    yield WARM_UP, _warm_up(analysis)


def _precisions(analysis: Analysis) -> Sentence:
    told = tuple(
        say(
            zh="{s}：{p}",
            en="{p} for {s}",
            s=SeriesName(series.id),
            p=clipped(series.table.precision) if series.table.precision else NOT_STATED,
        )
        for series in analysis.round.series
    )
    return say(zh="{all}", en="{all}", all=Listing(told))


NOT_STATED: Final = Text(zh="没有写明", en="not stated")


def _levels(analysis: Analysis) -> Sentence:
    told = tuple(
        say(zh="{s}：{n} 档", en="{n} {n:level|levels} of {s}", s=SeriesName(series.id), n=Count(len(series.levels)))
        for series in analysis.round.series
    )
    return say(zh="{all}", en="{all}", all=Listing(told))


def _percentiles(analysis: Analysis) -> Sentence:
    places = all_places(analysis)
    everywhere = [key for key in TAILS if places and all(amount(analysis, key, place) is not None for place in places)]
    if not everywhere:
        return say(zh="没有哪个分位数每一档都有", en="none that is there at every level")
    names = Listing(tuple(same(_tail_name(key)) for key in everywhere))
    return say(zh="每一档都有 {names}", en="{names} at every level", names=names)


def _tail_name(key: str) -> str:
    quantity, _, tail = key.rpartition("_")
    return f"{quantity.upper()} {tail}"


WARM: Final = {
    "cold": Text(zh="未预热", en="cold"),
    "warmed": Text(zh="已预热", en="warmed up"),
    "long-running": Text(zh="长时间运行之后", en="long running"),
}


def _warm_up(analysis: Analysis) -> Sentence:
    declared = analysis.round.file.workload.warm_up
    if declared is not None:
        return Sentence(WARM[declared])
    if analysis.warnings_of("reporting_demands"):
        return say(zh="没有声明", en="not declared")
    return say(
        zh="由采集器控制：每一档先发的请求另外记录",
        en="kept by the collector: the first requests of each level are recorded apart",
    )


def _table(found: list[Bound]) -> Table:
    return Table(
        key="guide-bounds",
        caption=say(zh="限制结论的自检", en="Checks that bound the conclusions"),
        headings=(
            Heading(say(zh="自检", en="check"), is_text=True),
            Heading(say(zh="可信程度上限", en="highest certainty allowed"), is_text=True),
            Heading(say(zh="自检结果", en="what it says"), is_text=True),
        ),
        rows=tuple(Row(_cells(bound)) for bound in found),
    )


def _cells(bound: Bound) -> tuple[Part, ...]:
    says: Part = bound.finding.message if bound.finding is not None else bound.why
    return (bound.why, NAMES[bound.most], says)
