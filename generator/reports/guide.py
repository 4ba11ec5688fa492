"""The selection guide: which engine for which load, on which terms, and what the data cannot decide."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_LEVEL: Final = Text(
    zh="没有哪个系列有可用的档位，选型无从谈起。用 rounds collect 测量，或在 published.csv 里每个并发（或到达率）填一行。",
    en="No series has a usable level, so there is nothing to choose by. Measure with rounds collect, or give published.csv a row for "
    "each concurrency (or rate).",
)


@report(
    order=80,
    title=Text(zh="选型指南", en="Selection guide"),
    question=Text(
        zh="什么负载用哪个引擎，依据是什么，有多大把握，哪些问题这些数据答不了？",
        en="Which engine for which load, on what grounds and how surely, and what can these data not decide?",
    ),
    sections=(
        "guide_verdict", "guide_demands", "guide_matrix", "guide_slo", "guide_start", "guide_cost", "guide_calculator",
        "guide_memory", "guide_runbook", "guide_traffic", "guide_terms",
    ),
)  # fmt: skip
def guide(analysis: Analysis) -> Text | None:
    """Want a level that conclusions may rest on."""
    return None if any(analysis.usable(series.id) for series in analysis.round.series) else NO_LEVEL
