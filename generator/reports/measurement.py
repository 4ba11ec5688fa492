"""How a round was measured, what its quantities mean, and all of its data."""

from __future__ import annotations

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text


@report(
    order=100,
    title=Text(zh="测量与数据", en="Measurement and data"),
    question=Text(
        zh="这些数是在什么机器上、用什么工具、按什么定义量出来的，全部数据在哪里？",
        en="On which machine, with which tool and by which definitions were the numbers taken, and what are all of them?",
    ),
    sections=("terms", "definitions", "machine", "instrument", "client_statistics", "data"),
    continues=True,
)
def measurement(_: Analysis) -> Text | None:
    """Every round has it: there is a table of whatever was measured."""
    return None
