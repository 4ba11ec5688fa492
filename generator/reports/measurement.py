"""How a round was measured, what its quantities mean, and all of its data."""

from __future__ import annotations

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text


@report(
    order=100,
    title=Text(zh="测量与数据", en="Measurement and data"),
    question=Text(
        zh="这些数按什么定义、在什么机器上、用什么工具量出来，全部数据是哪些，能不能信？",
        en="By which definitions, on which machine and with which tool were the numbers taken, what are all of them, and can they be trusted?",
    ),
    sections=("terms", "definitions", "machine", "instrument", "client_statistics", "data", "findings"),
    continues=True,
)
def measurement(_: Analysis) -> Text | None:
    """Every round has it: there is a table of whatever was measured."""
    return None
