"""Batching: how far the decode step stays from its floor as the load grows."""

from __future__ import annotations

from generator.blocks import Block, FigureBlock, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Series
from generator.quoting import level_value, series_value
from generator.sentence import LevelName, Sentence, SeriesName, say


@section(order=70)
def batching(analysis: Analysis) -> Chapter:
    """Show the step against its floor, and what one more request in flight costs."""
    groups = tuple(g for series in analysis.round.series if (g := _marginal(analysis, series)) is not None)
    blocks: list[Block] = [Paragraph(_intro()), FigureBlock("step_vs_floor")]
    ranges = [_range(analysis, series) for series in analysis.round.series]
    blocks += [Paragraph(sentence) for sentence in ranges if sentence is not None]
    if groups:
        caption = say(zh="每多一条在途请求的代价", en="What one more request in flight costs")
        blocks.append(Ledger("marginal", caption, groups))
    return Chapter(say(zh="摊薄：步长离地板有多远", en="Batching: how far a step is from its floor"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="一个解码步把权重读一遍，供全部在途请求共用。所以在途请求增加时，步长只该多出读新增 KV 的时间。",
        en="A decode step reads the weights once for all requests in flight. With more of them it should take longer only "
        "by the time to read their KV.",
    )


def _range(analysis: Analysis, series: Series) -> Sentence | None:
    known = [
        (value.value, level)
        for level in analysis.usable(series.id)
        if (value := analysis.frame.of_level("floor_ratio", series.id, level.id)).value is not None
    ]
    if not known:
        return None
    worst = min(known, key=lambda row: row[0] or 0.0)[1]
    best = max(known, key=lambda row: row[0] or 0.0)[1]
    if worst == best:
        return None
    return say(
        zh="{series} 在可用档位上达到地板的 {low}（{worst}）到 {high}（{best}）。",
        en="Over its usable levels {series} reaches between {low} ({worst}) and {high} ({best}) of its floor.",
        series=SeriesName(series.id),
        low=level_value("floor_ratio", series.id, worst.id),
        high=level_value("floor_ratio", series.id, best.id),
        worst=LevelName(series.id, worst.id),
        best=LevelName(series.id, best.id),
    )


def _marginal(analysis: Analysis, series: Series) -> LedgerGroup | None:
    if analysis.frame.of_series("marginal_step_cost", series.id).value is None:
        return None
    keys = ("marginal_step_cost", "marginal_floor", "marginal_cost_over_floor")
    lines = tuple(LedgerLine(series_value(key, series.id), is_sum=key == keys[-1]) for key in keys)
    return LedgerGroup(say(zh="{series}", en="{series}", series=SeriesName(series.id)), lines)
