"""What the parts of the TTFT are computed from: times in the server's log, the client's clock, sums of histograms."""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, logged, observed
from generator.places import counters, record
from generator.text import Text
from generator.themes import FIRST_TOKEN

THEME: Final = FIRST_TOKEN

log_launch_clocks = logged(
    "launch_clocks",
    "s",
    "Σt_launch",
    title=Text(zh="日志里受理时刻之和", en="times of taking up in the log, added up"),
    meaning=Text(
        zh="各请求放进槽位的时刻之和，按采集机的 CLOCK_MONOTONIC；日志自带的时刻更细，换算到这个时钟上。",
        en="The times at which requests were put into slots, on CLOCK_MONOTONIC of the machine that collected, added up. The "
        "finer times of the log itself are carried over to it.",
    ),
)
log_prompt_seconds = logged(
    "prompt_seconds",
    "s",
    "Σt_prompt,log",
    title=Text(zh="日志里的 prefill 时间之和", en="prefill times in the log, added up"),
    meaning=Text(zh="各请求的 prompt eval 时间之和。", en="The prompt eval times of all requests, added up."),
)
first_sent_clock = observed(
    "first_sent_clock",
    scope="level",
    unit="s",
    symbol="t_first",
    digits=12,
    places=[record("level.json", "summary.first_sent_mono_ns", "ns")],
    title=Text(zh="第一条请求发出的时刻", en="time of the first sending"),
    meaning=Text(
        zh="计时开始、第一条请求发出的时刻，按采集机的 CLOCK_MONOTONIC。",
        en="When the first timed request was sent, on CLOCK_MONOTONIC of the machine that collected.",
    ),
)

MEANING: Final = Text(
    zh="服务端计数器在本次运行中的增量：rounds collect 从预热结束时算起，自己保存的 /metrics 则是两页之间。",
    en="Growth of the server's counter over the run: from the end of the warm-up on as rounds collect takes it, else between the "
    "pages of /metrics that were saved.",
)
WITH_WARM_UP: Final = Text(
    zh="服务端计数器在本次运行中的增量，含预热。", en="Growth of the server's counter over the run, warm-up included."
)


def _counted(name: str, unit: str, symbol: str, title: Text, meaning: Text = MEANING) -> Metric:
    return observed(
        f"server_{name}", scope="level", unit=unit, symbol=symbol, digits=9, title=title, meaning=meaning,
        places=[counters(name, unit), record("level.json", f"summary.server_{name}", unit)],
    )  # fmt: skip


histograms: Final = (
    _counted(
        "queue_seconds", "s", "Σt_queue,server",
        Text(zh="服务端排队时间之和", en="queueing of all requests by the server"),
    ),
    _counted(
        "queue_count", "1", "N_queue,server", Text(zh="服务端计过排队的请求数", en="requests with queueing on record")
    ),
    _counted(
        "prefill_seconds", "s", "Σt_prefill,server",
        Text(zh="服务端 prefill 时间之和", en="prefill of all requests by the server"),
    ),
    _counted(
        "prefill_count", "1", "N_prefill,server",
        Text(zh="服务端计过 prefill 的请求数", en="requests with prefill on record"),
    ),
    _counted("ttft_seconds", "s", "ΣTTFT_server", Text(zh="服务端 TTFT 之和", en="TTFT of all requests by the server")),
    _counted("ttft_count", "1", "N_TTFT,server", Text(zh="服务端计过 TTFT 的请求数", en="requests with a TTFT on record")),
    _counted(
        "prompt_seconds", "s", "Σt_prompt,server",
        Text(zh="服务端处理 prompt 的时间", en="time that the server spent on prompts"), WITH_WARM_UP,
    ),
)  # fmt: skip
