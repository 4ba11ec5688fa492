"""Did the server put requests off that it had begun? Each such request is worked out again, in part or as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import MEMORY
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import Sentence, SeriesName, say

MANY: Final = 0.10
"""Preemptions a request from which on they shape what is measured."""
COUNTED: Final = ("server_preemptions", "log_preemptions")
"""Where preemptions are counted: by the server's counters, or in its log."""

RESTARTS: Final = "server_restarts"


@check(
    theme=MEMORY,
    title=Text(zh="抢占", en="Preemptions"),
    question=Text(
        zh="服务端有没有因 KV 池写满而抢占已经开始的请求？",
        en="Did the server preempt requests that it had begun, for want of room in its KV pool?",
    ),
    rule=Text(
        zh="有抢占就说明；达到请求数的 {many} 以上就警告。",
        en="A note where there was any; a warning above {many} of the requests.",
    ).format(many=f"{MANY:.0%}"),
    stage="conclusions",
)
def preemptions(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose server counts them."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, *COUNTED)
    hit = [spot for spot in spots if _count(analysis, spot)]
    many = [spot for spot in hit if (_share(analysis, spot) or 0.0) > MANY]
    lost = [spot for spot in watched.spots_of(analysis, series, RESTARTS) if _is_lost(analysis, spot)]
    found = [_lost(lost)] if lost else []
    if many:
        return [*found, _many(analysis, many)]
    return [*found, *([_some(analysis, hit)] if hit else [_none(analysis, spots)] if spots else [])]


def _is_lost(analysis: Analysis, spot: Spot) -> bool:
    """Say whether the server was started anew between two counts, so that they tell nothing."""
    is_counted = any(amount_at(analysis, spot, one) is not None for one in COUNTED)
    return not is_counted and bool(amount_at(analysis, spot, RESTARTS))


def _lost(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="preemptions",
        status="unknown",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, RESTARTS),
        message=say(
            zh="{series} 的服务端在{where}重启过，计数器被清零：抢占次数未知（重启）。",
            en="The server of {series} was restarted {where}, which set its counters back: its preemptions are unknown (restart).",
            series=SeriesName(spots[0].series.id),
            where=watched.where(spots),
        ),
        remedy=say(
            zh="查明服务端为何重启，再测一遍；在重启之后、运行之前重新保存 /metrics。",
            en="Find out why the server was restarted and measure again; save /metrics anew after a restart and before the run.",
        ),
    )


def _metric(analysis: Analysis, spot: Spot) -> str:
    return next((one for one in COUNTED if amount_at(analysis, spot, one) is not None), COUNTED[0])


def _count(analysis: Analysis, spot: Spot) -> float:
    return amount_at(analysis, spot, _metric(analysis, spot)) or 0.0


def _share(analysis: Analysis, spot: Spot) -> float | None:
    """Return preemptions a request, also where the log counted them."""
    share = amount_at(analysis, spot, "server_preemption_share")
    if share is not None or spot.level is None:
        return share
    requests = amount_at(analysis, spot, "requests")
    return _count(analysis, spot) / requests if requests else None


def _many(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    series = spots[0].series
    return Finding(
        check="preemptions",
        status="warn",
        series=series.id,
        levels=watched.levels_of(spots),
        evidence=tuple(spot.at(_metric(analysis, spot)) for spot in spots),
        looks="worse",
        message=_told(analysis, spots),
        bias=say(
            zh="偏向不利于 {series}：被抢占的请求要重算，ITL 的尾部与吞吐都更差；KV 池够大时不会这样。",
            en="It speaks against {series}: what is preempted is worked out again, which costs throughput and the tail of ITL; with "
            "a KV pool that is large enough it would not be.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="加大 KV 池或降低同时处理的请求数，再测一遍；或者就以这个容量作结论，并写明。",
            en="Enlarge the KV pool or let fewer requests run at once and measure again; or conclude on this capacity, and say so.",
        ),
    )


def _some(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="preemptions",
        status="note",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=tuple(spot.at(_metric(analysis, spot)) for spot in spots),
        message=_told(analysis, spots),
    )


def _told(analysis: Analysis, spots: Sequence[Spot]) -> Sentence:
    worst = max(spots, key=lambda spot: _count(analysis, spot))
    told = say(
        zh="{series} 的服务端在{where}抢占过请求：{count}。",
        en="The server of {series} preempted requests {where}: {count}.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        count=watched.of_worst(spots, worst, say(zh="{n} 次", en="{n} times", n=worst.value(_metric(analysis, worst)))),
    )
    further = []
    if amount_at(analysis, worst, "server_preemption_share") is not None:
        share = worst.value("server_preemption_share")
        further.append(say(zh="合请求数的 {share}。", en="That is {share} of the requests.", share=share))
    if amount_at(analysis, worst, "engine_kv_usage_max") is not None:
        usage = worst.value("engine_kv_usage_max")
        further.append(say(zh="KV 池最满时用到 {usage}。", en="The KV pool was filled to {usage}.", usage=usage))
    if amount_at(analysis, worst, RESTARTS):
        further.append(
            say(
                zh="计数器中途被重启清零过，实际次数只会更多。",
                en="The counters were set back by a restart on the way, so there may have been more.",
            )
        )
    return passage(told, *further)


def _none(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="preemptions",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=tuple(spot.at(_metric(analysis, spot)) for spot in spots),
        message=say(
            zh="凡是有计数的地方，{series} 的服务端没有抢占过请求。",
            en="Wherever it was counted, the server of {series} preempted no request.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="preemptions",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有服务端的抢占计数，没有可检查的。",
            en="No server's count of preemptions is on record, so there is none to examine.",
        ),
    )
