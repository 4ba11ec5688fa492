"""The TTFT in parts: what a request waits before the server takes it up, its prefill, and what is left over.

All are means over the requests of a run: means of parts add up to the mean of the whole, and no request of the server
has to be matched with one of the client. There are two sources, the server's log and its counters; what both tell is
there with the basis of each.
"""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric
from generator.text import Text
from generator.themes import FIRST_TOKEN

THEME: Final = FIRST_TOKEN

NO_MORE: Final = 0.1
"""Share of the TTFT by which its parts may exceed it: clocks are joined, and counters may hold warm-up requests."""
LEAST: Final = 0.002
"""Seconds by which they may in any case."""

OTHER_REQUESTS: Final = Unknown(
    Text(
        zh="日志受理的请求数与客户端发出并得到回答的不同，均值不是同一批请求的",
        en="the log took up another number of requests than the client sent and saw answered: the means are not of the same",
    )
)
OTHER_CLOCK: Final = Unknown(
    Text(
        zh="日志里受理请求的时刻落在运行之外，两边的时钟不是同一个",
        en="the log takes requests up outside the run: its clock is not that of the client",
    )
)
TOO_LARGE: Final = Unknown(
    Text(
        zh="各部分之和超过 TTFT 均值，服务端计的不是这批请求，例如计数器里有预热请求",
        en="the parts exceed the mean TTFT: the server speaks of other requests, as of the warm-up ones in its counters",
    )
)
SEVERAL: Final = Unknown(
    Text(
        zh="同时有几条请求时，llama.cpp 的 prompt_seconds_total 按批累计，一批只计一次，推不出单条请求的 prefill",
        en="with several requests in flight, llama.cpp's prompt_seconds_total counts the time of a batch once for all of them: "
        "the prefill of one request does not follow",
    )
)

BY_LOG: Final = Text(
    zh="取自服务端日志；同一部分也可能由计数器给出，两者应当一致。",
    en="Taken from the server's log. Its counters may tell the same part, and the two should agree.",
)
BY_COUNTERS: Final = Text(
    zh="取自 /metrics 计数器的增量；同一部分也可能由日志给出，两者应当一致。",
    en="Taken from the growth of counters at /metrics. The log may tell the same part, and the two should agree.",
)
QUEUE: Final = Text(
    zh="从客户端发出请求到服务端把它放进槽位：网络、HTTP、分词，以及等槽位、等正在跑的那一步。",
    en="From sending a request until the server puts it into a slot: network, HTTP, tokenizing, and waiting for a slot "
    "or for the step under way.",
)
QUEUE_COUNTED: Final = Text(
    zh="引擎自己记录的排队：从请求进入引擎到被调度；网络、HTTP 与分词不在其中。",
    en="Queueing as the engine records it: from entering the engine until it is scheduled, without network, HTTP and "
    "tokenizing.",
)
PREFILL: Final = Text(
    zh="从服务端开始处理 prompt 到算出首个 token；同一批里别人的 prefill 与解码步也在这段时间里。",
    en="From the server's start on a prompt until its first token is computed. Prefills and decode steps of others in the same "
    "batches are in that time.",
)


@metric(
    "log_launch_clocks ÷ logged_requests − first_sent_clock − sum(request_start) ÷ count(request_ttft)",
    scope="level",
    unit="ms",
    symbol="t_queue",
    better="lower",
    title=Text(zh="TTFT 里的排队", en="queueing within the TTFT"),
    meaning=Text(
        zh="一条请求在服务端开始处理之前等了多久，均值。由日志算时从发出算起；由计数器算时从进入引擎算起。",
        en="How long a request waited before the server began with it, on average: from its sending where the log tells, from "
        "its entering the engine where counters do.",
    ),
)
def ttft_queue(
    log_launch_clocks: float,
    logged_requests: float,
    first_sent_clock: float,
    request_start: Column,
    request_ttft: Column,
) -> float | Unknown:
    """Return the mean time of taking up − the mean time of sending, both on CLOCK_MONOTONIC. Seconds in and out."""
    return _queued(log_launch_clocks, logged_requests, first_sent_clock, request_start, request_ttft)


def _queued(
    launches: float, logged: float, first_sent: float, request_start: Column, request_ttft: Column
) -> float | Unknown:
    if not logged == len(request_start) == len(request_ttft):
        return OTHER_REQUESTS
    taken_up, sent = launches / logged - first_sent, float(request_start.sum()) / len(request_ttft)
    longest = float(request_start[-1] + request_ttft[-1])
    if taken_up - sent < -LEAST or taken_up > longest:
        return OTHER_CLOCK
    return taken_up - sent


@ttft_queue.otherwise("server_queue_seconds ÷ server_queue_count")
def queue_counted(server_queue_seconds: float, server_queue_count: float) -> float:
    """Return the mean of the engine's own histogram. Seconds in and out."""
    return server_queue_seconds / server_queue_count


@metric(
    "log_launch_clocks ÷ logged_requests − first_sent_clock − sum(request_start) ÷ count(request_ttft)",
    scope="level",
    unit="ms",
    symbol="t_queue,log",
    better="lower",
    title=Text(zh="TTFT 里的排队（日志）", en="queueing within the TTFT, by the log"),
    meaning=QUEUE,
    why=BY_LOG,
)
def ttft_queue__log(
    log_launch_clocks: float,
    logged_requests: float,
    first_sent_clock: float,
    request_start: Column,
    request_ttft: Column,
) -> float | Unknown:
    """Return the same from the log alone."""
    return _queued(log_launch_clocks, logged_requests, first_sent_clock, request_start, request_ttft)


@metric(
    "server_queue_seconds ÷ server_queue_count",
    scope="level",
    unit="ms",
    symbol="t_queue,/metrics",
    better="lower",
    title=Text(zh="TTFT 里的排队（计数器）", en="queueing within the TTFT, by counters"),
    meaning=QUEUE_COUNTED,
    why=BY_COUNTERS,
)
def ttft_queue__metrics(server_queue_seconds: float, server_queue_count: float) -> float:
    """Return the same from the counters alone."""
    return server_queue_seconds / server_queue_count


@metric(
    "log_prompt_seconds ÷ log_timing_lines",
    scope="level",
    unit="ms",
    symbol="t_prefill",
    better="lower",
    title=Text(zh="TTFT 里的 prefill", en="prefill within the TTFT"),
    meaning=PREFILL,
)
def ttft_prefill(log_prompt_seconds: float, log_timing_lines: float) -> float:
    """Return the mean prompt time of the log. Seconds in and out."""
    return log_prompt_seconds / log_timing_lines


@ttft_prefill.otherwise("server_prefill_seconds ÷ server_prefill_count")
def prefill_counted(server_prefill_seconds: float, server_prefill_count: float) -> float:
    """Return the mean of the engine's own histogram. Seconds in and out."""
    return server_prefill_seconds / server_prefill_count


@ttft_prefill.otherwise("server_prompt_seconds ÷ (completed + warm_up_requests) ÷ kept_in_flight")
def prefill_of_one_at_a_time(
    server_prompt_seconds: float, completed: float, warm_up_requests: float, kept_in_flight: float
) -> float | Unknown:
    """Return llama.cpp's time for prompts spread over the requests, where one is in flight at a time."""
    return _spread(server_prompt_seconds, completed + warm_up_requests, kept_in_flight)


def _spread(seconds: float, requests: float, in_flight: float) -> float | Unknown:
    return seconds / requests if in_flight == 1 else SEVERAL


@metric(
    "log_prompt_seconds ÷ log_timing_lines",
    scope="level",
    unit="ms",
    symbol="t_prefill,log",
    better="lower",
    title=Text(zh="TTFT 里的 prefill（日志）", en="prefill within the TTFT, by the log"),
    meaning=PREFILL,
    why=BY_LOG,
)
def ttft_prefill__log(log_prompt_seconds: float, log_timing_lines: float) -> float:
    """Return the same from the log alone."""
    return log_prompt_seconds / log_timing_lines


@metric(
    "server_prefill_seconds ÷ server_prefill_count",
    scope="level",
    unit="ms",
    symbol="t_prefill,/metrics",
    better="lower",
    title=Text(zh="TTFT 里的 prefill（计数器）", en="prefill within the TTFT, by counters"),
    meaning=PREFILL,
    why=BY_COUNTERS,
)
def ttft_prefill__metrics(server_prefill_seconds: float, server_prefill_count: float) -> float:
    """Return the same from the counters alone."""
    return server_prefill_seconds / server_prefill_count


@ttft_prefill__metrics.otherwise("server_prompt_seconds ÷ (completed + warm_up_requests) ÷ kept_in_flight")
def prefill_counted_of_one_at_a_time(
    server_prompt_seconds: float, completed: float, warm_up_requests: float, kept_in_flight: float
) -> float | Unknown:
    """Return the same of llama.cpp's counter, where one request is in flight at a time."""
    return _spread(server_prompt_seconds, completed + warm_up_requests, kept_in_flight)


@metric(
    "ttft_mean − ttft_queue − ttft_prefill",
    scope="level",
    unit="ms",
    symbol="t_front",
    better="lower",
    follows=("log", "metrics"),
    title=Text(zh="TTFT 的其余部分", en="rest of the TTFT"),
    meaning=Text(
        zh="TTFT 均值减去排队与 prefill：采样首个 token、把它经 HTTP 与网络送到客户端、客户端收下；由计数器算时，"
        "还有进入引擎之前的 HTTP 与分词。",
        en="Mean TTFT minus queueing and prefill: sampling the first token, and its way through HTTP, network and client; where "
        "counters tell the others, also HTTP and tokenizing before the engine.",
    ),
    why=Text(
        zh="两个来源各自的三部分相加都是 TTFT 均值。",
        en="The three parts of either source add up to the mean TTFT.",
    ),
)
def ttft_front(ttft_mean: float, ttft_queue: float, ttft_prefill: float) -> float | Unknown:
    """Return what is left of the mean TTFT. Seconds in and out."""
    return TOO_LARGE if _exceeds(ttft_queue + ttft_prefill, ttft_mean) else ttft_mean - ttft_queue - ttft_prefill


def _exceeds(parts: float, whole: float) -> bool:
    return parts - whole > max(LEAST, NO_MORE * whole)


@metric(
    "ttft_mean − ttft_prefill",
    scope="level",
    unit="ms",
    symbol="t_wait",
    better="lower",
    title=Text(zh="TTFT 里 prefill 之外的时间", en="TTFT outside prefill"),
    meaning=Text(
        zh="TTFT 均值减去 prefill：排队与其余部分合计。",
        en="Mean TTFT minus prefill: queueing and the rest together.",
    ),
)
def ttft_outside_prefill(ttft_mean: float, ttft_prefill: float) -> float | Unknown:
    """Return what of the mean TTFT is no prefill. Seconds in and out."""
    return TOO_LARGE if _exceeds(ttft_prefill, ttft_mean) else ttft_mean - ttft_prefill


@metric(
    "ttft_prefill ÷ ttft_mean",
    scope="level",
    unit="ratio",
    symbol="s_prefill",
    style="percent",
    title=Text(zh="prefill 占 TTFT", en="share of prefill in the TTFT"),
    meaning=Text(zh="prefill 的均值 ÷ TTFT 均值。", en="Mean prefill ÷ mean TTFT."),
)
def ttft_prefill_share(ttft_prefill: float, ttft_mean: float) -> float:
    """Return prefill ÷ TTFT."""
    return ttft_prefill / ttft_mean


@metric(
    "ttft_queue ÷ ttft_mean",
    scope="level",
    unit="ratio",
    symbol="s_queue",
    style="percent",
    title=Text(zh="排队占 TTFT", en="share of queueing in the TTFT"),
    meaning=Text(zh="排队的均值 ÷ TTFT 均值。", en="Mean queueing ÷ mean TTFT."),
)
def ttft_queue_share(ttft_queue: float, ttft_mean: float) -> float:
    """Return queueing ÷ TTFT."""
    return ttft_queue / ttft_mean


@metric(
    "server_ttft_seconds ÷ server_ttft_count",
    scope="level",
    unit="ms",
    symbol="TTFT_server",
    better="lower",
    title=Text(zh="服务端自己记录的 TTFT", en="TTFT as the server records it"),
    meaning=Text(
        zh="服务端自己的直方图给出的 TTFT 均值：从请求到达服务端算起，网络与客户端不在其中。",
        en="Mean TTFT of the server's own histogram: from the arrival of a request there, without network and client.",
    ),
)
def ttft_server(server_ttft_seconds: float, server_ttft_count: float) -> float:
    """Return the mean of the server's own histogram. Seconds in and out."""
    return server_ttft_seconds / server_ttft_count
