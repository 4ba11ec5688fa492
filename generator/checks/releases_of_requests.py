"""Did every request that took a slot give it back? One that did not was lost inside the server."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across import watched
from generator.across.levels import number_at
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import SERVER
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say

TAKEN = "logged_requests"
RELEASED = "log_releases"
CANCELLED = "log_cancelled"


@check(
    theme=SERVER,
    title=Text(zh="受理与释放", en="Requests accepted and released"),
    question=Text(
        zh="日志里受理的请求是否都腾出了槽位？被取消的又是谁放弃的？",
        en="Did every request in the log leave its slot, and who gave up those that were cancelled?",
    ),
    rule=Text(
        zh="看服务端日志：受理的条数多于释放与取消之和，就警告，请求丢在了服务端里面；有取消的，与客户端的失败数对照并提示，客户端没有失败则警告。",
        en="By the server's log: a warning where more requests were accepted than released and cancelled, for they were lost inside the server; cancelled ones are a note beside the failures of the client, and a warning where it has none.",
    ),
    stage="conclusions",
)
def releases_of_requests(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose log tells both."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = [
        spot for spot in watched.spots_of(analysis, series, RELEASED) if amount_at(analysis, spot, TAKEN) is not None
    ]
    lost = [spot for spot in spots if _lost(analysis, spot) > 0]
    cancelled = [spot for spot in watched.spots_of(analysis, series, CANCELLED) if amount_at(analysis, spot, CANCELLED)]
    found = [_are_lost(lost)] if lost else []
    found += [_were_cancelled(analysis, cancelled)] if cancelled else []
    return found or ([_all_left(spots)] if spots else [])


def _lost(analysis: Analysis, spot: Spot) -> float:
    """Return the requests that neither left a slot nor were cancelled."""
    taken, released = (amount_at(analysis, spot, key) or 0.0 for key in (TAKEN, RELEASED))
    return taken - released - (amount_at(analysis, spot, CANCELLED) or 0.0)


def _are_lost(spots: Sequence[Spot]) -> Finding:
    told = [
        say(
            zh="{where}受理 {taken} 条，释放 {released} 条",
            en="{where}, {taken} accepted and {released} released",
            where=_where(spot),
            taken=spot.value(TAKEN),
            released=spot.value(RELEASED),
        )
        for spot in spots
    ]
    return Finding(
        check="releases_of_requests",
        status="warn",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, TAKEN, RELEASED),
        message=say(
            zh="{series} 的日志里，受理的请求多于释放的：{told}。多出的丢在了服务端里面，或日志到此被截断。",
            en="In the log of {series} more requests were accepted than released: {told}. The others were lost inside the server, or "
            "the log ends too early.",
            series=SeriesName(spots[0].series.id),
            told=Listing(tuple(told)),
        ),
        remedy=say(
            zh="看日志是否完整；完整的话，按 task 编号找到没有释放的请求，看它停在哪一步。",
            en="See whether the log is whole; where it is, find the requests without a release by their task numbers, and how far they came.",
        ),
    )


def _where(spot: Spot) -> Sentence:
    if spot.level is None:
        return say(zh="整个系列", en="over the whole series")
    return say(zh="{l} ", en="at {l}", l=LevelName(spot.series.id, spot.level.id))


def _were_cancelled(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    worst = watched.most(analysis, spots, CANCELLED)
    count = say(zh="{n} 条", en="{n}", n=worst.value(CANCELLED))
    told = say(
        zh="{series} 的服务端在{where}取消了请求：{count}。客户端断开时才会这样。",
        en="The server of {series} cancelled requests {where}: {count}. It does so where a client has left.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        count=watched.of_worst(spots, worst, count),
    )
    failed = number_at(analysis, worst.counted("failed"))
    return Finding(
        check="releases_of_requests",
        status="warn" if failed == 0 else "note",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, CANCELLED),
        message=passage(told, *_beside_client(worst, failed)),
        remedy=say(
            zh="看客户端的超时设置：超时就断开的请求，服务端已经做了一部分工作。",
            en="See the time-outs of the client: of a request that it gives up, the server has done a part already.",
        ),
    )


def _beside_client(worst: Spot, failed: float | None) -> list[Sentence]:
    if failed is None:
        return []
    if not failed:
        return [
            say(
                zh="客户端却没有一条失败：放弃的请求没有计入结果，或来自别的客户端。",
                en="Yet the client counts no failure: what it gave up is not among its results, or another client was there.",
            )
        ]
    where = SeriesName(worst.series.id) if worst.level is None else LevelName(worst.series.id, worst.level.id)
    return [
        say(
            zh="客户端在 {where} 失败了 {n} 条。", en="For the client {n} failed at {where}.", where=where,
            n=Quantity(worst.counted("failed")),
        )
    ]  # fmt: skip


def _all_left(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="releases_of_requests",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, TAKEN, RELEASED),
        message=say(
            zh="凡是有日志的地方，{series} 受理的请求都腾出了槽位，没有取消的。",
            en="Wherever there is a log, every request that {series} took up left its slot, and none was cancelled.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="服务端日志没有同时记录受理与释放，不适用。",
        en="No server's log records both requests accepted and slots released: not applicable.",
    )
    return Finding("releases_of_requests", "pass", message, is_empty=True)
