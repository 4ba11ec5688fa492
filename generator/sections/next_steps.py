"""Next steps: what the findings and the gaps of this round ask for, first what unlocks most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Steps
from generator.told.findings import GRAVE, Finding
from generator.told.quoting import crossing_of, pair_value, passage, series_names
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

UNEQUAL_POOLS: Final = 1.5
"""Ratio of KV pools above which memory is compared at different capacities."""
ROOM: Final = 2.0
"""Distance of two concurrencies that leaves room for a level between them."""
MOST: Final = 8
"""Steps that a report lists; the others unfold."""
MEASURE: Final = say(zh="重新测量", en="Measure again")
RECORD: Final = say(
    zh="补全记录（括号里是补上之后能做的自检）", en="Complete the record (in parentheses, what can then be checked)"
)


@dataclass(slots=True)
class Asked:
    """One remedy, with the series that are asked for it and the checks that ask."""

    remedy: Sentence
    series: list[str | None] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)

    @property
    def weight(self) -> tuple[int, int]:
        """Return how many checks it would serve, and of how many series."""
        return len(set(self.checks)), len(set(self.series))


@section()
def next_steps(analysis: Analysis) -> Chapter | None:
    """List what to measure again, and what to record; the authors' own steps stand above both."""
    measured = (*_brackets(analysis), *_repairs(analysis), *_equal_pools(analysis))
    recorded = tuple(_gaps(analysis))
    if not measured and not recorded and analysis.round.prose_of("next_steps", "en") is None:
        return None
    room = max(MOST - len(measured), MOST // 2)
    blocks: list[Block] = [
        Steps(heading, steps[:most], steps[most:])
        for heading, steps, most in ((MEASURE, measured, MOST - min(room, len(recorded))), (RECORD, recorded, room))
        if steps
    ]
    return Chapter(say(zh="下一步：这一轮之后该补什么", en="Next steps: what this round asks for"), tuple(blocks))


def _repairs(analysis: Analysis) -> Iterator[Sentence]:
    """Yield what failures and warnings ask for, first those that keep levels out of every conclusion."""
    grave = [finding for finding in analysis.findings if finding.status in GRAVE]
    grave.sort(key=lambda finding: not finding.spoils)
    return (_for_series(analysis, asked) for asked in _asked(grave))


def _brackets(analysis: Analysis) -> Iterator[Sentence]:
    """Yield what helps most to choose: levels at the crossover of each pair."""
    yield from (step for one in analysis.round.compared if (step := _bracket(analysis, one)) is not None)


def _equal_pools(analysis: Analysis) -> Iterator[Sentence]:
    """Yield what would make the memory of each pair comparable."""
    yield from (step for one in analysis.round.compared if (step := _pools(analysis, one)) is not None)


def _gaps(analysis: Analysis) -> Iterator[Sentence]:
    """Yield what would have to be recorded for checks that could not decide; first what serves most of them."""
    unknown = [finding for finding in analysis.findings if finding.status == "unknown"]
    for asked in sorted(_asked(unknown), key=lambda asked: asked.weight, reverse=True):
        titles = (analysis.titles.get(check, same(check)) for check in dict.fromkeys(asked.checks))
        named = Sentence(UNLOCKS, {"checks": Listing(tuple(titles))})
        everyone = set(asked.series) >= {series.id for series in analysis.round.series}
        yield passage(asked.remedy if everyone else _for_series(analysis, asked), named)


UNLOCKS: Final = Text(zh="（{checks}）", en="({checks})")


def _asked(findings: Iterable[Finding]) -> list[Asked]:
    """Return what findings ask for, once for all that ask the same."""
    told: list[tuple[object, Asked]] = []
    for finding in findings:
        if finding.remedy is None:
            continue
        sense = _sense(finding.remedy)
        asked = next((listed for one, listed in told if one == sense), None)
        if asked is None:
            asked = Asked(finding.remedy)
            told.append((sense, asked))
        asked.series.append(finding.series)
        asked.checks.append(finding.check)
    return [asked for _, asked in told]


def _sense(part: Part) -> object:
    """Return what a sentence says, whichever series it says it of."""
    match part:
        case Sentence(text, parts):
            return text, {name: _sense(one) for name, one in parts.items()}
        case LevelName(_, level):
            return level
        case Listing(parts):
            return [_sense(one) for one in parts]
        case _:
            return part


def _for_series(analysis: Analysis, asked: Asked) -> Sentence:
    """Return a remedy behind the names of the series that it is for; a series alone is not named."""
    series = dict.fromkeys(one for one in asked.series if one is not None)
    if not series or len(analysis.round.series) == 1:
        return asked.remedy
    return say(zh="{s}：{step}", en="{s}: {step}", s=series_names(series), step=asked.remedy)


def _bracket(analysis: Analysis, compared: Series) -> Sentence | None:
    """Ask for a level inside the bracket of the crossover, where one fits in."""
    crossing = analysis.frame.of_pair("crossover_concurrency", compared.id)
    if crossing.value is None:
        return None
    loads = {level.id: level.load for level in compared.levels}
    low, high = (i.address.level or "" for i in crossing.inputs if i.name == "throughput_ratio")
    if loads[high] - loads[low] < ROOM:
        return None
    return say(
        zh="在 {low} 与 {high} 之间加测一两档：{s} 的交叉点 C ≈ {c} 只是在这两档之间插值得来的。",
        en="Add a level or two between {low} and {high}: the crossover of {s} at C ≈ {c} is only interpolated between these.",
        low=LevelName(compared.id, low),
        high=LevelName(compared.id, high),
        s=SeriesName(compared.id),
        c=crossing_of("crossover_concurrency", compared.id),
    )


def _pools(analysis: Analysis, compared: Series) -> Sentence | None:
    ratio = analysis.frame.of_pair("kv_pool_ratio", compared.id).value
    if ratio is None or 1 / UNEQUAL_POOLS < ratio < UNEQUAL_POOLS:
        return None
    return say(
        zh="给 {s} 配一个与基线 token 数相同的 KV 池再测：现在它的池子是基线的 {r}，显存占用不可比。",
        en="Give {s} a KV pool of as many tokens as the baseline's and measure again: now it is {r} that size, and "
        "memory use cannot be compared.",
        s=SeriesName(compared.id),
        r=pair_value("kv_pool_ratio", compared.id),
    )
