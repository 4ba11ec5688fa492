"""Do the counts of requests fit together? No more can be answered than were sent, nor cached than were answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import OURS, amount, at_level, at_levels, by_kind_of_data, level_names
from generator.checks import COUNTS, DETAILS_OF_FAILURES
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series, Trial
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF, listed_levels, series_names, worst_of
from generator.told.sentence import Count, LevelName, Quantity, Sentence, SeriesName, say
from generator.values import Address


@dataclass(frozen=True, slots=True)
class Rule:
    """A count that is a part of another one.

    Attributes:
        part: the metric that counts the part; ``whole`` what it is a part of.
        doubted: what is computed from the two.
    """

    part: str
    whole: str
    doubted: tuple[str, ...]
    message: Text
    bias: Text
    remedy: Text


RULES: Final = (
    Rule(
        part="completed",
        whole="requests",
        doubted=("failed", "failure_ratio"),
        message=Text(
            zh="{series} 在 {levels} 完成的请求比发出的还多：{worst}。",
            en="At {levels} {series} completed more requests than were sent: {worst}.",
        ),
        bias=Text(
            zh="若错在完成数，它让 {series} 显得更好：失败率被压低，请求吞吐被抬高。",
            en="If it is the completed requests that are wrong, they flatter {series}: fewer failures, more requests "
            "per second.",
        ),
        remedy=Text(
            zh="核对 requests 与 completed 两列：发出的请求数包含失败的，不含预热的。",
            en="Go over the columns requests and completed: those sent include the ones that failed, and no warm-up.",
        ),
    ),
    Rule(
        part="prompt_cache_hits",
        whole="completed",
        doubted=("prompt_cache_hit_ratio",),
        message=Text(
            zh="{series} 在 {levels} 的 prompt cache 命中数比完成的请求还多：{worst}。",
            en="At {levels} {series} has more prompt-cache hits than completed requests: {worst}.",
        ),
        bias=Text(
            zh="命中数偏大，会让 {series} 的 TTFT 与吞吐看起来比实际更靠缓存。",
            en="Too many hits make TTFT and throughput of {series} look more owed to the cache than they are.",
        ),
        remedy=Text(
            zh="看命中计数器是否从本档开始时起算，数的是请求而不是 token 或块。",
            en="See that the counter of hits begins with the level, and counts requests rather than tokens or blocks.",
        ),
    ),
)


ENDS: Final = ("requests", "completed")


@check(
    theme=LOAD,
    title=Text(zh="请求数核对", en="Requests add up"),
    question=Text(
        zh="完成的请求是否不多于发出的，缓存命中是否不多于完成的，每条请求是否都有结局？",
        en="Are no more requests completed than sent and no more hits counted than completed, and has each request an end?",
    ),
    rule=Text(
        zh="完成的多于发出的，或缓存命中多于完成的，就不通过。逐条记录里，按原因数的失败多于没有完成的，也不通过；自家采集的运行里，两者必须相等：发出的 = 完成的 + 失败的 + 取消的。",
        en="A failure where more requests were completed than sent, or more hits of a cache counted than requests completed; and where more failures have a reason on record than requests were not completed. In runs of our own client the two have to be equal: sent = completed + failed + cancelled.",
    ),
)
def requests_add_up(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series; those whose counts fit together are named together."""
    found = {series: _examine(analysis, series) for series in analysis.round.series}
    fitting = [series for series, findings in found.items() if not findings]
    findings = [finding for listed in found.values() for finding in listed]
    return [*findings, _adds_up(fitting)] if fitting else findings


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    """Return what is wrong with a series, or that it cannot be known; nothing where its counts fit together."""
    excesses = [(rule, _excesses(analysis, series, rule)) for rule in RULES]
    if not any(found for _, found in excesses):
        return [_unknown(series)]
    over = [(rule, {level: by for level, by in found.items() if by > 0}) for rule, found in excesses]
    endless = [one for one in analysis.round.requests if one[0] == series.id and _has_no_end(analysis, one)]
    return [
        *(_too_many(series, rule, found) for rule, found in over if found),
        *([_without_end(analysis, series, endless)] if endless else []),
    ]


def _ends(analysis: Analysis, trial: Trial) -> tuple[int, int]:
    """Return how many requests of a run were not completed, and how many failures have a reason on record."""
    requests = analysis.round.requests[trial]
    return len(requests) - int(requests.answered.sum()), sum(requests.kinds_of_error.values())


def _has_no_end(analysis: Analysis, trial: Trial) -> bool:
    """Say whether the reasons do not account for what was not completed; other clients leave some reasons out."""
    left, told = _ends(analysis, trial)
    return told > left or (told < left and OURS in analysis.round.described.get(trial, {}))


def _without_end(analysis: Analysis, series: Series, trials: Sequence[Trial]) -> Finding:
    levels = tuple(dict.fromkeys(level for _, level, _ in trials))
    counts = [_ends(analysis, trial) for trial in trials]
    return Finding(
        check="requests_add_up",
        status="fail",
        series=series.id,
        levels=levels,
        evidence=tuple(Address(key, "level", *trial[:2], trial=trial[2]) for trial in trials for key in ENDS),
        doubts=tuple(
            Address(key, "level", series.id, level) for level in levels for key in ("failed", "failure_ratio")
        ),
        message=say(
            zh="{series} 在 {levels} 的请求没有都交代清楚：没有完成的有 {left} 条，记下失败或取消原因的有 {told} 条。",
            en="Not every request to {series} at {levels} is accounted for: {left} were not completed, and a reason for failing "
            "or being cancelled is on record for {told}.",
            series=SeriesName(series.id),
            levels=listed_levels(series.id, levels),
            left=Count(sum(left for left, _ in counts)),
            told=Count(sum(told for _, told in counts)),
        ),
        bias=say(
            zh="下落不明的请求不进时延统计：{series} 的时延可能显得更好。",
            en="Requests that went astray are in no latency: those of {series} may look better than they are.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="从原始文件重新导入这些运行，或者重跑。",
            en="Import these runs again from the client's files, or run them again.",
        ),
    )


def _excesses(analysis: Analysis, series: Series, rule: Rule) -> dict[Level, float]:
    """Return by how much the part exceeds the whole, at each level that records both."""
    counts = {
        level: [amount(analysis, key, (series, level)) for key in (rule.part, rule.whole)] for level in series.levels
    }
    return {level: part - whole for level, (part, whole) in counts.items() if part is not None and whole is not None}


def _pair(series: Series, level: Level, rule: Rule) -> tuple[Address, Address]:
    return at_level(rule.part, series, level), at_level(rule.whole, series, level)


def _too_many(series: Series, rule: Rule, excess: dict[Level, float]) -> Finding:
    worst = max(excess, key=excess.__getitem__)
    name = SeriesName(series.id)
    return Finding(
        check="requests_add_up",
        status="fail",
        series=series.id,
        levels=tuple(level.id for level in excess),
        evidence=tuple(address for level in excess for address in _pair(series, level, rule)),
        doubts=at_levels(series, excess, *rule.doubted),
        message=Sentence(
            rule.message,
            {
                "series": name,
                "levels": level_names(series, excess),
                "worst": _worst(series, rule, worst, one_of_several=len(excess) > 1),
            },
        ),
        bias=Sentence(rule.bias, {"series": name}),
        remedy=Sentence(rule.remedy),
    )


def _worst(series: Series, rule: Rule, level: Level, *, one_of_several: bool) -> Sentence:
    part, whole = (Quantity(address) for address in _pair(series, level, rule))
    counts = say(zh="{part} 对 {whole}", en="{part} against {whole}", part=part, whole=whole)
    return worst_of(counts, FURTHEST_OFF, LevelName(series.id, level.id), one_of_several=one_of_several)


def _adds_up(series: Sequence[Series]) -> Finding:
    return Finding(
        check="requests_add_up",
        status="pass",
        message=say(
            zh="凡是有记录的档位，{series} 发出、完成与命中缓存的请求数都对得上。",
            en="Wherever they are on record, the requests of {series} sent, completed and served from a cache fit together.",
            series=series_names(one.id for one in series),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="requests_add_up",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档同时记录了发出与完成的请求数，无从检查。",
            en="No level of {series} records both the requests sent and those completed, so there is nothing to check.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=DETAILS_OF_FAILURES, table=COUNTS),
    )
