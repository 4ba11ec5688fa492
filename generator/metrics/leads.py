"""Leads: by how much the better of a pair is ahead at a level, whichever of the two it is."""

from __future__ import annotations

from typing import Final

from generator.kinds import Derivation, Metric, Parameter, Unknown
from generator.text import Text, same
from generator.themes import COMPARISON

THEME: Final = COMPARISON

RATIOS: Final = {
    "output_throughput_lead": ("throughput_ratio", Text(zh="输出吞吐", en="output throughput")),
    "itl_p50_lead": ("itl_p50_ratio", same("ITL p50")),
    "ttft_p50_lead": ("ttft_p50_ratio", same("TTFT p50")),
    "ttft_p99_lead": ("ttft_p99_ratio", same("TTFT p99")),
    "e2el_p50_lead": ("e2el_p50_ratio", same("E2EL p50")),
}
"""Each lead, the ratio that it is taken from, and what readers call the quantity."""
TITLE: Final = Text(zh="{name} 的领先倍数", en="lead in {name}")
MEANING: Final = Text(
    zh="领先一方的 {name} 比另一方好多少倍，不论领先的是哪一方：较大的 ÷ 较小的，不小于 1。",
    en="How many times better the leader's {name} is, whichever of the pair leads: the larger ÷ the smaller, never below 1.",
)
NOTHING: Final = Unknown(Text(zh="其中一方为零，没有倍数可言", en="one of the two is zero, which has no ratio"))


def _lead(key: str, ratio: str, name: Text) -> Metric:
    def lead(**given: float) -> float | Unknown:
        """Return a ratio or its inverse, whichever is above 1."""
        [value] = given.values()
        return max(value, 1 / value) if value > 0 else NOTHING

    return Metric(
        key, "pair-level", "ratio", TITLE.format(name=name), f"L_{name.en}", MEANING.format(name=name), style="times",
        derivations=[Derivation(lead, f"max({ratio}, 1 ÷ {ratio})", (Parameter(ratio, is_column=False),))],
    )  # fmt: skip


leads: Final = tuple(_lead(key, *one) for key, one in RATIOS.items())
