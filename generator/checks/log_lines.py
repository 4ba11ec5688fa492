"""Does the server's log know of every request that the client saw answered?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import by_kind_of_data, level_names, number_at
from generator.frame import Analysis
from generator.kinds import AS_PUBLISHED, check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import SERVER
from generator.told.findings import Finding, Status
from generator.told.quoting import series_value
from generator.told.sentence import Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

SLACK: Final = 0.05
"""A difference above this, relative to the requests, moves what is counted in the log."""
COUNTED_IN_LOG: Final = (
    ("decode_steps", None),
    ("graph_reuse_per_step", None),
    ("graph_reuse_per_token", AS_PUBLISHED),
)
"""Metrics that take the lines for the requests."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the log and the client count at a level."""

    level: Level
    lines: Value
    completed: Value

    @property
    def apart(self) -> float:
        """Return how many lines the log has more or fewer than requests were completed."""
        return abs((self.lines.value or 0.0) - (self.completed.value or 0.0))

    @property
    def far_apart(self) -> bool:
        """Say whether the difference is large for so many requests."""
        return self.apart > SLACK * (self.completed.value or 0.0)


FOR_RUNS: Final = Text(
    zh="把服务端日志 server.log 放进每次运行的文件夹。",
    en="Put the server's log, server.log, into the folder of each run.",
)
FOR_TABLES: Final = Text(
    zh="保留服务端日志，把每档的条数写进 log_timing_lines 一列。",
    en="Keep the server's log and enter the lines of each level in the column log_timing_lines.",
)


@check(
    theme=SERVER,
    title=Text(zh="日志与完成数", en="Log lines against completed requests"),
    question=Text(
        zh="服务端日志的 timing 条数是否等于客户端的完成数？",
        en="Has the server's log one timing line for each request completed?",
    ),
    stage="conclusions",
    rule=Text(
        zh="日志的 timing 条数与客户端的完成数不相等就提示；相差超过 {slack}，就警告。",
        en="A note where the log has not as many timing lines as the client counts completed requests, and a warning where the two are more than {slack} apart.",
    ).format(slack=f"{SLACK:.0%}"),
)
def log_lines(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    counts = [one for level in series.levels if (one := _counts(analysis, series, level)) is not None]
    differing = [one for one in counts if one.apart]
    if differing:
        return _differ(series, differing, _in_all(analysis, series, counts))
    return _agree(series, counts) if counts else _unknown(series)


def _counts(analysis: Analysis, series: Series, level: Level) -> Counts | None:
    lines = analysis.frame.of_level("log_timing_lines", series.id, level.id)
    completed = analysis.frame.of_level("completed", series.id, level.id)
    return None if lines.value is None or completed.value is None else Counts(level, lines, completed)


def _evidence(counts: list[Counts]) -> tuple[Address, ...]:
    return tuple(value.address for one in counts for value in (one.lines, one.completed))


def _in_all(analysis: Analysis, series: Series, counts: list[Counts]) -> Part:
    """Tell the sums over all levels, where each is counted on both sides; and the lines of the warm-up, if known."""
    if len(counts) < len(series.levels) or len(counts) == 1:
        return same("")
    totals = {
        "lines": series_value("log_timing_lines_total", series.id),
        "completed": series_value("completed_total", series.id),
    }
    warm = series_value("warm_up_log_lines", series.id)
    if number_at(analysis, warm.address) is None:
        return Sentence(IN_ALL, totals)
    return Sentence(WITH_WARM_UP, {**totals, "warm": warm})


IN_ALL: Final = Text(
    zh="各档合计 {lines} 条，对 {completed} 条完成的请求。",
    en=" Over all levels that is {lines} {lines:line|lines} for {completed} completed {completed:request|requests}.",
)
WITH_WARM_UP: Final = Text(
    zh="各档合计 {lines} 条，对 {completed} 条完成的请求；另有 {warm} 条属于预热，不在各档之内。",
    en=" Over all levels that is {lines} {lines:line|lines} for {completed} completed {completed:request|requests}; another "
    "{warm} {warm:belongs|belong} to the warm-up.",
)


def _differ(series: Series, counts: list[Counts], in_all: Part) -> Finding:
    far_apart = [one for one in counts if one.far_apart]
    status: Status = "warn" if far_apart else "note"
    return Finding(
        check="log_lines",
        status=status,
        series=series.id,
        levels=tuple(one.level.id for one in counts),
        evidence=_evidence(counts),
        doubts=tuple(
            Address(key, "level", series.id, one.level.id, basis) for one in far_apart for key, basis in COUNTED_IN_LOG
        ),
        message=say(
            zh="{series} 在 {levels} 的日志里有 {lines} 条 timing，客户端记下的完成数却是 {completed}。{in_all}",
            en="At {levels} the log of {series} has {lines} timing {lines:line|lines}, where the client counts {completed} "
            "completed {completed:request|requests}.{in_all}",
            in_all=in_all,
            series=SeriesName(series.id),
            levels=level_names(series, (one.level for one in counts)),
            lines=Listing(tuple(Quantity(one.lines.address) for one in counts)),
            completed=Listing(tuple(Quantity(one.completed.address) for one in counts)),
        ),
        remedy=say(
            zh="按时间戳把日志分到各档，查明多出或缺少的是预热、失败的请求，还是截断的日志。",
            en="Assign log lines to levels by their time, and see whether warm-up, failed requests or an incomplete "
            "log make up the difference.",
        ),
    )


def _agree(series: Series, counts: list[Counts]) -> Finding:
    return Finding(
        check="log_lines",
        status="pass",
        series=series.id,
        levels=tuple(one.level.id for one in counts),
        evidence=_evidence(counts),
        message=say(
            zh="凡是有日志的档位，{series} 的 timing 条数都等于完成数。",
            en="Wherever there is a log, {series} has one timing line for each request completed.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="log_lines",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档同时记录了日志的 timing 条数与完成数，服务端与客户端无从对照。",
            en="No level of {series} records both the timing lines of the log and the completed requests, so server and "
            "client cannot be compared.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=FOR_RUNS, table=FOR_TABLES),
    )
