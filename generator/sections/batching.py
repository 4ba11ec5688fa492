"""Batching: how far the decode step stays from its floor as the load grows."""

from __future__ import annotations

from generator.across.floors import counts_whole_file
from generator.across.ladders import rungs_of
from generator.across.levels import (
    Shown,
    highest,
    known_at,
    level_table,
    lowest,
    places_with,
    slope_ends,
    slope_is_told,
)
from generator.analysis.reasons import NO_LEVEL
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Ledger, LedgerGroup, LedgerLine, Paragraph, Table
from generator.told.quoting import level_value, series_value
from generator.told.sentence import LevelName, Sentence, SeriesName, say

COLUMNS = (
    Shown("itl_p50", same("ITL p50"), "ms"),
    Shown("decode_floor", Text(zh="下限", en="floor"), "ms"),
    Shown("floor_gap", Text(zh="高出下限", en="above it"), "ms"),
    Shown("floor_ratio", Text(zh="下限 ÷ 步长", en="floor ÷ step"), "%"),
    Shown(
        "throughput_floor_ratio", Text(zh="计入停顿与首个 token 的等待", en="with stalls and first-token waits"), "%"
    ),
)


@section(checks=("non_monotonic_throughput", "faster_than_the_floor", "speculation", "cuda_graphs"))
def batching(analysis: Analysis) -> Chapter:
    """Show the step against its floor, and what one more request in flight costs.

    Where no floor is known there is no table: the steps alone stand among the data.
    """
    groups = tuple(g for series in analysis.round.series if (g := _marginal(analysis, series)) is not None)
    blocks: list[Block] = [Paragraph(_intro()), FigureBlock("step_vs_floor")]
    ranges = [_without(analysis, series) or _range(analysis, series) for series in analysis.round.series]
    ranges += [_too_high(analysis, series) for series in analysis.round.series]
    blocks += [Paragraph(sentence) for sentence in ranges if sentence is not None]
    has_floor = bool(places_with(analysis, "decode_floor"))
    if has_floor:
        blocks.append(_table(analysis))
    blocks += [Paragraph(no_cost) for one in analysis.round.series if (no_cost := _no_cost(analysis, one)) is not None]
    if groups:
        caption = say(zh="每多一条在途请求的代价", en="What one more request in flight costs")
        blocks.append(Ledger("marginal", caption, groups))
    heading = say(zh="权重摊薄：步长比下限高多少", en="Batching: how far a step is above its floor")
    lacking = None if has_floor or groups else Text(zh="步长与下限", en="the step against its floor")
    return Chapter(heading, tuple(blocks), lacking)


def _intro() -> Sentence:
    return say(
        zh="一个解码步把权重读一遍，供全部在途请求共用。所以每多一条请求，步长只该多出读它的 KV 的时间。",
        en="A decode step reads the weights once for all requests in flight. Each extra request should add only the "
        "time to read its KV.",
    )


def _without(analysis: Analysis, series: Series) -> Sentence | None:
    """Return why a series has no floor at any level; None where it has one, or nothing to hold against it."""
    if not known_at(analysis, "itl_p50", series, series.levels):
        return None
    if known_at(analysis, "decode_floor", series, series.levels):
        return None
    return say(
        zh="{series} 的下限算不出来：{reason}。",
        en="The floor of {series} cannot be computed: {reason}.",
        series=SeriesName(series.id),
        reason=analysis.frame.of_level("decode_floor", series.id, series.levels[0].id).reason or NO_LEVEL,
    )


def _range(analysis: Analysis, series: Series) -> Sentence | None:
    known = known_at(analysis, "floor_ratio", series, rungs_of(analysis, series))
    if not known:
        return None
    worst, best = lowest(known), highest(known)
    if worst == best:
        return None
    return say(
        zh="在可用档位上，{series} 的下限是步长的 {low}（{worst}）到 {high}（{best}）。",
        en="Across usable levels, the floor of {series} is {low} ({worst}) to {high} ({best}) of its step.",
        series=SeriesName(series.id),
        low=level_value("floor_ratio", series.id, worst.id),
        high=level_value("floor_ratio", series.id, best.id),
        worst=LevelName(series.id, worst.id),
        best=LevelName(series.id, best.id),
    )


def _too_high(analysis: Analysis, series: Series) -> Sentence | None:
    """Say that the floors of a series lie above the true ones, where its weights are the size of a file."""
    if not (counts_whole_file(analysis, series) and known_at(analysis, "decode_floor", series, series.levels)):
        return None
    return say(
        zh="{series} 的权重按整个文件计，文件里有 decode 步不读的部分：它的下限偏高，下限 ÷ 步长也偏高。",
        en="The weights of {series} are those of the whole file, of which a decode step does not read all: its floors, "
        "and floor ÷ step, are too high.",
        series=SeriesName(series.id),
    )


def _table(analysis: Analysis) -> Table:
    caption = say(zh="每一档的步长与下限", en="Step and floor at every level")
    if places_with(analysis, "throughput_floor_ratio"):
        caption = say(
            zh="每一档的步长与下限；“计入停顿与首个 token 的等待”用并发 ÷ 输出吞吐作步长",
            en="Step and floor at every level; “with stalls and first-token waits” takes concurrency ÷ output throughput "
            "for the step",
        )
    return level_table(analysis, "steps-table", caption, COLUMNS, places_with(analysis, "itl_p50"))


def _no_cost(analysis: Analysis, series: Series) -> Sentence | None:
    """Say why no cost of one more request is printed; None where it is, or where there are no two steps to compare."""
    closed = [level for level in rungs_of(analysis, series) if level.rate is None]
    stepping = {level.load for _, level in known_at(analysis, "itl_p50", series, closed)}
    if len(stepping) < COMPARABLE or slope_is_told(analysis, series):
        return None
    reason = analysis.frame.of_series("marginal_step_cost", series.id).reason or SMALL_RUNS
    return say(
        zh="{s} 每多一条请求的代价说不出来：{reason}。",
        en="What one more request costs {s} cannot be told: {reason}.",
        s=SeriesName(series.id),
        reason=reason,
    )


COMPARABLE = 2
"""Concurrencies with a step that it takes to compare any."""
SMALL_RUNS = Text(zh="步长取自回答太少的单次测量", en="the steps are of single runs with few answers")


def _marginal(analysis: Analysis, series: Series) -> LedgerGroup | None:
    if not slope_is_told(analysis, series):
        return None
    keys = ("marginal_step_cost", "marginal_floor", "marginal_cost_over_floor")
    lines = tuple(LedgerLine(series_value(key, series.id), is_sum=key == keys[-1]) for key in keys)
    first, last = slope_ends(analysis, series)
    heading = say(
        zh="{series}，{first} 到 {last} 平均",
        en="{series}, on average from {first} to {last}",
        series=SeriesName(series.id),
        first=first,
        last=last,
    )
    return LedgerGroup(heading, lines)
