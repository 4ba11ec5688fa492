"""Next steps: what the findings and the gaps of this round ask for."""

from __future__ import annotations

from generator.blocks import Steps
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Series
from generator.quoting import pair_value
from generator.sentence import LevelName, Sentence, SeriesName, say

UNEQUAL_POOLS = 1.5
"""Ratio of KV pools above which memory is compared at different capacities."""


@section(order=160)
def next_steps(analysis: Analysis) -> Chapter | None:
    """List the remedies of what failed or warned, and what would sharpen the conclusions."""
    steps = [f.remedy for f in analysis.findings if f.status in ("fail", "warn") and f.remedy is not None]
    for compared in analysis.round.compared:
        steps += [step for step in (_bracket(analysis, compared), _pools(analysis, compared)) if step is not None]
    if not steps:
        return None
    return Chapter(
        say(zh="下一步：这一轮之后该补什么", en="Next steps: what this round asks for"), (Steps(tuple(steps)),)
    )


def _bracket(analysis: Analysis, compared: Series) -> Sentence | None:
    """Ask for a level inside the bracket of the crossover."""
    crossing = analysis.frame.of_pair("crossover_concurrency", compared.id)
    if crossing.value is None:
        return None
    low, high = (i.address for i in crossing.inputs if i.name == "throughput_ratio")
    return say(
        zh="在 {low} 与 {high} 之间加测一两档：{s} 的交叉点 C ≈ {c} 是由这两档插值来的。",
        en="Add a level or two between {low} and {high}: the crossover of {s}, C ≈ {c}, is interpolated from these.",
        low=LevelName(compared.id, low.level or ""),
        high=LevelName(compared.id, high.level or ""),
        s=SeriesName(compared.id),
        c=pair_value("crossover_concurrency", compared.id, decimals=1),
    )


def _pools(analysis: Analysis, compared: Series) -> Sentence | None:
    ratio = analysis.frame.of_pair("kv_pool_ratio", compared.id).value
    if ratio is None or 1 / UNEQUAL_POOLS < ratio < UNEQUAL_POOLS:
        return None
    return say(
        zh="把 {s} 的 KV 池配成与基线相同的 token 数再测：现在两边相差 {r}，显存不可比。",
        en="Give {s} a KV pool of as many tokens as the baseline's: at a ratio of {r} their memory cannot be compared.",
        s=SeriesName(compared.id),
        r=pair_value("kv_pool_ratio", compared.id),
    )
