"""Did the server count the tokens that the client counted? Both know the run, and neither asks the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from generator.across.levels import at_level, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import SERVER
from generator.told.findings import Finding
from generator.told.quoting import listed_levels
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

SURPLUS: Final = {
    "server_output_tokens": "server_output_token_surplus",
    "server_prompt_tokens": "server_prompt_token_surplus",
}
"""What the server counts, and by how much that is above what the client counts."""
NAMES: Final = {
    "server_output_tokens": Text(zh="输出 token", en="output tokens"),
    "server_prompt_tokens": Text(zh="输入 token", en="prompt tokens"),
}
HALF: Final = 0.5
"""Counts are whole: less than this apart is the same."""
Verdict = Literal["same", "of_failures", "of_cache", "open"]


@dataclass(frozen=True, slots=True)
class Compared:
    """One count of one run, by the server and by the client.

    ``cached`` are the prompt tokens that the server says it had no need to process; None where it does not say.
    """

    level: Level
    counted: Address
    surplus: float
    failed: float
    cached: float | None

    @property
    def difference(self) -> Address:
        """Return where the difference stands."""
        return self.counted._replace(metric=SURPLUS[self.counted.metric])

    @property
    def verdict(self) -> Verdict:
        """Say what becomes of the difference."""
        if abs(self.surplus) < HALF:
            return "same"
        is_prompt = self.counted.metric == "server_prompt_tokens"
        if is_prompt and self.cached is not None and abs(self.surplus + self.cached) < HALF:
            return "of_cache"
        return "of_failures" if self.failed and self.surplus > 0 else "open"


@check(
    theme=SERVER,
    title=Text(zh="服务端与客户端的 token 计数", en="Tokens counted by server and client"),
    question=Text(
        zh="服务端计数器的增量是否等于客户端统计到的 token，含预热？",
        en="Did the server's counters grow by the tokens that the client counted, warm-up included?",
    ),
    rule=Text(
        zh="服务端计数器的增量与客户端统计到的 token（含预热）哪怕只差一个，也警告；差额正好来自失败的请求或 prompt cache 的，只提示。",
        en="A warning where the server's counters did not grow by exactly the tokens that the client counted, warm-up included: one token apart is enough. Only a note where failed requests or the prompt cache explain the difference.",
    ),
)
def server_counts(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose server was asked for its counters, or could have been."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    compared = list(_compared(analysis, series))
    if not compared:
        return [_unknown(series)] if _is_ours(analysis, series) else []
    groups = [(verdict, [one for one in compared if one.verdict == verdict]) for verdict in EXPLAINED]
    return [_differ(series, verdict, group) for verdict, group in groups if group] or [_agree(series, compared)]


def _compared(analysis: Analysis, series: Series) -> Iterator[Compared]:
    for level in series.levels:
        for trial in level.runs:
            for metric, surplus in SURPLUS.items():
                counted = at_level(metric, series, level, trial)
                number = number_at(analysis, counted._replace(metric=surplus))
                if number is not None:
                    failed = number_at(analysis, counted._replace(metric="failed")) or 0.0
                    cached = number_at(analysis, counted._replace(metric="server_cached_prompt_tokens"))
                    yield Compared(level, counted, number, failed, cached)


def _is_ours(analysis: Analysis, series: Series) -> bool:
    """Say whether our own client drove a series: what it counted before the clock is on record."""
    found = (at_level("warm_up_requests", series, level) for level in series.levels)
    return bool(analysis.frame.known(found))


OPEN: Final = Text(
    zh="{series} 在 {levels} 的{counts}，服务端与客户端计得不一样：差得最多的是 {level}，服务端多计 {worst}（负数为少计）。",
    en="At {levels} the server of {series} and the client count {counts} differently: most of all at {level}, where the server "
    "counts {worst} beyond the client's (fewer where negative).",
)
OF_FAILURES: Final = Text(
    zh="{series} 在 {levels} 的{counts}，服务端计得比客户端多，最多的是 {level} 的 {worst}：有请求失败，服务端为它们算出的 token "
    "没有进任何一条完整的回答。",
    en="At {levels} the server of {series} counts more {counts} than the client, most of all {worst} at {level}: requests "
    "failed, and what it worked out for them is in no whole answer.",
)
OF_CACHE: Final = Text(
    zh="{series} 在 {levels} 的{counts}，服务端计得比客户端少，差额（{level} 是 {worst}）正是它从 prompt cache 取用的：它没有再算这些 token。",
    en="At {levels} the server of {series} counts fewer {counts} than the client, by just what it took from its prompt cache "
    "({worst} at {level}): it did not work those out again.",
)
EXPLAINED: Final[dict[Verdict, Text]] = {"open": OPEN, "of_failures": OF_FAILURES, "of_cache": OF_CACHE}
REMEDIES: Final[dict[Verdict, Sentence]] = {
    "open": say(
        zh="查明是否有别的客户端同时在问，服务端是否在计数之间重启过，usage 是否可信。",
        en="See whether another client asked at the same time, the server was started anew in between, or its usage is not "
        "to be trusted.",
    ),
    "of_failures": say(zh="先查清请求为何失败。", en="See first why requests failed."),
    "of_cache": say(
        zh="prompt 本不该重复；关掉 prompt cache，或换一个 seed。",
        en="Prompts are not meant to repeat: switch the prompt cache off, or take another seed.",
    ),
}


def _differ(series: Series, verdict: Verdict, group: Sequence[Compared]) -> Finding:
    worst = max(group, key=lambda one: abs(one.surplus))
    levels = tuple(dict.fromkeys(one.level.id for one in group))
    names = tuple(dict.fromkeys(NAMES[one.counted.metric] for one in group))
    parts: dict[str, Part] = {
        "series": SeriesName(series.id),
        "levels": listed_levels(series.id, levels),
        "counts": Listing(names),
        "level": LevelName(series.id, worst.level.id),
        "worst": Quantity(worst.difference),
    }
    return Finding(
        check="server_counts",
        status="warn" if verdict == "open" else "note",
        series=series.id,
        levels=levels,
        evidence=_evidence(group),
        message=Sentence(EXPLAINED[verdict], parts),
        remedy=REMEDIES[verdict],
    )


def _evidence(group: Sequence[Compared]) -> tuple[Address, ...]:
    return tuple(address for one in group for address in (one.counted, one.difference))


def _agree(series: Series, compared: Sequence[Compared]) -> Finding:
    return Finding(
        check="server_counts",
        status="pass",
        series=series.id,
        levels=tuple(dict.fromkeys(one.level.id for one in compared)),
        evidence=_evidence(compared),
        message=say(
            zh="凡是问到了计数器的地方，{series} 的服务端与客户端统计到的 token 一个不差，含预热。",
            en="Wherever its counters were asked for, the server of {series} and the client count the same tokens, warm-up "
            "included.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="server_counts",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 的服务端没有给出计数器，或者客户端没有收到 usage：两边的 token 无从对照。",
            en="The server of {series} gave no counters, or the client got no usage: their tokens cannot be compared.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="打开服务端的 /metrics（llama.cpp 用 --metrics）。",
            en="Switch on /metrics of the server (with --metrics, for llama.cpp).",
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="server_counts",
        status="pass",
        message=say(
            zh="没有哪一档记下了服务端的计数器，没有可对照的。",
            en="No level has counters of the server on record, so there are none to compare.",
        ),
        is_empty=True,
    )
