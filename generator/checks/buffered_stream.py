"""Is the first token the last chunk? A stream that something held back has no TTFT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, at_levels, has_requests, known_addresses, level_names, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.sentence import Listing, Quantity, SeriesName, say
from generator.values import Address

MOST: Final = 0.5
"""Share of the answers of several tokens that came all at once, above which the stream is none."""
LAST_CHUNK: Final = 0.99
"""TTFT ÷ E2EL above which the first token came with the last chunk."""
DOUBTED: Final = ("ttft", "tpot", "itl")


@check(
    theme=LATENCY,
    title=Text(zh="流式输出是否被攒到一起", en="Buffered streams"),
    question=Text(
        zh="首个 token 是不是与最后一个 chunk 同时到达？", en="Did the first token come with the last chunk?"
    ),
    rule=Text(
        zh="不止一个 token 的回答里，TTFT 超过 E2EL 的 {last} 的占一半以上就警告；没有逐条请求时比较两者的中位数。",
        en="A warning where most answers of several tokens have a TTFT above {last} of their E2EL; without single requests their medians are compared.",
    ).format(last=f"{LAST_CHUNK:.0%}"),
)
def buffered_stream(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    known = {series: levels for series in analysis.round.series if (levels := _streamed(analysis, series))}
    return [_examine(analysis, series, levels) for series, levels in known.items()] or [_nothing()]


def _streamed(analysis: Analysis, series: Series) -> list[Level]:
    return [level for level in series.levels if _share(analysis, series, level) is not None]


def _share(analysis: Analysis, series: Series, level: Level) -> float | None:
    """Return the share of answers that came all at once; without single requests 0 or 1, by the medians."""
    place = (series, level)
    if has_requests(analysis, place):
        return number_at(analysis, at_level("all_at_once_share", series, level))
    tokens, share = amount(analysis, "output_tokens_mean", place), amount(analysis, "ttft_share", place)
    return None if share is None or tokens is None or tokens <= 1 else float(share > LAST_CHUNK)


def _examine(analysis: Analysis, series: Series, known: list[Level]) -> Finding:
    held = [level for level in known if (_share(analysis, series, level) or 0.0) > MOST]
    return _held(analysis, series, held) if held else _flows(series, known)


def _held(analysis: Analysis, series: Series, levels: list[Level]) -> Finding:
    keys = [f"{quantity}_{s}" for quantity in DOUBTED for s in ("mean", "p50", "p90", "p95", "p99")]
    statistics = [at_level(key, series, level) for level in levels for key in keys]
    return Finding(
        check="buffered_stream",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=_evidence(series, levels),
        doubts=known_addresses(analysis, statistics),
        message=say(
            zh="{series} 在 {levels} 的首个 token 与最后一个 chunk 同时到达：TTFT p50 是 {ttft}，E2EL p50 是 {e2el}。"
            "TTFT 其实是最后一个 chunk 的时刻，TPOT 与 ITL 也就没有意义。",
            en="At {levels} the first token of {series} came with the last chunk: the TTFT p50 is {ttft}, the E2EL p50 {e2el}. "
            "What is called TTFT is the time of the last chunk, and TPOT and ITL mean nothing.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            ttft=_each("ttft_p50", series, levels),
            e2el=_each("e2el_p50", series, levels),
        ),
        bias=say(
            zh="{series} 的 TTFT 显得更差，TPOT 与 ITL 显得更好。",
            en="The TTFT of {series} looks worse than it is, its TPOT and ITL better.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="打开流式返回，关掉代理的缓冲；否则只报告 E2EL 与吞吐。",
            en="Switch streaming on and the buffering of proxies off; otherwise report E2EL and throughput alone.",
        ),
    )


def _each(key: str, series: Series, levels: list[Level]) -> Listing:
    return Listing(tuple(Quantity(at_level(key, series, level)) for level in levels))


def _evidence(series: Series, levels: list[Level]) -> tuple[Address, ...]:
    return at_levels(series, levels, "ttft_share")


def _flows(series: Series, known: list[Level]) -> Finding:
    return Finding(
        check="buffered_stream",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level in known),
        evidence=_evidence(series, known),
        message=say(
            zh="{series} 的首个 token 早于最后一个 chunk。",
            en="The first token of {series} comes before the last chunk.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪一档同时记录了 TTFT、E2EL 与不止一个的输出 token，无从判断。回答若不是流式返回，TTFT 就没有测到。",
        en="No level has TTFT, E2EL and several output tokens on record, so it cannot be told. Where answers are not streamed, TTFT "
        "is not measured.",
    )
    return Finding("buffered_stream", "pass", message, is_empty=True)
