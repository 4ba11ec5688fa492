"""Whether the KV pool fills in line with the tokens in flight, and what of it is held for nothing."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_GAUGES: Final = Text(
    zh="运行期间没有采样引擎自报的量（/metrics、/slots）。用 rounds collect 测量时会采样；间隔由 [workload] 的 sample_every_s 决定。",
    en="What the engine says of itself (/metrics, /slots) was not sampled during the runs. rounds collect does so as it measures; "
    "sample_every_s in [workload] sets how often.",
)


@report(
    order=40,
    title=Text(zh="KV 占用", en="KV linearity"),
    question=Text(
        zh="每个在途 token 实际占多少 KV，与公式相符吗，又有多少被白白占住？",
        en="How much KV does a token in flight really take, does it match the formula, and how much is reserved but unused?",
    ),
    sections=("kv_linearity", "gauges", "kv_account", "kv_rounding", "kv_traps"),
)
def kv_linearity(analysis: Analysis) -> Text | None:
    """Want a run during which the engine was sampled."""
    sampled = (requests.gauges is not None for requests in analysis.round.requests.values())
    return None if any(sampled) else NO_GAUGES
