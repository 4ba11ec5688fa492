"""Does the server's log tell of errors of the engine's own? They may stand behind failures, or nobody noticed them."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across import watched
from generator.across.levels import known_addresses, number_at
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import SERVER
from generator.told.findings import Finding
from generator.told.quoting import passage
from generator.told.sentence import Quantity, Sentence, SeriesName, say

ERRORS = "log_engine_errors"


@check(
    theme=SERVER,
    title=Text(zh="引擎报错", en="Errors of the engine"),
    question=Text(
        zh="服务端日志里有没有引擎自己的错误，客户端看见了没有？",
        en="Does the server's log report errors of the engine, and did the client see them?",
    ),
    rule=Text(
        zh="日志里有引擎自己的错误行就警告，并与客户端的失败数对照；没有日志就没有可检查的。",
        en="A warning where the log has lines in which the engine reports an error of its own, beside what failed for the client; without a log there is nothing to examine.",
    ),
    stage="conclusions",
)
def engine_errors(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose log is there."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, ERRORS)
    erring = [spot for spot in spots if amount_at(analysis, spot, ERRORS)]
    return [_erring(analysis, erring)] if erring else [_none(spots)] if spots else []


def _erring(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    worst = watched.most(analysis, spots, ERRORS)
    lines = say(zh="{n} 行", en="{n} {n:line|lines}", n=worst.value(ERRORS))
    told = say(
        zh="{series} 的服务端日志在{where}有引擎自己的错误：{lines}。",
        en="The log of {series} reports engine errors {where}: {lines}.",
        series=SeriesName(worst.series.id),
        where=watched.where(spots),
        lines=watched.of_worst(spots, worst, lines),
    )
    return Finding(
        check="engine_errors",
        status="warn",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=(*watched.evidence(spots, ERRORS), *known_addresses(analysis, [worst.counted("failed")])),
        message=passage(told, _beside_failures(analysis, worst)),
        remedy=say(
            zh="打开值所引的那几行日志，看错误在哪一步、影响了哪些请求；改好之后再测一遍。",
            en="Open the lines of the log that the value names, see at which step they arose and which requests they hit, and measure again once it is fixed.",
        ),
    )


def _beside_failures(analysis: Analysis, spot: Spot) -> Sentence:
    """Say what failed for the client at the same place."""
    failed = number_at(analysis, spot.counted("failed"))
    if failed is None:
        return say(zh="客户端有没有失败没有记录。", en="Whether anything failed for the client is not on record.")
    if failed:
        return say(
            zh="客户端那边失败了 {n} 条。",
            en="For the client, {n} {n:request|requests} failed.",
            n=Quantity(spot.counted("failed")),
        )
    return say(
        zh="客户端却没有一条失败：回答可能不完整，也可能重算过。",
        en="Yet nothing failed for the client: answers may be incomplete, or were computed again.",
    )


def _none(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="engine_errors",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, ERRORS),
        message=say(
            zh="凡是有日志的地方，{series} 的引擎没有报错。",
            en="Wherever there is a log, {series} reports no engine errors.",
            series=SeriesName(spots[0].series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有能看出引擎错误的服务端日志，不适用。",
        en="No run and no series has a server's log that would report engine errors: not applicable.",
    )
    return Finding("engine_errors", "pass", message, is_empty=True)
