"""Did requests wait in the server before they were computed? Then TTFT is the time of a queue, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.levels import known_addresses
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import SATURATION
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import Sentence, SeriesName, say
from generator.values import Address

THROUGHOUT: Final = 0.5
"""Share of the lines of statistics from which on the queue is no moment of the start."""
SHARE: Final = "log_waiting_share"
MOST: Final = "log_waiting_most"
RUNNING: Final = "log_running_most"
LATENCIES: Final = ("ttft_p50", "ttft_p99")


@check(
    theme=SATURATION,
    title=Text(zh="服务端排队", en="Requests waiting in the server"),
    question=Text(
        zh="请求到了服务端以后，有没有一直排着队？",
        en="Did requests that had reached the server stand in a queue throughout?",
    ),
    rule=Text(
        zh="看服务端日志的统计行：超过 {share} 的行里有请求排队就警告，TTFT 里含排队；更少的只提示。",
        en="By the lines of statistics in the server's log: a warning where requests wait in more than {share} of them, for TTFT includes queueing then; fewer are a note.",
    ).format(share=f"{THROUGHOUT:.0%}"),
    stage="conclusions",
)
def waiting_requests(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose log has lines of statistics."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, SHARE)
    shares = {spot: amount_at(analysis, spot, SHARE) or 0.0 for spot in spots}
    throughout = [spot for spot in spots if shares[spot] > THROUGHOUT]
    now_and_then = [spot for spot in spots if 0 < shares[spot] <= THROUGHOUT]
    found = [_throughout(analysis, throughout)] if throughout else []
    found += [_now_and_then(analysis, now_and_then)] if now_and_then else []
    return found or ([_none(spots)] if spots else [])


def _told(analysis: Analysis, spots: Sequence[Spot]) -> Sentence:
    worst = watched.most(analysis, spots, SHARE)
    share = say(zh="{share} 的统计行记录了排队", en="in {share} of the lines", share=worst.value(SHARE))
    told = say(
        zh="{series} 的服务端在{where}有请求排队：{share}。",
        en="Requests waited in the server of {series} {where}: {share}.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        share=watched.of_worst(spots, worst, share),
    )
    if amount_at(analysis, worst, MOST) is None or amount_at(analysis, worst, RUNNING) is None:
        return told
    numbers = say(
        zh="最多有 {waiting} 条在等，{running} 条在算。",
        en="At most {waiting} were waiting and {running} running.",
        waiting=worst.value(MOST),
        running=worst.value(RUNNING),
    )
    return passage(told, numbers)


def _throughout(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    name = SeriesName(spots[0].series.id)
    return Finding(
        check="waiting_requests",
        status="warn",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, SHARE),
        doubts=_latencies(analysis, spots),
        looks="worse",
        message=passage(_told(analysis, spots), say(zh="TTFT 里含排队的时间。", en="TTFT includes queueing.")),
        bias=say(
            zh="{series} 的 TTFT 显得更差：其中有排队，不只是 prefill。",
            en="The TTFT of {series} looks worse: it is the time of a queue, and not of prefill alone.",
            series=name,
        ),
        remedy=say(
            zh="比较 prefill 时用不排队的档位；要减少排队，降低负载，或放宽同时处理的请求数与每步的 token 数（vLLM：--max-num-seqs、--max-num-batched-tokens；SGLang：--max-running-requests）。",
            en="Compare prefill at levels without a queue; to shorten it, lower the load or let more requests run at once (vLLM: "
            "--max-num-seqs, --max-num-batched-tokens; SGLang: --max-running-requests).",
        ),
    )


def _latencies(analysis: Analysis, spots: Sequence[Spot]) -> tuple[Address, ...]:
    addresses = [spot.at(key) for spot in spots if spot.level is not None for key in LATENCIES]
    return known_addresses(analysis, addresses)


def _now_and_then(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="waiting_requests",
        status="note",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, SHARE),
        message=_told(analysis, spots),
    )


def _none(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="waiting_requests",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, SHARE),
        message=say(
            zh="凡是日志有统计行的地方，{series} 的服务端没有请求排队。",
            en="Wherever its log has lines of statistics, no request waited in the server of {series}.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有带统计行的服务端日志，没有可检查的。",
        en="No server's log has lines of statistics, so there is none to examine.",
    )
    return Finding("waiting_requests", "pass", message, is_empty=True)
