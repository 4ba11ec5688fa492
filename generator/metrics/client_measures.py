"""What our own client says of itself: whether it kept up with the load that it drove."""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, observed
from generator.places import column, counters
from generator.text import Text
from generator.themes import CLIENT
from generator.told.sentence import Style

THEME: Final = CLIENT

PAGES: Final = {"server_prompt_tokens": "prompt_tokens", "server_output_tokens": "generation_tokens"}
"""Metrics that saved pages of /metrics tell as well, and the counter of each."""


def _of_client(key: str, unit: str, symbol: str, title: Text, meaning: Text, style: Style = "plain") -> Metric:
    pages = [counters(PAGES[key], unit)] if key in PAGES else []
    return observed(
        key, scope="level", unit=unit, symbol=symbol, title=title, meaning=meaning, style=style,
        places=[column(f"{key}_ms" if unit == "ms" else key, unit), *pages],
    )  # fmt: skip


client_measures = (
    _of_client(
        "client_cpu_share", "ratio", "u_client",
        Text(zh="客户端 CPU 占用", en="CPU share of the client"),
        Text(
            zh="客户端进程的 CPU 时间 ÷ 实际耗时，有多个进程时取最忙的那个；接近一整个核时，测得的时延就有一部分来自客户端本身。",
            en="CPU time of the client's process ÷ wall time, of several that of the busiest; near one whole core it measures "
            "itself in part.",
        ),
        style="percent",
    ),
    _of_client(
        "client_processes", "1", "N_proc",
        Text(zh="客户端进程数", en="processes of the client"),
        Text(zh="一起施加这一档负载的客户端进程。", en="Processes that drove the level together."),
    ),
    _of_client(
        "client_cpu_total", "ratio", "u_client,Σ",
        Text(zh="客户端 CPU 占用合计", en="CPU share of the client in all"),
        Text(
            zh="全部客户端进程的 CPU 占用之和；1 是一整个核。",
            en="CPU shares of all its processes, added up; 1 is a whole core.",
        ),
        style="percent",
    ),
    _of_client(
        "client_schedule_lag_p99", "ms", "δ_sent",
        Text(zh="发送滞后 p99", en="lag of sending, p99"),
        Text(zh="请求比计划晚多久发出。", en="How much later than planned requests were sent."),
    ),
    _of_client(
        "client_schedule_lag_mean", "ms", "δ̄_sent",
        Text(zh="发送滞后均值", en="lag of sending, mean"),
        Text(zh="请求平均比计划晚多久发出。", en="How much later than planned requests were sent on average."),
    ),
    _of_client(
        "client_loop_lag_p99", "ms", "δ_loop",
        Text(zh="事件循环滞后 p99", en="event-loop lag p99"),
        Text(zh="定时器晚多久才被处理。", en="How late the client was for a timer."),
    ),
    _of_client(
        "client_kernel_stamps", "ratio", "f_kernel",
        Text(zh="内核时间戳的份额", en="share of kernel stamps"),
        Text(
            zh="由内核记下到达时刻的读取所占的份额；其余用客户端自己的时钟。",
            en="Share of reads whose time of arrival the kernel took; the others have the client's own clock.",
        ),
        style="percent",
    ),
    _of_client(
        "client_chunks_per_read", "1", "n_read",
        Text(zh="每次读取的 chunk 数", en="chunks per read"),
        Text(zh="一次读取里同时拿到的 chunk 数；它们的时刻相同。", en="Chunks that came in one read; they share its time."),
    ),
    _of_client(
        "client_retries", "1", "N_retry",
        Text(zh="重发数", en="requests sent again"),
        Text(
            zh="因长连接已被服务端关闭而重发的请求。", en="Requests sent again because the server had closed the kept connection."
        ),
    ),
    _of_client(
        "server_prompt_tokens", "tok", "Σn_in,server",
        Text(zh="服务端计的输入 token", en="prompt tokens counted by the server"),
        Text(
            zh="服务端计数器从本档第一条请求之前到最后一条之后的增量，含预热。",
            en="Growth of the server's counter from before the first request of the level to after the last, warm-up included.",
        ),
    ),
    _of_client(
        "server_output_tokens", "tok", "Σn_out,server",
        Text(zh="服务端计的输出 token", en="output tokens counted by the server"),
        Text(
            zh="服务端计数器从本档第一条请求之前到最后一条之后的增量，含预热。",
            en="Growth of the server's counter from before the first request of the level to after the last, warm-up included.",
        ),
    ),
)  # fmt: skip
