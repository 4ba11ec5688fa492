"""Where the time goes: what a step waits for, and where a gap between engines comes from."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_MECHANISM: Final = Text(
    zh="没有哪个系列有能拆开来看的数据：权重与带宽（字节账与下限要用）、时延的均值与中位数、显存，都没有记录。在 [[series]] 里填 weight_bytes，在 [hardware] 里填 memory_bandwidth_gb_s，用流式请求采集。",
    en="No series has data that can be taken apart: neither weights and a bandwidth, which ledger and floor need, nor mean and median "
    "latencies, nor memory are on record. Fill in weight_bytes of [[series]] and memory_bandwidth_gb_s of [hardware], and collect with streaming.",
)


@report(
    order=15,
    title=Text(zh="时间花在哪里", en="Where the time goes"),
    question=Text(
        zh="一步在等什么，离硬件下限多远，引擎之间的差距又从哪里来？",
        en="What does a step wait for, how far is it from its floor, and where does a gap between engines come from?",
    ),
    sections=("byte_ledger", "batching", "prefill", "waves", "stalls", "distributions", "anomaly", "memory"),
    continues=True,
    needs=NO_MECHANISM,
)
def mechanism(_: Analysis) -> Text | None:
    """Want nothing beyond what its sections do: it is made where any of them has something to tell."""
    return None
