"""Throughput over the load: where the curves cross, and both series side by side."""

from __future__ import annotations

from generator.across.levels import IN_PARENTHESES, in_row, row_name
from generator.frame import Analysis
from generator.model import Level, Series
from generator.pairs import first_bracket, no_winner, rests_on_unequal
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Heading, Paragraph, Row, Table
from generator.told.quoting import crossing_of, level_value, pair_level_value, pair_value, passage
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

SIDE_BY_SIDE = (("output_throughput", "tok/s"), ("itl_p50", "ms"), ("ttft_p50", "ms"))


@section(
    checks=(
        "non_monotonic_throughput",
        "output_tokens",
        "produced_output",
        "token_accounting",
        "retokenized_output",
        "failed_requests",
        "lost_requests",
        "engine_errors",
        "reasoning_in_output",
        "rate_reached",
        "past_saturation",
        "curve_gaps",
    ),
)
def crossover(analysis: Analysis) -> Chapter:
    """Show the throughput curves; for each pair, the crossover and the table."""
    pairs = [block for compared in analysis.round.compared for block in _pair(analysis, compared)]
    lacking = None if pairs else Text(zh="吞吐曲线", en="throughput curve")
    return Chapter(_heading(analysis), (FigureBlock("throughput"), *pairs), lacking)


def _heading(analysis: Analysis) -> Sentence:
    crossed = [
        series
        for series in analysis.round.compared
        if analysis.frame.of_pair("crossover_concurrency", series.id).value is not None
        and not rests_on_unequal(analysis, series.id)
    ]
    if not crossed or len(analysis.round.compared) > 1:
        return say(zh="吞吐随负载的变化", en="Throughput versus load")
    return say(
        zh="交叉：吞吐曲线在 C ≈ {c} 相交",
        en="Crossover: the throughput curves meet at C ≈ {c}",
        c=crossing_of("crossover_concurrency", crossed[0].id),
    )


def _pair(analysis: Analysis, compared: Series) -> list[Block]:
    baseline = analysis.round.baseline
    if baseline is None:
        return []
    table = _table(analysis, baseline, compared)
    text = _crossing(analysis, baseline, compared)
    alone = _alone(analysis, baseline, compared)
    return [
        *([Paragraph(text)] if text else []),
        *([table] if table.rows else []),
        *([Paragraph(alone, "note")] if alone else []),
    ]


def _alone(analysis: Analysis, baseline: Series, compared: Series) -> Sentence | None:
    """Name the levels that the table leaves out, since one of the pair has them alone."""
    shared = {level.id for level in analysis.shared(compared.id)}
    told = tuple(
        say(zh="{s} 的 {levels}", en="{levels} of {s}", s=SeriesName(series.id), levels=Listing(names))
        for series in (baseline, compared)
        if (names := tuple(LevelName(series.id, level.id) for level in series.levels if level.id not in shared))
    )
    if not told:
        return None
    return say(
        zh="只有一边测过、没有对照的档位：{told}。",
        en="Levels that only one of the two has, with nothing to compare them with: {told}.",
        told=Listing(told),
    )


def _crossing(analysis: Analysis, baseline: Series, compared: Series) -> Sentence | None:
    """Say where the lead changes hands, unless that rests on unequal work, and where no winner is named."""
    crossed = None if rests_on_unequal(analysis, compared.id) else _bracket(analysis, baseline, compared)
    told = [one for one in (crossed, no_winner(analysis, compared.id)) if one is not None]
    return passage(*told) if told else None


def _bracket(analysis: Analysis, baseline: Series, compared: Series) -> Sentence | None:
    crossing = analysis.frame.of_pair("crossover_concurrency", compared.id)
    if crossing.value is None:
        return _bracket_by_load(analysis, baseline, compared)
    low, high = (i.address.level or "" for i in crossing.inputs if i.name == "throughput_ratio")
    bracket = say(
        zh="{series} 的吞吐在 {low} 是 {baseline} 的 {a}，在 {high} 是 {b}；在两档之间按 log–log 直线插值，两者在 C ≈ {c} 持平。",
        en="{series} delivers {a} what {baseline} does at {low} and {b} at {high}; linearly interpolated on log–log "
        "axes, they tie at C ≈ {c}.",
        series=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        low=LevelName(compared.id, low),
        high=LevelName(compared.id, high),
        a=pair_level_value("throughput_ratio", compared.id, low, decimals=3),
        b=pair_level_value("throughput_ratio", compared.id, high, decimals=3),
        c=crossing_of("crossover_concurrency", compared.id),
    )
    return passage(bracket, *_other_crossings(analysis, compared))


def _bracket_by_load(analysis: Analysis, baseline: Series, compared: Series) -> Sentence | None:
    """Name the levels between which the lead changes hands where no concurrency can be interpolated."""
    bracket = first_bracket(analysis, compared.id)
    if bracket is None:
        return None
    low, high = bracket
    crossed = say(
        zh="{series} 的吞吐在 {low} 是 {baseline} 的 {a}，在 {high} 是 {b}：领先者在这两档之间更替。",
        en="{series} delivers {a} what {baseline} does at {low} and {b} at {high}: the lead changes between these "
        "levels.",
        series=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        low=LevelName(compared.id, low.id),
        high=LevelName(compared.id, high.id),
        a=pair_level_value("throughput_ratio", compared.id, low.id, decimals=3),
        b=pair_level_value("throughput_ratio", compared.id, high.id, decimals=3),
    )
    return passage(crossed, *_other_crossings(analysis, compared))


def _other_crossings(analysis: Analysis, compared: Series) -> list[Sentence]:
    """Say where other curves of the pair cross, of those that do."""
    told = [
        Sentence(text, {"c": crossing_of(key, compared.id)})
        for key, text in OTHERS.items()
        if analysis.frame.of_pair(key, compared.id).value is not None
    ]
    times = pair_value("crossover_count", compared.id)
    if (analysis.frame.of_pair("crossover_count", compared.id).value or 0.0) > 1:
        told.insert(0, Sentence(AGAIN, {"times": times}))
    return told


OTHERS = {
    "crossover_concurrency_equal_tokens": Text(
        zh="把两边折算到要求的输出长度，交叉点在 C ≈ {c}。",
        en="With both scaled to the requested output length, they tie at C ≈ {c}.",
    ),
    "crossover_concurrency_itl_p50": Text(
        zh="两条 ITL p50 曲线在 C ≈ {c} 相交。", en="The ITL p50 curves meet at C ≈ {c}."
    ),
}
AGAIN = Text(zh="它们共交叉 {times} 次，这里说的是第一次。", en="They cross {times} times; this is the first.")


def _table(analysis: Analysis, baseline: Series, compared: Series) -> Table:
    sides = (SeriesName(baseline.id), SeriesName(compared.id))
    headings = [Heading(say(analysis.round.load_label.zh, analysis.round.load_label.en))]
    for metric, unit in SIDE_BY_SIDE:
        name = NAMES[metric]
        headings += [Heading(say("{s} " + name.zh, "{s} " + name.en, s=side), unit) for side in sides]
    headings.insert(3, Heading(say(zh="倍数", en="ratio"), "×"))
    return Table(
        key=f"head-to-head-{compared.id}",
        caption=_caption(analysis, baseline, compared),
        headings=tuple(headings),
        rows=tuple(_row(analysis, baseline, compared, level) for level in analysis.shared(compared.id)),
    )


def _caption(analysis: Analysis, baseline: Series, compared: Series) -> Sentence:
    caption = say(
        zh="逐档对照。倍数是 {compared} ÷ {baseline}，大于一表示前者吞吐更高。",
        en="Level by level. The ratio is {compared} ÷ {baseline}: above one, the former delivers more.",
        compared=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
    )
    levels = [(side.id, level.id) for side in (baseline, compared) for level in analysis.shared(compared.id)]
    return passage(caption, IN_PARENTHESES) if any(one in analysis.spoilt for one in levels) else caption


NAMES = {
    "output_throughput": Text(zh="输出吞吐", en="output"),
    "itl_p50": same("ITL p50"),
    "ttft_p50": same("TTFT p50"),
}


def _row(analysis: Analysis, baseline: Series, compared: Series, level: Level) -> Row:
    sides = (baseline, compared)
    cells: list[Part] = [row_name(analysis, [(side, level) for side in sides])]
    for metric, _ in SIDE_BY_SIDE:
        cells += [in_row(analysis, level_value(metric, side.id, level.id, bare=True)) for side in sides]
    cells.insert(3, _ratio(analysis, sides, level))
    spoilt = [analysis.spoilt.get((side.id, level.id)) for side in sides]
    return Row(tuple(cells), spoilt[0].message if spoilt[0] and spoilt[1] else None)


def _ratio(analysis: Analysis, sides: tuple[Series, Series], level: Level) -> Part:
    """Return the ratio at a level; in parentheses where a side is excluded, as nothing rests on it then."""
    ratio = pair_level_value("throughput_ratio", sides[1].id, level.id, bare=True)
    if not any((side.id, level.id) in analysis.spoilt for side in sides):
        return ratio
    return say(zh="（{n}）", en="({n})", n=ratio)
