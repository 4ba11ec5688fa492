"""Did the failed requests reach the server at all? Its log tells how many it took up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from generator.across.levels import at_level, at_runs, at_total, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.runs.error_kinds import were_disconnected
from generator.text import Text, same
from generator.themes import LOAD
from generator.told.findings import Finding, Status
from generator.told.quoting import filled
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

CLOSES: Final = re.compile(r"\bconnection\W{1,4}close\b", re.IGNORECASE)
"""How a series, or a run of it, says that each request has a connection of its own."""
KIND: Final = re.compile(r"[A-Za-z_][\w.]{0,60}", re.ASCII)
NO_KIND: Final = "unknown"
"""How importers call an error without a name."""
MOST_KINDS: Final = 3

NEVER: Final = Text(
    zh="{losses}，而服务端日志里有 {logged}，正好是得到回答的那些：失败的请求，服务端一条也没有受理，在占到槽位之前就丢了。{kinds}{elsewhere}",
    en="{losses} failed, and the server's log has {logged}, exactly the answered ones: the server accepted none of the failed "
    "requests, which were gone before a slot was taken. {kinds}{elsewhere}",
)
NOT_TAKEN_UP: Final = Text(
    zh="{losses}，而服务端日志里有 {logged}，正好是得到回答的那些：失败的请求，服务端一条也没有受理，不是被拒绝，就是丢在了路上。{kinds}",
    en="{losses} failed, and the server's log has {logged}, exactly the answered ones: the server accepted none of the failed "
    "requests. They were refused, or lost on the way. {kinds}",
)
PARTLY: Final = Text(
    zh="{losses}，服务端日志里有 {logged}，比得到回答的多，比发出的少："
    "失败的请求至少有一部分没有被受理；其余的到达过，除非多出的是预热请求。{kinds}",
    en="{losses} failed, and the server's log has {logged}, more than were answered and fewer than were sent: a part of the "
    "failed ones never reached the server; the others did, unless they are warm-up requests. {kinds}",
)
REACHED: Final = Text(
    zh="{losses}，服务端日志里有 {logged}，不少于发出的："
    "只要其中没有预热请求，失败的请求都被受理过，是在服务端或返回的路上丢的。{kinds}",
    en="{losses} failed, and the server's log has {logged}, no fewer than were sent: unless warm-up requests are among them, "
    "the failed ones did reach the server, and were lost there or on the way back. {kinds}",
)
CUT: Final = Text(
    zh="{losses}；服务端日志里只有 {logged}，比得到回答的还少：日志没有覆盖整个过程，失败的请求有没有到达服务端，无从得知。{kinds}",
    en="{losses} failed; the server's log has only {logged}, fewer than were answered: it does not cover the whole run, and "
    "whether the failed ones reached the server cannot be known. {kinds}",
)
NO_LOG: Final = Text(
    zh="{losses}；没有服务端日志，它们有没有到达服务端，无从得知。{kinds}",
    en="{losses} failed; without the server's log it cannot be known whether they reached the server. {kinds}",
)
TRANSCRIBED: Final = Text(
    zh="{losses}；没有保留服务端日志原文（只转录了 timing 条数），它们有没有到达服务端，无从得知。{kinds}",
    en="{losses} failed; the server's log itself was not kept, only its numbers of timing lines, so it cannot be known whether "
    "they reached the server. {kinds}",
)
ELSEWHERE: Final = Text(
    zh="{s} 每条请求新建连接，{n} 条一条也没丢：引擎没有问题。",
    en=" With {s}, a new connection for each request, none of {n} was lost: the engine is not at fault.",
)

NOT_THE_ENGINE: Final = Text(
    zh="报错为 {kinds}：客户端想复用一条长连接，而服务端正要关掉它。问题在压测工具的连接池，不在引擎。",
    en="They failed with {kinds}, as happens when a client sends over a kept connection that the server is about to "
    "close. This speaks against the client's reuse of connections, and not against the engine.",
)
DIED_OF: Final = Text(zh="报错为 {kinds}。", en="They failed with {kinds}.")
NOT_SAID: Final = Text(zh="失败的原因没有记录。", en="The cause was not recorded.")

CLOSE: Final = Text(
    zh="让每条请求用自己的连接（vllm bench serve 加 --header Connection=close），再测一次。",
    en="Send each request over a connection of its own (--header Connection=close of vllm bench serve), and run it again.",
)
LOOK: Final = Text(
    zh="在服务端与压测工具的日志里按时间找到这些请求，看它们在哪一步出错。",
    en="Find these requests by their times in the logs of server and client, and see how far they came.",
)
BRING_LOG: Final = Text(
    zh="把服务端日志放在数据旁边：运行、系列或整轮的文件夹里的 server.log（或 server.log.zst），从启动开始，不要截断。",
    en="Put the server's log beside the data: server.log (or server.log.zst) in the folder of the run, the series or "
    "the round, complete from its start.",
)


@dataclass(frozen=True, slots=True)
class Account:
    """Requests sent, failed and logged, of a run, a series or the whole round; ``logged`` is None without a log.

    ``losing`` are those of its series of which requests failed: the log of a round is compared with the others as well.
    """

    series: tuple[str, ...]
    losing: tuple[str, ...]
    level: str | None
    at: tuple[Address, Address, Address]
    requests: float
    failed: float
    logged: float | None

    def verdict(self, *, by_connections: bool) -> tuple[Status, Text, Text]:
        """Return how grave it is, what to say and what to do; all died of connections, or of something else, too."""
        if self.logged is None:
            return "unknown", NO_LOG, BRING_LOG
        if self.logged < self.requests - self.failed:
            return "unknown", CUT, BRING_LOG
        if self.logged >= self.requests:
            return "note", REACHED, LOOK
        if self.logged > self.requests - self.failed:
            return "warn", PARTLY, LOOK
        return ("warn", NEVER, CLOSE) if by_connections else ("warn", NOT_TAKEN_UP, LOOK)


@check(
    theme=LOAD,
    title=Text(zh="失败的请求有没有到达服务端", en="Where failed requests were lost"),
    question=Text(
        zh="失败的请求是被服务端受理后失败的，还是根本没有到达？",
        en="Did the server accept the requests that failed, or did they never reach it?",
    ),
    rule=Text(
        zh="失败的请求与服务端日志里受理的条数对照：日志里只有答完的那些，或者失败的只有一部分，就警告；失败的全都在，只提示；没有日志，就无从得知。",
        en="Failed requests are compared with those that the server's log shows as accepted. A warning where the log has exactly the answered ones, or only part of the failed ones; a note where it has them all; without a log it cannot be known.",
    ),
    stage="conclusions",
)
def lost_requests(analysis: Analysis) -> Sequence[Finding]:
    """Hold the failures of each series against the log that is closest to it."""
    losing = [
        series for series in analysis.round.series if (number_at(analysis, at_total("failed", series.id)) or 0.0) > 0
    ]
    if not losing:
        return [_none_lost()]
    own = {series: _accounts(analysis, series) for series in losing}
    without = [series for series in losing if not own[series]]
    accounts = [account for series in losing for account in own[series]]
    return [_finding(analysis, account) for account in (*accounts, *_of_round(analysis, without))]


def _is_whole(analysis: Analysis, series: Series, key: str) -> bool:
    """Say whether a number is known of every run, so that the total of the series is one."""
    addresses = at_runs(key, series)
    return len(analysis.frame.known(addresses)) == len(addresses)


def _accounts(analysis: Analysis, series: Series) -> list[Account]:
    """Return the account of a series by its own logs; else those of its runs that have a log and lost requests."""
    logged = analysis.frame.of_series("logged_requests_of_series", series.id)
    whole = logged.value is not None and (logged.formula is None or _is_whole(analysis, series, "logged_requests"))
    if whole and _is_whole(analysis, series, "failed"):
        at = (at_total("requests", series.id), at_total("failed", series.id), logged.address)
        return [_account(analysis, (series.id,), at)]
    return list(_of_runs(analysis, series))


def _of_runs(analysis: Analysis, series: Series) -> Iterator[Account]:
    for address in at_runs("requests", series):
        at = (address, address._replace(metric="failed"), address._replace(metric="logged_requests"))
        requests, failed, logged = (number_at(analysis, one) for one in at)
        if requests is not None and failed and logged is not None:
            yield Account((series.id,), (series.id,), address.level, at, requests, failed, logged)


def _of_round(analysis: Analysis, without: Sequence[Series]) -> list[Account]:
    """Return one account by the log of the round for all series without one; where that does not help, an open one each."""
    everything = analysis.round.series
    logged = analysis.frame.of_round("logged_requests_of_round")
    if not without:
        return []
    if (
        logged.value is not None
        and logged.formula is None
        and all(_is_whole(analysis, one, "failed") for one in everything)
    ):
        at = (Address("requests_of_round", "round"), Address("failed_of_round", "round"), logged.address)
        return [_account(analysis, tuple(series.id for series in everything), at)]
    return [_open(analysis, series) for series in without]


def _open(analysis: Analysis, series: Series) -> Account:
    at = (
        at_total("requests", series.id),
        at_total("failed", series.id),
        Address("logged_requests_of_series", "series", series.id),
    )
    return replace(_account(analysis, (series.id,), at), logged=None)


def _account(analysis: Analysis, series: tuple[str, ...], at: tuple[Address, Address, Address]) -> Account:
    requests, failed, logged = (number_at(analysis, one) for one in at)
    losing = tuple(one for one in series if number_at(analysis, at_total("failed", one)))
    return Account(series, losing or series, None, at, requests or 0.0, failed or 0.0, logged)


def _finding(analysis: Analysis, account: Account) -> Finding:
    kinds = _kinds(analysis, account)
    status, message, remedy = account.verdict(by_connections=were_disconnected(kinds))
    if message is NO_LOG and _has_timing_lines(analysis, account):
        message = TRANSCRIBED
    sound = _without_reuse(analysis, account) if message is NEVER else None
    parts: dict[str, Part] = {
        "losses": Listing(tuple(_loss(account, series) for series in account.losing)),
        "kinds": _cause(kinds, message),
        "elsewhere": _elsewhere(sound) if sound is not None else same(""),
    }
    if account.logged is not None:
        parts["logged"] = _logged(account)
    return Finding(
        check="lost_requests",
        status=status,
        series=account.losing[0] if len(account.losing) == 1 else None,
        levels=() if account.level is None else (account.level,),
        evidence=account.at if account.logged is not None else account.at[:2],
        message=filled(message, parts),
        bias=_bias(account) if message is NEVER else None,
        looks="worse" if message is NEVER else None,
        remedy=Sentence(remedy) if sound is None else None,
    )


def _has_timing_lines(analysis: Analysis, account: Account) -> bool:
    """Say whether someone has counted lines of a log that is not there."""
    series = (analysis.round.series_by_id(one) for one in account.series)
    places = ((one, level) for one in series for level in one.levels)
    return any(number_at(analysis, at_level("log_timing_lines", *place)) is not None for place in places)


def _loss(account: Account, series: str) -> Sentence:
    """Count what one series lost: of a run, or over all of them."""
    requests, failed = account.at[:2]
    if len(account.series) > 1:
        requests, failed = (at_total(one, series) for one in ("requests", "failed"))
    return say(
        zh="发给 {who} 的 {requests} 条请求失败了 {failed} 条",
        en="{failed} of {requests} {requests:request|requests} to {who}",
        who=_named(series, account.level),
        requests=Quantity(requests),
        failed=Quantity(failed),
    )


def _named(series: str, level: str | None) -> Part:
    name = SeriesName(series)
    if level is None:
        return name
    return say(zh="{name}（{level}）", en="{name} at {level}", name=name, level=LevelName(series, level))


def _logged(account: Account) -> Sentence:
    """Count the requests in the log; that of a round has those of every series."""
    requests, _, logged = account.at
    if len(account.series) == 1:
        return say(zh="{n} 条", en="{n}", n=Quantity(logged))
    return say(
        zh="全轮 {all} 条中的 {n} 条",
        en="{n} of all {all} {all:request|requests}",
        n=Quantity(logged),
        all=Quantity(requests),
    )


def _without_reuse(analysis: Analysis, account: Account) -> Series | None:
    """Return a series that says it opens a connection for each request, and lost none: the remedy was tried."""
    others = [series for series in analysis.round.series if series.id not in account.losing]
    closing = (series for series in others if CLOSES.search(_told_of(analysis, series)))
    return next((one for one in closing if number_at(analysis, at_total("failed", one.id)) == 0), None)


def _told_of(analysis: Analysis, series: Series) -> str:
    """Return how a series is called, and what its runs say of themselves."""
    described = [told for (of, _, _), told in analysis.round.described.items() if of == series.id]
    return "\n".join((series.label, *(f"{name}={text}" for told in described for name, text in told.items())))


def _elsewhere(series: Series) -> Sentence:
    return Sentence(ELSEWHERE, {"s": SeriesName(series.id), "n": Quantity(at_total("requests", series.id))})


def _kinds(analysis: Analysis, account: Account) -> Mapping[str, int]:
    """Return what the failed requests died of: the name of the error, and of how many."""
    trial, kinds = account.at[0].trial, Counter[str]()
    for (series, level, run), requests in analysis.round.requests.items():
        if series in account.series and account.level in (None, level) and trial in (None, run):
            kinds.update(requests.kinds_of_error)
    return kinds


def _cause(kinds: Mapping[str, int], message: Text) -> Sentence:
    named = [kind for kind, _ in Counter(kinds).most_common() if KIND.fullmatch(kind) and kind != NO_KIND]
    if not named:
        return Sentence(NOT_SAID)
    listed = Listing(tuple(same(kind) for kind in named[:MOST_KINDS]))
    return Sentence(NOT_THE_ENGINE if message is NEVER else DIED_OF, {"kinds": listed})


def _bias(account: Account) -> Sentence:
    return say(
        zh="若把它们算作引擎的失败，就低估了 {who}。",
        en="Counting them as engine failures would understate {who}.",
        who=Listing(tuple(_named(series, account.level) for series in account.losing)),
    )


def _none_lost() -> Finding:
    return Finding(
        check="lost_requests",
        status="pass",
        is_empty=True,
        message=say(
            zh="凡是有记录的档位都没有请求失败，不存在丢失的请求。",
            en="Wherever it is on record, no request failed, so there is none to look for in a log.",
        ),
    )
