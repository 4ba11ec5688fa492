"""Is it known of each start whether the model's files lay in memory? A start that reads no disk is not a cold one."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.cold_starts import at_start, of_start, starts_of, state_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.runs.starts import COLD, RESIDENT, WARM
from generator.text import Text
from generator.themes import COLD_START
from generator.told.findings import Finding
from generator.told.sentence import Count, Listing, Quantity, SeriesName, say


@check(
    theme=COLD_START,
    title=Text(zh="页缓存状态", en="Page cache of the starts"),
    question=Text(
        zh="每次启动之前模型文件在不在内存里，知道吗？要求清出的清掉了吗？",
        en="Is it known of each start whether the model's files were in the page cache, and were they dropped where that was requested?",
    ),
    stage="conclusions",
    rule=Text(
        zh="在内存里的份额不知道、或介于 {cold} 与 {warm} 之间的启动，提示；要求清出而没有清掉的，警告。",
        en="A note on starts of which the share in memory is not known or lies between {cold} and {warm}; a warning where files were to "
        "be dropped and stayed.",
    ).format(cold=f"{COLD:.0%}", warm=f"{WARM:.0%}"),
)
def page_cache_known(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has starts on record."""
    return [_examined(analysis, series) for series in analysis.round.series if starts_of(analysis, series)] or [
        _nothing()
    ]


def _examined(analysis: Analysis, series: Series) -> Finding:
    starts = starts_of(analysis, series)
    kept = [one for one in starts if _was_to_go(analysis, series, one) and state_at(analysis, series, one) != "cold"]
    if kept:
        return _kept(series, kept)
    unknown = [start for start in starts if state_at(analysis, series, start) == "unknown"]
    return _unknown(series, unknown) if unknown else _known(series, starts)


def _was_to_go(analysis: Analysis, series: Series, start: int) -> bool:
    return of_start(analysis, "cold_start_resident_before", series, start) is not None


def _kept(series: Series, kept: list[int]) -> Finding:
    return Finding(
        check="page_cache_known",
        status="warn",
        series=series.id,
        evidence=tuple(at_start(RESIDENT, series, start) for start in kept),
        looks="better",
        message=say(
            zh="{s} 第 {n} 次启动之前要把模型文件从页缓存中清除，却还有 {share} 在内存里。",
            en="Before start {n} of {s} the model's files were to be dropped from the page cache, and {share} of them stayed.",
            s=SeriesName(series.id),
            n=_numbers(kept),
            share=Quantity(at_start(RESIDENT, series, kept[0])),
        ),
        bias=say(
            zh="{s} 的启动显得更快：它没有从磁盘读模型。",
            en="Its starts make {s} look faster: it did not read the model from the disk.",
            s=SeriesName(series.id),
        ),
        remedy=say(
            zh="停掉还映射着这些文件的进程；文件系统在内存里（tmpfs）时清不掉。",
            en="Stop what still maps these files; on a file system in memory (tmpfs) they cannot be dropped.",
        ),
    )


def _unknown(series: Series, unknown: list[int]) -> Finding:
    return Finding(
        check="page_cache_known",
        status="note",
        series=series.id,
        message=say(
            zh="{s} 第 {n} 次启动之前，模型文件在不在内存里不知道，或只有一部分在；这些启动既不算冷，也不算热。",
            en="Of start {n} of {s} it is not known whether the model's files lay in memory, or a part of them did: it counts neither as cold "
            "nor as warm.",
            s=SeriesName(series.id),
            n=_numbers(unknown),
        ),
        remedy=say(
            zh='在 argv 里用路径指明模型文件，并让采集的用户拥有它们；page_cache = "dropped" 会先清出。',
            en='Name the model\'s files by their path in argv, owned by the user that collects; page_cache = "dropped" drops them first.',
        ),
    )


def _numbers(starts: Sequence[int]) -> Listing:
    return Listing(tuple(Count(start) for start in starts))


def _known(series: Series, starts: Sequence[int]) -> Finding:
    return Finding(
        check="page_cache_known",
        status="pass",
        series=series.id,
        evidence=tuple(at_start(RESIDENT, series, start) for start in starts),
        message=say(
            zh="{s} 每次启动前的页缓存状态都知道（启动 {n} 次）。",
            en="The state of the page cache is known before every start of {s} ({n} {n:start|starts}).",
            s=SeriesName(series.id),
            n=Count(len(starts)),
        ),
    )


def _nothing() -> Finding:
    message = say(zh="没有启动的记录，不适用。", en="No start is on record: not applicable.")
    return Finding("page_cache_known", "pass", message, is_empty=True)
