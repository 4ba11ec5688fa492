"""Distributions: what stands behind the percentiles, request by request, and how far trials differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from generator.across.levels import (
    PLACE_HEADINGS,
    Place,
    Shown,
    all_places,
    amount,
    at_level,
    has_requests,
    level_table,
    place_row,
)
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Heading, Paragraph, Row, Subheading, Table
from generator.told.quoting import level_value, passage
from generator.told.sentence import Count, LevelName, Part, Quantity, Sentence, SeriesName, say
from generator.values import Value

Tell = Callable[[Analysis, Series, Level], Sentence | None]
"""Says something of a series at a level; None where it is not known."""

SIZES: Final = (
    Shown("requests", Text(zh="发出", en="sent")),
    Shown("failed", Text(zh="失败", en="failed")),
    Shown("ttft_samples", same("TTFT")),
    Shown("itl_samples", same("ITL")),
    Shown("e2el_samples", same("E2EL")),
)
REPEATED: Final = (
    Shown("itl_p50", same("ITL p50"), "ms"),
    Shown("ttft_p50", same("TTFT p50"), "ms"),
    Shown("output_throughput", Text(zh="输出吞吐", en="output throughput"), "tok/s"),
)


@section(
    checks=(
        "tail_percentiles",
        "steady_window",
        "silent_gaps",
        "late_cluster",
        "queue_dominated",
        "buffered_stream",
        "answers_without_token",
        "mixed_trials",
        "cold_trials",
    ),
)
def distributions(analysis: Analysis) -> Chapter | None:
    """Show the distributions of the latencies, the requests over time, and how far trials differ."""
    heading = say(zh="分布：分位数背后的逐条请求", en="Distributions: the requests behind the percentiles")
    if not analysis.round.requests:
        told = analysis.round.prose_of("distributions", "en") is not None
        return Chapter(heading, ()) if told else None
    blocks: list[Block] = [Paragraph(_intro()), FigureBlock("ttft_ecdf")]
    blocks += [Paragraph(sentence) for sentence in _about(analysis, _waits)]
    blocks.append(FigureBlock("itl_ecdf"))
    blocks += [Paragraph(sentence) for sentence in _about(analysis, _gaps)]
    blocks += [FigureBlock("e2el_ecdf"), _sizes(analysis), Subheading("over-time", OVER_TIME), Paragraph(_waves())]
    blocks += [FigureBlock("requests_over_time"), *_trials(analysis)]
    return Chapter(heading, tuple(blocks))


OVER_TIME: Final = say(zh="逐条请求随时间", en="Requests over time")


def _intro() -> Sentence:
    return say(
        zh="分位数只是分布上的一个点。曲线陡，各请求时延相近；右端拖得越长，少数请求等得越久；中间出现台阶，"
        "说明请求分成了几群，例如赶上空槽位的与排队的。",
        en="A percentile is one point of a distribution. Where a curve is steep, all requests take about as long; "
        "the longer its right end, the longer a few wait; a step in the middle means that there are several kinds of "
        "requests: those that met a free slot, say, and those that queued.",
    )


def _about(analysis: Analysis, tell: Tell) -> Iterator[Sentence]:
    """Tell of each series at its highest usable level whose requests are known."""
    for series in analysis.round.series:
        known = [level for level in analysis.usable(series.id) if has_requests(analysis, (series, level))]
        sentence = tell(analysis, series, known[-1]) if known else None
        if sentence is not None:
            yield sentence


def _waits(analysis: Analysis, series: Series, level: Level) -> Sentence | None:
    if amount(analysis, "ttft_p99_over_p50", (series, level)) is None:
        return None
    numbers = {"ratio": "ttft_p99_over_p50", "p50": "ttft_p50", "p99": "ttft_p99"}
    if not amount(analysis, "slow_first_tokens", (series, level)):
        return _quote(NOBODY_SLOW, series, level, **numbers)
    return _quote(WAITS, series, level, **numbers, f="slow_first_tokens")


def _gaps(analysis: Analysis, series: Series, level: Level) -> Sentence | None:
    if amount(analysis, "itl_p99_over_p50", (series, level)) is None:
        return None
    return _quote(GAPS, series, level, ratio="itl_p99_over_p50", p50="itl_p50", p99="itl_p99")


def _quote(text: Text, series: Series, level: Level, **metrics: str) -> Sentence:
    named: dict[str, Part] = {"s": SeriesName(series.id), "l": LevelName(series.id, level.id)}
    return Sentence(text, {**named, **{key: level_value(one, series.id, level.id) for key, one in metrics.items()}})


WAITS: Final = Text(
    zh="{s} 在 {l} 的 TTFT：p99 是 {p99}，为中位数 {p50} 的 {ratio}；等待超过中位数两倍的回答占 {f}。",
    en="TTFT of {s} at {l}: the p99 of {p99} is {ratio} the median of {p50}; {f} of the answers waited for more than twice "
    "the median.",
)
NOBODY_SLOW: Final = Text(
    zh="{s} 在 {l} 的 TTFT：p99 是 {p99}，为中位数 {p50} 的 {ratio}；没有一条回答等待超过中位数两倍。",
    en="TTFT of {s} at {l}: the p99 of {p99} is {ratio} the median of {p50}; no answer waited for more than twice the "
    "median.",
)
GAPS: Final = Text(
    zh="{s} 在 {l} 的 ITL：p99 是 {p99}，为中位数 {p50} 的 {ratio}。",
    en="ITL of {s} at {l}: the p99 of {p99} is {ratio} the median of {p50}.",
)


def _sizes(analysis: Analysis) -> Table:
    places = [place for place in all_places(analysis) if has_requests(analysis, place)]
    caption = say(zh="各分布有多少样本", en="How many samples each distribution has")
    if any(level.trials > 1 for _, level in places):
        caption = say(
            zh="各分布有多少样本；测过几次的档位取各次的中位数",
            en="How many samples each distribution has; of a level with several trials, their median",
        )
    return level_table(analysis, "sample-sizes", caption, SIZES, places)


def _waves() -> Sentence:
    return say(
        zh="起初的请求赶上空槽位，收尾阶段并发已降；中间若有竖直的空档，就是停顿；成排的点是整批进出。",
        en="The first requests meet free slots, the last ones run at falling concurrency; a vertical gap in between "
        "is a stall, and points in rows are batches that come and go together.",
    )


def _trials(analysis: Analysis) -> list[Block]:
    """Return what several trials say; nothing where no level has more than one."""
    repeated = [place for place in all_places(analysis) if place[1].trials > 1]
    shown = [place for place in repeated if any(amount(analysis, one.metric, place) is not None for one in REPEATED)]
    if not shown:
        return []
    return [
        Subheading("trials", say(zh="重复测量", en="Trials")),
        Paragraph(_about_trials()),
        _spread(analysis, shown),
    ]


def _about_trials() -> Sentence:
    return passage(
        say(
            zh="一档测了几次，就取各次测量的中位数；请求不跨次合并，否则时间长的一次会压过别的。",
            en="Of a level with several trials the report takes their median. Their requests are not pooled: a long "
            "trial would outvote the others.",
        ),
        say(
            zh="两个系列之差若小于各次测量之间的差，就说明不了什么。",
            en="A difference between two series that is smaller than the one between trials says nothing.",
        ),
    )


def _spread(analysis: Analysis, places: list[Place]) -> Table:
    headings = [*PLACE_HEADINGS, Heading(say(zh="次数", en="trials"))]
    for one in REPEATED:
        headings.append(Heading(say(zh="{m} 中位数", en="{m}, median", m=one.label), one.unit))
        headings.append(Heading(say(zh="最低 – 最高", en="low – high"), one.unit, is_text=True))
    rows = tuple(_spread_row(analysis, place) for place in places)
    return Table("trials-table", say(zh="各次测量之间的差别", en="How far trials differ"), tuple(headings), rows)


def _spread_row(analysis: Analysis, place: Place) -> Row:
    cells: list[Part] = [Count(place[1].trials)]
    for one in REPEATED:
        cells += [one.cell(*place), _range(analysis, one, place)]
    return place_row(analysis, place, *cells)


def _range(analysis: Analysis, shown: Shown, place: Place) -> Part:
    """Return the trials with the smallest and the largest number, as a range."""
    series, level = place
    addresses = [at_level(shown.metric, series, level, trial) for trial in level.runs]
    known = sorted(analysis.frame.known(addresses), key=_number)
    if not known:
        return same("—")
    low, high = (Quantity(value.address, unit=shown.unit, bare=True) for value in (known[0], known[-1]))
    return say("{low} – {high}", "{low} – {high}", low=low, high=high)


def _number(value: Value) -> float:
    return value.value if value.value is not None else 0.0
