"""The front page of a round: what was measured, who leads where, and what is wrong with it."""

from __future__ import annotations

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text


@report(
    order=10,
    title=Text(zh="对比", en="Comparison"),
    question=Text(
        zh="各引擎在每个负载下快多少，差距从哪里来？", en="How fast is each engine at each load, and where does the gap come from?"
    ),
    sections=(
        "verdict", "checked", "overview", "terms", "crossover", "byte_ledger", "prefill", "batching", "waves", "stalls",
        "distributions", "anomaly", "memory", "definitions", "client_statistics", "machine", "instrument", "data",
        "findings", "expectations", "next_steps",
    ),
)  # fmt: skip
def comparison(_: Analysis) -> Text | None:
    """Every round has it: it is told of one series, too."""
    return None
