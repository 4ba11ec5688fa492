"""What interrupts a run: silence while requests are in flight, first tokens late in a row, streams that are none."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric
from generator.numeric.statistics import count_below, count_between
from generator.numeric.statistics import longest_quiet as longest
from generator.text import Text
from generator.themes import DECODING

THEME: Final = DECODING

NONE_SLOW: Final = Unknown(
    Text(zh="没有等得特别久的请求", en="no request waited far longer than most for its first token")
)
LAST_CHUNK: Final = 0.99
"""Share of the end-to-end latency from which on a first token came with the last chunk."""


@metric(
    "longest_quiet(chunk_time, answer_start, answer_end)",
    scope="level",
    unit="s",
    symbol="t_silent",
    better="lower",
    title=Text(zh="最长的一次静默", en="longest silence"),
    meaning=Text(
        zh="有请求在途，却没有任何一条收到 token 的最长一段时间。",
        en="The longest time in which no request got a token though some were in flight.",
    ),
)
def longest_silence(chunk_time: Column, answer_start: Column, answer_end: Column) -> float:
    """Return the length of the longest silence, in seconds."""
    return longest(chunk_time, answer_start, answer_end)[1]


@metric(
    "start_of_quiet(chunk_time, answer_start, answer_end)",
    scope="level",
    unit="s",
    symbol="t_silent,0",
    title=Text(zh="最长静默的开始", en="start of the longest silence"),
    meaning=Text(
        zh="最长的一次静默从何时开始，从第一条请求发出算起。",
        en="When the longest silence began, counted from the first request sent.",
    ),
)
def longest_silence_start(chunk_time: Column, answer_start: Column, answer_end: Column) -> float:
    """Return when it began, in seconds after the first sending."""
    return longest(chunk_time, answer_start, answer_end)[0]


@metric(
    "count(slow_sent)",
    scope="level",
    unit="1",
    symbol="N_slow",
    better="lower",
    title=Text(zh="首个 token 特别晚的请求", en="requests with a very late first token"),
    meaning=Text(
        zh="稳态里发出的请求中，TTFT 超过中位数五倍的有多少条。",
        en="How many of the requests sent while the load was steady have a TTFT above five medians.",
    ),
)
def slow_requests(slow_sent: Column) -> float:
    """Count the requests that waited far longer than most."""
    return float(len(slow_sent))


@metric(
    "count(slow_sent) ÷ (count_below(answer_start, last(slow_sent)) − count_below(answer_start, first(slow_sent)) + 1)",
    scope="level",
    unit="ratio",
    symbol="ρ_slow",
    style="percent",
    better="lower",
    title=Text(zh="慢请求的聚集程度", en="density of slow requests"),
    meaning=Text(
        zh="从第一条慢请求到最后一条，期间发出的请求里慢的占多少；接近一，说明它们挤在一起。",
        en="Of the requests sent from the first slow one to the last, the share that is slow: near one, they came in a row.",
    ),
)
def slow_density(slow_sent: Column, answer_start: Column) -> float | Unknown:
    """Return slow requests ÷ all requests sent from the first slow one to the last."""
    if not len(slow_sent):
        return NONE_SLOW
    first, last = (count_below(answer_start, float(slow_sent[end])) for end in (0, -1))
    return len(slow_sent) / (last - first + 1)


@metric(
    "first(slow_sent)",
    scope="level",
    unit="s",
    symbol="t_slow,0",
    title=Text(zh="第一条慢请求的发出时刻", en="first slow request sent at"),
    meaning=Text(zh="从第一条请求发出算起。", en="Counted from the first request of all."),
)
def slow_from(slow_sent: Column) -> float | Unknown:
    """Return when the first slow request was sent, in seconds."""
    return float(slow_sent[0]) if len(slow_sent) else NONE_SLOW


@metric(
    "last(slow_sent)",
    scope="level",
    unit="s",
    symbol="t_slow,1",
    title=Text(zh="最后一条慢请求的发出时刻", en="last slow request sent at"),
    meaning=Text(zh="从最先发出的一条请求算起。", en="Counted from the sending of the very first request."),
)
def slow_until(slow_sent: Column) -> float | Unknown:
    """Return when the last slow request was sent, in seconds."""
    return float(slow_sent[-1]) if len(slow_sent) else NONE_SLOW


@metric(
    "count_between(first_token_share, 0.99, last(first_token_share)) ÷ count(first_token_share)",
    scope="level",
    unit="ratio",
    symbol="f_burst",
    style="percent",
    better="lower",
    title=Text(zh="首个 token 与末个同时到达的份额", en="share of answers that came all at once"),
    meaning=Text(
        zh="不止一个 token 的回答里，TTFT 超过 E2EL 的 99% 的占多少：回答是一次到齐的，不是流。",
        en="Of the answers of several tokens, those whose TTFT is above 99% of the E2EL: they came in one go and not as a "
        "stream.",
    ),
)
def all_at_once_share(first_token_share: Column) -> float:
    """Return the answers whose first token came with the last chunk ÷ all answers of several tokens."""
    return count_between(first_token_share, LAST_CHUNK, float(first_token_share[-1])) / len(first_token_share)
