"""Next steps: what the findings and the gaps of this round ask for."""

from __future__ import annotations

from typing import Final

from generator.blocks import Steps
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Series
from generator.quoting import pair_value
from generator.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

UNEQUAL_POOLS: Final = 1.5
"""Ratio of KV pools above which memory is compared at different capacities."""
ROOM: Final = 2.0
"""Distance of two concurrencies that leaves room for a level between them."""


@section(order=160)
def next_steps(analysis: Analysis) -> Chapter | None:
    """List the remedies of what failed or warned, and what would sharpen the conclusions."""
    steps = _remedies(analysis)
    for compared in analysis.round.compared:
        steps += [step for step in (_bracket(analysis, compared), _pools(analysis, compared)) if step is not None]
    if not steps and analysis.round.prose_of("next_steps", "en") is None:
        return None
    heading = say(zh="下一步：这一轮之后该补什么", en="Next steps: what this round asks for")
    return Chapter(heading, (Steps(tuple(steps)),) if steps else ())


def _remedies(analysis: Analysis) -> list[Sentence]:
    """Return what failures and warnings ask for, once for all series that are asked the same."""
    asked = [
        (finding.series, finding.remedy)
        for finding in analysis.findings
        if finding.status in ("fail", "warn") and finding.remedy is not None
    ]
    told: list[tuple[Sentence, list[str]]] = []
    for series, remedy in asked:
        names = [] if series is None or len(analysis.round.series) == 1 else [series]
        alike = next((listed for one, listed in told if _sense(one) == _sense(remedy)), None)
        if alike is None:
            told.append((remedy, names))
        else:
            alike += names
    return [_with_names(remedy, names) for remedy, names in told]


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


def _with_names(remedy: Sentence, series: list[str]) -> Sentence:
    if not series:
        return remedy
    names = Listing(tuple(SeriesName(one) for one in dict.fromkeys(series)))
    return say(zh="{s}：{step}", en="{s}: {step}", s=names, step=remedy)


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
        c=pair_value("crossover_concurrency", compared.id, decimals=1),
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
