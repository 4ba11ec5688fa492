"""The verdict of the guide: below which load each engine is ahead, in what, and how surely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from generator.across.excluded import tell_past
from generator.across.ladders import rungs_of
from generator.across.levels import highest, known_at
from generator.deciding.between_levels import between_levels
from generator.deciding.bounds import TOO_CLOSE
from generator.deciding.leads import Known, Pair, common_levels, known_spans, other_lengths, pairs_of
from generator.deciding.records import NAMES, NEITHER, Bound, Span, Yardstick
from generator.deciding.strips import lead_strips
from generator.deciding.telling import close_levels, factor, tell_bounds, tell_spans
from generator.deciding.yardsticks import BY_METRIC
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Heading, Paragraph, Row, Table
from generator.told.quoting import crossing, level_value, passage, series_names
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

FRONT: Final = ("output_throughput", "ttft_p50", "ttft_p99")
"""The quantities that are told in sentences; the table has all."""
NOTHING: Final = same("—")


@section(
    checks=("same_precision", "same_machine", "same_time", "same_work", "output_tokens", "non_monotonic_throughput")
)
def guide_verdict(analysis: Analysis) -> Chapter:
    """Say who leads where for each pair; of series that are not compared, what each can carry."""
    pairs = pairs_of(analysis)
    known = [(pair, dict(known_spans(analysis, pair))) for pair in pairs]
    blocks: list[Block] = [Paragraph(one, "caution") for one in _cautions(analysis)]
    blocks += [Paragraph(_lead(analysis, *told), "lead") for told in known]
    blocks += [FigureBlock("guide_leads")] if lead_strips(analysis) else []
    blocks += [block for pair, found in known if found for block in _pair(analysis, pair, found)]
    if not pairs:
        blocks += [Paragraph(one, "lead") for one in _alone(analysis)]
        blocks.append(Paragraph(Sentence(ONE if len(analysis.round.series) == 1 else UNRANKED), "note"))
    blocks += [Paragraph(one) for one in _starts(analysis)]
    return Chapter(say(zh="选哪一个", en="Which to choose"), tuple(blocks))


ONE: Final = Text(
    zh="这一轮只有一个系列：下面说它撑得住什么，不分高下。",
    en="This round has one series: the guide says what it can carry and ranks nothing.",
)
UNRANKED: Final = Text(
    zh="这一轮没有声明基线，各系列不互相比较：下面分别说它们撑得住什么。要比较，就在 [round] 里写 baseline。",
    en="This round names no baseline, so its series are not compared: the guide says what each can carry. To compare them, name the "
    "baseline in [round].",
)


def _cautions(analysis: Analysis) -> Iterator[Sentence]:
    for finding in analysis.warnings_of("reporting_demands"):
        yield say(
            zh="仅供定性参考：下面看得出方向与量级，不足以据此在相近的两者之间选择。{why}",
            en="Qualitative only: what follows shows directions and orders of magnitude, and cannot separate two engines that are "
            "close. {why}",
            why=finding.message,
        )


def _lead(analysis: Analysis, pair: Pair, known: Known) -> Sentence:
    if not known:
        return _nothing_common(pair)
    front = [_told(analysis, pair, BY_METRIC[key], known[BY_METRIC[key]]) for key in FRONT if BY_METRIC[key] in known]
    return passage(*(front or [_told(analysis, pair, *next(iter(known.items())))]))


def _pair(analysis: Analysis, pair: Pair, known: Known) -> list[Block]:
    levels = common_levels(analysis, pair)
    between = between_levels(analysis, pair, levels, known)
    return [
        *([between] if between is not None else []),
        _table(pair, known, levels),
        Paragraph(
            passage(_measured(analysis, pair), *_left_out(analysis, pair), *_how_sure(analysis, pair, known)), "note"
        ),
    ]


def _nothing_common(pair: Pair) -> Sentence:
    return say(
        zh="{a} 与 {b} 没有共同的可用档位，分不出谁领先。",
        en="{a} and {b} share no usable level: nothing says which of them leads.",
        a=SeriesName(pair[0].id),
        b=SeriesName(pair[1].id),
    )


def _told(analysis: Analysis, pair: Pair, yardstick: Yardstick, found: list[Span]) -> Sentence:
    """Say who leads in a quantity where, and at which concurrency the curves meet."""
    told = say(zh="{spans}", en="{spans}", spans=tell_spans(analysis, pair, yardstick, found))
    meeting = next((span.end.crossover for span in found if span.end.crossover is not None), None)
    if meeting is None:
        return say(zh="{told}。", en="{told}.", told=told)
    return say(
        zh="{told}；两条曲线在 C ≈ {c} 相交。",
        en="{told}; the curves meet at C ≈ {c}.",
        told=told,
        c=crossing(meeting),
    )


def _table(pair: Pair, known: Known, levels: Sequence[Level]) -> Table:
    return Table(
        key=f"guide-leads-{pair[1].id}",
        caption=say(
            zh="{a} 与 {b}：谁在哪些负载上领先",
            en="{a} and {b}: which of them leads at which loads",
            a=SeriesName(pair[0].id),
            b=SeriesName(pair[1].id),
        ),
        headings=HEADINGS,
        rows=tuple(_row(pair, yardstick, span) for yardstick, found in known.items() for span in found),
        loads=tuple(level.load for level in levels if level.kind == "concurrency"),
    )


HEADINGS: Final = (
    Heading(say(zh="量", en="quantity")),
    Heading(say(zh="领先者", en="leader"), is_text=True),
    Heading(say(zh="从", en="from")),
    Heading(say(zh="到", en="to")),
    Heading(say(zh="最大倍数", en="largest lead"), "×"),
    Heading(say(zh="所在档位", en="at")),
    Heading(say(zh="交叉点 C", en="ends at C")),
    Heading(say(zh="差距太小的档位", en="too close at"), is_text=True),
    Heading(say(zh="把握", en="certainty"), is_text=True),
)


def _row(pair: Pair, yardstick: Yardstick, span: Span) -> Row:
    close, side = close_levels(pair, (span,)), pair[1].id
    times = factor(pair, span.widest)
    end = span.end.crossover
    cells: tuple[Part, ...] = (
        yardstick.name,
        NEITHER if span.leader is None else SeriesName(span.leader),
        LevelName(side, span.leads[0].level.id),
        LevelName(side, span.leads[-1].level.id),
        NOTHING if times is None else replace(times, bare=True),
        LevelName(side, span.widest.level.id),
        NOTHING if end is None else crossing(end),
        close if close.parts else NOTHING,
        NAMES[span.certainty],
    )
    return Row(cells)


def _measured(analysis: Analysis, pair: Pair) -> Sentence:
    levels = common_levels(analysis, pair)
    names = (LevelName(pair[1].id, level.id) for level in levels)
    first, *others = names
    if not others:
        return say(
            zh="能比的共同可用档位只有 {first}，别的负载都是外推，这里不据此建议。",
            en="They share one usable level to compare, {first}; any other load is extrapolation, and no advice rests on it.",
            first=first,
        )
    return say(
        zh="共同的可用档位从 {first} 到 {last}；两档之间按 log–log 直线插值，这个范围以外都是外推，这里不据此建议。",
        en="The usable levels that they share go from {first} to {last}. Between levels, curves are interpolated linearly on log–log axes; "
        "beyond them all is extrapolation, and no advice rests on it.",
        first=first,
        last=others[-1],
    )


def _left_out(analysis: Analysis, pair: Pair) -> Iterator[Sentence]:
    """Name the common levels that are not compared here, as their requests have other lengths or limits."""
    others = tuple(LevelName(pair[1].id, level.id) for level in other_lengths(analysis, pair))
    if others:
        yield say(
            zh="{levels} 的请求长度或上限不同，不在这张图和表里；换了长度，领先者可能不同。",
            en="{levels} differ in the lengths of requests or in a limit, and are not in this picture and table: with other lengths "
            "another may lead.",
            levels=Listing(others),
        )


def _how_sure(analysis: Analysis, pair: Pair, known: Known) -> Iterator[Sentence]:
    """Say what keeps the leads from being firm, and which levels are left out."""
    bounds = [bound for found in known.values() for span in found for lead in span.leads for bound in lead.bounds]
    told = [bound for bound in bounds if bound.why.text is not TOO_CLOSE]
    if told:
        yield say(
            zh="可信程度受限于：{why}。", en="Certainty is limited by: {why}.", why=tell_bounds(_gravest_first(told))
        )
    spoilt = tuple(LevelName(side.id, level.id) for side in pair for level in analysis.excluded(side.id))
    if spoilt:
        yield say(
            zh="未通过自检、不计在内的档位：{levels}。",
            en="Levels that failed a check and do not count: {levels}.",
            levels=Listing(spoilt),
        )


def _gravest_first(bounds: list[Bound]) -> list[Bound]:
    """Put what bounds every number before what bounds some."""
    return sorted(bounds, key=lambda bound: bound.most == "open")


def _alone(analysis: Analysis) -> Iterator[Sentence]:
    for series in analysis.round.series:
        known = known_at(analysis, "output_throughput", series, rungs_of(analysis, series))
        yield _most(series, known) if known else _unknown(series)
        yield from tell_past(analysis, series, highest(known)) if known else ()


def _most(series: Series, known: list[tuple[float, Level]]) -> Sentence:
    best = highest(known)
    return say(
        zh="{s} 的输出吞吐在 {l} 最高，为 {x}。",
        en="{s} delivers most at {l}: {x}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, best.id),
        x=level_value("output_throughput", series.id, best.id),
    )


def _unknown(series: Series) -> Sentence:
    return say(zh="{s} 没有可用的吞吐数据。", en="{s} has no usable throughput.", s=SeriesName(series.id))


def _starts(analysis: Analysis) -> Iterator[Sentence]:
    """Say that nothing is concluded on starts where none was measured."""
    frame = analysis.frame
    without = [s.id for s in analysis.round.series if frame.of_series("cold_start_perceived", s.id).value is None]
    if without:
        yield say(
            zh="关于启动快慢不下结论：没有测量 {who} 的冷启动。",
            en="There is no verdict on starting up: no cold start of {who} was measured.",
            who=series_names(without),
        )
