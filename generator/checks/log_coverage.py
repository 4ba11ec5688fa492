"""What does the server's log not cover? What it does not hold is unknown, and never nought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.levels import number_at
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import SERVER
from generator.told.findings import Finding
from generator.told.sentence import Listing, SeriesName, say
from generator.values import Address

TAKEN: Final = "logged_requests"
OF_THE_START: Final = (
    "log_slots_of_series", "log_slot_context_of_series", "log_context_length_of_series", "log_kv_pool_tokens_of_series",
    "log_weights_bytes_of_series", "log_graphs_off_of_series",
)  # fmt: skip
"""What is said once, when the server starts."""


@check(
    theme=SERVER,
    title=Text(zh="服务端日志的覆盖范围", en="What the server's log covers"),
    question=Text(
        zh="服务端日志是否覆盖每次运行、是否含服务端的启动、能否按档位切分？",
        en="Does the server's log cover each run and the start of the server, and can it be cut to the levels?",
    ),
    rule=Text(
        zh="日志里受理的请求比客户端得到回答的少，就警告；不含服务端的启动，或不能按档位切分（并写明原因），就提示；没有日志的不检查。",
        en="A warning where the log shows fewer requests accepted than were answered; a note where it lacks the start of the server, or cannot be cut to the levels, with the reason; without a log there is nothing to examine.",
    ),
    stage="conclusions",
)
def log_coverage(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has a log; a table of results has numbers of one, and not the log."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = [spot for spot in watched.spots_of(analysis, series, TAKEN) if spot.level is None or spot.level.from_runs]
    uncut = {at: why for at, why in analysis.round.unread.items() if (at.metric, at.series) == (TAKEN, series.id)}
    if not spots and not uncut:
        return []
    short = [spot for spot in spots if _is_short(analysis, spot)]
    found = [_short(short)] if short else []
    found += [_not_cut(series, uncut)] if uncut else []
    found += [_no_start(series, spots)] if spots and not _has_start(analysis, series) else []
    return found or [_whole(spots)]


def _is_short(analysis: Analysis, spot: Spot) -> bool:
    completed = number_at(analysis, spot.counted("completed"))
    taken = amount_at(analysis, spot, TAKEN)
    return completed is not None and taken is not None and taken < completed


def _has_start(analysis: Analysis, series: Series) -> bool:
    return bool(analysis.frame.known(Address(key, "series", series.id) for key in OF_THE_START))


def _short(spots: Sequence[Spot]) -> Finding:
    worst = spots[0]
    return Finding(
        check="log_coverage",
        status="warn",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, TAKEN),
        message=say(
            zh="{series} 的日志在{where}受理的请求比得到回答的少（{n}）：日志被截断、混进别的输出，或没有从头记起。据它数出来的都只是下限。",
            en="In the log of {series} fewer requests are accepted than were answered {where} ({n}): it is cut off, mixed with "
            "other output, or begins too late. Whatever is counted in it is a lower bound.",
            series=SeriesName(worst.series.id),
            where=watched.where(spots),
            n=worst.value(TAKEN),
        ),
        remedy=say(
            zh="把服务端的 stdout 与 stderr 各自完整保存，从启动到最后一条请求结束。",
            en="Keep the whole stdout and stderr of the server, each by itself, from its start to the end of the last request.",
        ),
    )


def _not_cut(series: Series, uncut: dict[Address, Text]) -> Finding:
    reasons = tuple(dict.fromkeys(uncut.values()))
    return Finding(
        check="log_coverage",
        status="note",
        series=series.id,
        levels=tuple(dict.fromkeys(address.level or "" for address in uncut)),
        message=say(
            zh="{series} 的日志不能按档位切分，每一档的数因此未知：{why}。",
            en="The log of {series} cannot be cut to its levels, so what it says of each is unknown: {why}.",
            series=SeriesName(series.id),
            why=Listing(reasons),
        ),
        remedy=say(
            zh="每次运行各留一份日志，或让日志带上日期与时区。",
            en="Keep a log for each run, or let the log have dates and a zone.",
        ),
    )


def _no_start(series: Series, spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="log_coverage",
        status="note",
        series=series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, TAKEN),
        message=say(
            zh="{series} 的日志不含服务端的启动：槽位、上下文、KV cache 与权重的大小都无法由它得知。",
            en="The log of {series} does not hold the start of the server: it does not tell slots, context, and the sizes of "
            "KV cache and weights.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="把启动以来的日志放进该系列的文件夹（server.log）。",
            en="Put the log from the start on into the folder of the series (server.log).",
        ),
    )


def _whole(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="log_coverage",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, TAKEN),
        message=say(
            zh="{series} 的日志含服务端的启动，受理的请求不少于得到回答的。",
            en="The log of {series} holds the start of the server, and no fewer requests are accepted in it than were answered.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有保留服务端日志原文，不适用。",
        en="No run and no series has kept its server's log: not applicable.",
    )
    return Finding("log_coverage", "pass", message, is_empty=True)
