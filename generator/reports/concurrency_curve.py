"""How throughput and latency go with the load: where the engine is full, and what fills it."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

FEWEST: Final = 3
"""Levels that a curve needs: two are a line."""
NO_LADDER: Final = Text(
    zh="没有哪个系列有三个以上只有负载不同的可用档位。在 round.toml 里写几个并发（或到达率）不同、长度相同的 [[level]]，例如从一开始每次翻倍，再用 rounds collect 测量。",
    en="No series has three usable levels or more that differ in the load alone. Write several [[level]] of different concurrency "
    "(or rate) and the same lengths in round.toml, doubling from one, for example, and measure with rounds collect.",
)


@report(
    order=20,
    title=Text(zh="并发曲线", en="Concurrency curve"),
    question=Text(
        zh="负载加到多少引擎就满了，先碰到哪堵墙，多出来的吞吐要用多少时延去换？",
        en="At which load is each engine full, which bound does it meet first, and what latency does more throughput cost?",
    ),
    sections=(
        "curve", "curve_throughput", "curve_latency", "curve_efficiency", "curve_goodput", "curve_gauges", "timeline",
        "curve_walls", "curve_traps",
    ),
)  # fmt: skip
def concurrency_curve(analysis: Analysis) -> Text | None:
    """Want three levels of a ladder."""
    lengths = (len({level.load for level in ladder(analysis, series)}) for series in analysis.round.series)
    return None if any(length >= FEWEST for length in lengths) else NO_LADDER
