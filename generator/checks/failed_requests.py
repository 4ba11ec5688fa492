"""How many requests failed? They drop out of the latencies, which look better for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from generator.across.levels import at_level, at_total, by_kind_of_data, highest, level_names
from generator.checks import COUNTS, DETAILS_OF_FAILURES
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.runs.error_kinds import were_disconnected
from generator.text import Text, same
from generator.themes import LOAD
from generator.told.findings import Finding, Status
from generator.told.quoting import MOST_OF_ALL, clipped, level_value, passage, worst_of
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say

TOLERABLE: Final = 0.01
"""A share of failures above this can move a p99 by itself."""

OF_DECODING: Final = "UnicodeDecodeError"
NO_KIND: Final = "unknown"
MOST_KINDS: Final = 3

Failing = list[tuple[float, Level]]


@check(
    theme=LOAD,
    title=Text(zh="失败的请求", en="Failed requests"),
    question=Text(zh="每一档有多少请求失败？", en="How many requests failed at each level?"),
    rule=Text(
        zh="有请求失败就提示；某一档失败的超过 {most}，就警告。",
        en="A note where requests failed, and a warning where more than {most} of those of a level did.",
    ).format(most=f"{TOLERABLE:.0%}"),
)
def failed_requests(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    known = _worst_runs(analysis, series)
    failing = [(ratio, level) for ratio, level in known if ratio > 0]
    if failing:
        return _fails(analysis, series, failing)
    return _none_failed(series, known) if known else _unknown(series)


def _worst_runs(analysis: Analysis, series: Series) -> Failing:
    """Return the failure ratio of each level; of one that was run more often, that of its worst run."""
    values = [(analysis.frame.of_level("failure_ratio", series.id, level.id), level) for level in series.levels]
    ratios = [(value.value if value.high is None else value.high, level) for value, level in values]
    return [(ratio, level) for ratio, level in ratios if ratio is not None]


def _fails(analysis: Analysis, series: Series, failing: Failing) -> Finding:
    """Count the failures; where they were lost, and what to do about it, is said beside the server's log."""
    worst = highest(failing)
    repeated = any(level.trials > 1 for level in series.levels)
    errors = _errors(analysis, series)
    may_be_slow = not were_disconnected(errors)  # a connection that was gone is no time-out
    counts = tuple(at_level(key, series, level) for _, level in failing for key in ("failed", "requests"))
    status: Status = "warn" if max(ratio for ratio, _ in failing) > TOLERABLE else "note"
    return Finding(
        check="failed_requests",
        status=status,
        series=series.id,
        levels=tuple(level.id for _, level in failing),
        evidence=(at_total("failed", series.id), at_total("requests", series.id)) if repeated else counts,
        message=passage(
            say(
                zh="{series} 在 {levels} 有请求失败：{worst}。",
                en="Requests to {series} failed at {levels}: {worst}.",
                series=SeriesName(series.id),
                levels=level_names(series, (level for _, level in failing)),
                worst=_in_all(series) if repeated else _worst(series, worst, one_of_several=len(failing) > 1),
            ),
            *_kinds(errors),
        ),
        bias=_flattered(series) if may_be_slow else None,
        looks="better" if may_be_slow else None,
        remedy=_run_again(series, failing) if may_be_slow else None,
    )


def _flattered(series: Series) -> Sentence:
    return say(
        zh="失败的请求不进时延统计；若是超时，丢掉的正是最慢的那些：{series} 的时延显得更好。",
        en="Failed requests drop out of the latencies, and where they timed out these were the slowest: the latencies of "
        "{series} are flattered.",
        series=SeriesName(series.id),
    )


def _run_again(series: Series, failing: Failing) -> Sentence:
    return say(
        zh="先查清它们丢在哪里、为何失败，再重跑 {levels}。",
        en="Find out first where they were lost and why, then run {levels} again.",
        levels=level_names(series, (level for _, level in failing)),
    )


def _errors(analysis: Analysis, series: Series) -> Counter[str]:
    """Count what the failed requests of a series died of."""
    kinds = Counter[str]()
    for (of, _, _), requests in analysis.round.requests.items():
        if of == series.id:
            kinds.update(requests.kinds_of_error)
    return kinds


def _kinds(errors: Counter[str]) -> Iterator[Sentence]:
    """Yield what the failed requests died of, the most frequent first; a client that cannot decode is no engine's fault."""
    named = [kind for kind, _ in errors.most_common() if kind != NO_KIND]
    if named:
        listed = Listing(tuple(clipped(kind) for kind in named[:MOST_KINDS]))
        yield say(zh="它们的错误：{kinds}。", en="They ended in {kinds}.", kinds=listed)
    if any(kind.rpartition(".")[2] == OF_DECODING for kind in named):
        yield say(
            zh="{kind} 是压测工具自己没能解码（一个字符被切在两个 chunk 里），不是服务端的错误。",
            en="{kind} is of the client, which could not decode a character cut in two between chunks, and not of the server.",
            kind=same(OF_DECODING),
        )


def _in_all(series: Series) -> Sentence:
    """Count over all levels and trials: the median of several trials may be 0 where one of them failed."""
    return say(
        zh="全部运行合计 {requests} 条里的 {failed} 条，占 {ratio}",
        en="{failed} of {requests} over all runs, or {ratio}",
        failed=Quantity(at_total("failed", series.id)),
        requests=Quantity(at_total("requests", series.id)),
        ratio=Quantity(at_total("failure_ratio", series.id)),
    )


def _worst(series: Series, level: Level, *, one_of_several: bool) -> Sentence:
    share = say(
        zh="{requests} 条里的 {failed} 条，占 {ratio}",
        en="{failed} of {requests}, or {ratio}",
        failed=level_value("failed", series.id, level.id),
        requests=level_value("requests", series.id, level.id),
        ratio=level_value("failure_ratio", series.id, level.id),
    )
    return worst_of(share, MOST_OF_ALL, LevelName(series.id, level.id), one_of_several=one_of_several)


def _none_failed(series: Series, known: Failing) -> Finding:
    return Finding(
        check="failed_requests",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level("failed", series, level) for _, level in known),
        message=say(
            zh="凡是有记录的档位，{series} 没有请求失败。",
            en="Wherever it is on record, no request to {series} failed.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="failed_requests",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档同时记录了发出与完成的请求数，有没有失败无从得知。",
            en="No level of {series} records both the requests sent and those completed: whether any failed cannot be known.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=DETAILS_OF_FAILURES, table=COUNTS),
    )
