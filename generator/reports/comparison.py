"""The front page of a round: what was measured, who leads where, and what is wrong with it."""

from __future__ import annotations

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text


@report(
    order=10,
    title=Text(zh="结果", en="Results"),
    question=Text(
        zh="各引擎在每个负载下有多快，谁领先，数据靠得住吗？",
        en="How fast is each engine at each load, who leads, and can the data be relied on?",
    ),
    sections=("verdict", "checked", "overview", "crossover", "expectations", "next_steps"),
)
def comparison(_: Analysis) -> Text | None:
    """Every round has it: it is told of one series, too."""
    return None
