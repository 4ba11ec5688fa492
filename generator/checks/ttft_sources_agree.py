"""Do the server's log and its counters tell the same queueing and the same prefill?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_level, level_names, number_at, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import FIRST_TOKEN
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF
from generator.told.sentence import Quantity, SeriesName, say
from generator.values import Address

LEAST: Final = 0.002
"""Seconds by which both may differ in any case: clocks are joined, and counters may hold warm-up requests."""
SHARE: Final = 0.1
"""Share of the larger by which they may."""
PARTS: Final = {"ttft_queue": Text(zh="排队", en="queueing"), "ttft_prefill": same("prefill")}


@dataclass(frozen=True, slots=True)
class Pair:
    """A part of the TTFT that both sources tell of one level."""

    level: Level
    part: Text
    log: Address
    counters: Address
    off: float
    allowed: float

    @property
    def differs(self) -> bool:
        """Say whether both are further apart than they may be."""
        return self.off > self.allowed


@check(
    theme=FIRST_TOKEN,
    title=Text(zh="日志与计数器说的 TTFT 各部分", en="Parts of the TTFT, by log and by counters"),
    question=Text(
        zh="服务端日志与 /metrics 给出的排队、prefill 一致吗？",
        en="Do the server's log and /metrics give the same queueing and prefill?",
    ),
    rule=Text(
        zh="同一档的同一部分，两个来源之差超过 {least} ms，也超过较大者的 {share}，就警告。",
        en="A warning where both sources of a part differ by more than {least} ms and by more than {share} of the larger.",
    ).format(least=f"{LEAST * 1000:g}", share=f"{SHARE:.0%}"),
)
def ttft_sources_agree(analysis: Analysis) -> Sequence[Finding]:
    """Compare what two sources tell of each level."""
    pairs = {series: found for series in analysis.round.series if (found := _pairs(analysis, series))}
    return [_finding(series, found) for series, found in pairs.items()] or [_one_source()]


def _pairs(analysis: Analysis, series: Series) -> list[Pair]:
    found = []
    for level in series.levels:
        for key, name in PARTS.items():
            both = [at_level(key, series, level)._replace(basis=basis) for basis in ("log", "metrics")]
            told = [number for address in both if (number := number_at(analysis, address)) is not None]
            if len(told) == len(both):
                allowed = max(LEAST, SHARE * max(told))
                found.append(Pair(level, name, both[0], both[1], max(told) - min(told), allowed))
    return found


def _finding(series: Series, pairs: list[Pair]) -> Finding:
    apart = [pair for pair in pairs if pair.differs]
    evidence = tuple(address for pair in apart or pairs for address in (pair.log, pair.counters))
    name = SeriesName(series.id)
    if not apart:
        agreed = say(
            zh="{s} 的日志与计数器对得上：凡是两边都说的部分，差别都在容许之内。",
            en="Log and counters of {s} agree on every part that both tell.",
            s=name,
        )
        return Finding("ttft_sources_agree", "pass", agreed, series.id, evidence=evidence)
    worst = max(apart, key=lambda pair: pair.off / pair.allowed)
    levels = list(dict.fromkeys(pair.level for pair in apart))
    told = say(
        zh="{part}按日志是 {log}，按计数器是 {counters}",
        en="{part} is {log} by the log and {counters} by the counters",
        part=worst.part,
        log=Quantity(worst.log),
        counters=Quantity(worst.counters),
    )
    return Finding(
        check="ttft_sources_agree",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=evidence,
        message=say(
            zh="{s} 在 {levels} 的日志与计数器对不上：{worst}。",
            en="At {levels} the log and the counters of {s} disagree: {worst}.",
            s=name,
            levels=level_names(series, levels),
            worst=worst_level(told, FURTHEST_OFF, series, worst.level, levels),
        ),
        remedy=say(
            zh="看两份文件是不是同一次运行的，/metrics 是否在预热之后才保存；llama.cpp 以日志为准。",
            en="See whether both files are of the same run, and whether /metrics was saved after the warm-up; of llama.cpp, go by "
            "the log.",
        ),
    )


def _one_source() -> Finding:
    message = say(
        zh="没有哪一档的日志与 /metrics 都给出了排队或 prefill，无从对照。",
        en="At no level do both a log and /metrics tell queueing or prefill, so there is nothing to compare.",
    )
    return Finding("ttft_sources_agree", "pass", message, is_empty=True)
