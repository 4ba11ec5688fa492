"""Did the server cut prompts or answers because the context had no more room? A cut request is less work than was asked."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across import watched
from generator.across.levels import number_at
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import TOKENS
from generator.told.findings import Finding
from generator.told.quoting import series_value
from generator.told.sentence import Sentence, SeriesName, say
from generator.values import Address

CUT = "log_truncated"
HELD = "log_slot_tokens_most"
CONTEXT = "log_slot_context_of_series"


@check(
    theme=TOKENS,
    title=Text(zh="被截断的请求", en="Truncated requests"),
    question=Text(
        zh="服务端有没有因为上下文放不下而截断输入或回答？",
        en="Did the server cut prompts or answers for want of room in the context?",
    ),
    rule=Text(
        zh="看服务端日志：有请求被截断，或请求结束时槽位正好装满它的上下文，就警告。",
        en="By the server's log: a warning where requests were truncated, or where one ended with its slot's context full.",
    ),
    stage="conclusions",
)
def truncated_requests(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose log tells."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    cut = [spot for spot in watched.spots_of(analysis, series, CUT) if amount_at(analysis, spot, CUT)]
    if cut:
        return [_found(series, cut, watched.evidence(cut, CUT), _cut(analysis, series, cut))]
    full = [spot for spot in watched.spots_of(analysis, series, HELD) if _is_full(analysis, spot)]
    if full:
        evidence = (*watched.evidence(full, HELD), Address(CONTEXT, "series", series.id))
        return [_found(series, full, evidence, _full(series, full))]
    spots = watched.spots_of(analysis, series, CUT)
    return [_none(series, spots)] if spots else []


def _is_full(analysis: Analysis, spot: Spot) -> bool:
    """Say whether a slot held its whole context; the last token of an answer is not stored."""
    context = number_at(analysis, Address(CONTEXT, "series", spot.series.id))
    held = amount_at(analysis, spot, HELD)
    return context is not None and held is not None and held >= context - 1


def _cut(analysis: Analysis, series: Series, spots: Sequence[Spot]) -> Sentence:
    worst = watched.most(analysis, spots, CUT)
    return say(
        zh="{series} 的服务端在{where}截断了请求：{count}。它们的输入或回答比要求的短。",
        en="The server of {series} truncated requests {where}: {count}. Their prompts or answers are shorter than requested.",
        series=SeriesName(series.id),
        where=watched.where(spots),
        count=watched.of_worst(spots, worst, say(zh="{n} 条", en="{n} of them", n=worst.value(CUT))),
    )


def _full(series: Series, spots: Sequence[Spot]) -> Sentence:
    return say(
        zh="{series} 在{where}有请求结束时装满了槽位：{held}，而一个槽位的上下文是 {context}。回答是被掐断的，不是自己结束的。",
        en="Requests to {series} ended with their slot full {where}: {held} of the {context} that a slot has. Their answers were "
        "cut, and did not end by themselves.",
        series=SeriesName(series.id),
        where=watched.where(spots),
        held=spots[0].value(HELD),
        context=series_value(CONTEXT, series.id),
    )


def _found(series: Series, spots: Sequence[Spot], evidence: tuple[Address, ...], message: Sentence) -> Finding:
    return Finding(
        check="truncated_requests",
        status="warn",
        series=series.id,
        levels=watched.levels_of(spots),
        evidence=evidence,
        looks="better",
        message=message,
        bias=say(
            zh="偏向 {series}：被截断的请求做的工作更少，时延更短，每秒完成的请求更多。",
            en="It flatters {series}: a truncated request is less work, so its latency is shorter and more of them end each second.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="加大上下文（llama-server：-c 是全部槽位合计的，除以 -np 才是一条请求的），或缩短请求，再测一遍。",
            en="Enlarge the context (llama-server: -c is for all slots together, and divided by -np what a request has) or shorten "
            "the requests, and measure again.",
        ),
    )


def _none(series: Series, spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="truncated_requests",
        status="pass",
        series=series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, CUT),
        message=say(
            zh="凡是有日志的地方，{series} 的服务端没有截断过请求。",
            en="Wherever there is a log, the server of {series} truncated no request.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有能看出截断的服务端日志，不适用。",
        en="No server's log would mention truncation: not applicable.",
    )
    return Finding("truncated_requests", "pass", message, is_empty=True)
