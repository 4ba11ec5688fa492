"""What the time to the first token is made of."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_TTFT: Final = Text(
    zh="没有哪一档记录了 TTFT。用流式请求采集（rounds collect 总是如此），或在 published.csv 里填 ttft_p50_ms 或 ttft_mean_ms；"
    "要把它分成排队与 prefill，还要把 server.log 或两次 /metrics 放在每次运行旁边。",
    en="No level has a TTFT. Collect with streaming, as rounds collect does, or fill in ttft_p50_ms or ttft_mean_ms of "
    "published.csv; to take it apart, put server.log or two pages of /metrics beside each run.",
)


@report(
    order=30,
    title=Text(zh="TTFT 构成", en="TTFT anatomy"),
    question=Text(
        zh="首个 token 的时间花在排队、prefill 还是别处，随输入长度怎样变？",
        en="Does the time to the first token go into queueing, prefill or elsewhere, and how does it grow with the input?",
    ),
    sections=("ttft_verdict", "ttft_by_level", "prefill_length", "ttft_neighbours", "timeline", "ttft_traps"),
)
def ttft_anatomy(analysis: Analysis) -> Text | None:
    """Want a TTFT at any level."""
    values = (
        analysis.frame.of_level(key, series.id, level.id).value
        for series in analysis.round.series
        for level in series.levels
        for key in ("ttft_p50", "ttft_mean")
    )
    return None if any(value is not None for value in values) else NO_TTFT
