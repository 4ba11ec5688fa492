"""Stalls common to all answers under way: how many, how long, and what they go together with."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.kinds import Column, Unknown, metric, observed
from generator.numeric.common_stalls import GAPS, SECONDS, STEPS
from generator.places import record
from generator.text import Text
from generator.themes import DECODING

THEME: Final = DECODING

NONE: Final = Unknown(Text(zh="没有共同停顿", en="there was no simultaneous stall"))


@metric(
    "count(stall_begin)",
    scope="level",
    unit="1",
    symbol="N_stall",
    better="lower",
    title=Text(zh="共同停顿的次数", en="simultaneous stalls"),
    meaning=Text(
        zh="至少两条回答在进行，却没有任何一条收到新的 chunk，并且持续超过间隔中位数的 {gaps} 倍与 {ms} ms，这样的时段有多少次；"
        "别的请求的首个 token 不算。",
        en="How often no answer under way got a chunk although two at least were under way, for longer than {gaps} median gaps "
        "and than {ms} ms. First tokens of other requests do not count as chunks.",
    ).format(gaps=GAPS, ms=f"{SECONDS * 1000:.0f}"),
)
def common_stalls(stall_begin: Column) -> float:
    """Count the stalls."""
    return float(len(stall_begin))


@metric(
    "sum(stall_end) − sum(stall_begin)",
    scope="level",
    unit="s",
    symbol="Σt_stall",
    better="lower",
    title=Text(zh="共同停顿的总时长", en="time in simultaneous stalls"),
    meaning=Text(zh="全部共同停顿的时长之和。", en="The lengths of all simultaneous stalls, added up."),
)
def common_stall_time(stall_begin: Column, stall_end: Column) -> float:
    """Return the sum of their lengths, in seconds."""
    return float((stall_end - stall_begin).sum())


@metric(
    "sum(decoding_together)",
    scope="level",
    unit="s",
    symbol="Σt_two",
    title=Text(zh="至少两条回答在进行的时间", en="time with two answers or more under way"),
    meaning=Text(
        zh="从首个 token 到末个 token 之间的回答至少有两条的时间，共同停顿只可能出现在其中。",
        en="Time in which two answers or more were between their first and last token; simultaneous stalls lie within it.",
    ),
)
def common_decode_time(decoding_together: Column) -> float:
    """Return how long two answers at least were under way, in seconds."""
    return float(decoding_together.sum())


@metric(
    "common_stall_time ÷ common_decode_time",
    scope="level",
    unit="ratio",
    symbol="s_common",
    style="percent",
    better="lower",
    title=Text(zh="共同停顿的时间占比", en="share of time in simultaneous stalls"),
    meaning=Text(
        zh="共同停顿的总时长 ÷ 至少两条回答在进行的时间。",
        en="Time in simultaneous stalls ÷ time with two answers or more under way.",
    ),
)
def common_stall_share(common_stall_time: float, common_decode_time: float) -> float:
    """Return stalled ÷ possible."""
    return common_stall_time / common_decode_time


@metric(
    "longest_span(stall_begin, stall_end)",
    scope="level",
    unit="ms",
    symbol="t_stall,max",
    better="lower",
    title=Text(zh="最长的共同停顿", en="longest simultaneous stall"),
    meaning=Text(zh="其中最长的一次。", en="The longest of them."),
)
def longest_common_stall(stall_begin: Column, stall_end: Column) -> float | Unknown:
    """Return the length of the longest, in seconds."""
    return float((stall_end - stall_begin).max()) if len(stall_begin) else NONE


@metric(
    "start_of_longest(stall_begin, stall_end)",
    scope="level",
    unit="s",
    symbol="t_stall,0",
    title=Text(zh="最长共同停顿的开始", en="start of the longest simultaneous stall"),
    meaning=Text(
        zh="最长的一次共同停顿从何时开始，从第一条请求发出算起。",
        en="When the longest simultaneous stall began, counted from the first request sent.",
    ),
)
def longest_common_stall_start(stall_begin: Column, stall_end: Column) -> float | Unknown:
    """Return when it began, in seconds after the first sending."""
    return float(stall_begin[np.argmax(stall_end - stall_begin)]) if len(stall_begin) else NONE


@metric(
    "count(stall_with_first)",
    scope="level",
    unit="1",
    symbol="N_stall,first",
    title=Text(zh="伴随别的请求首个 token 的共同停顿", en="simultaneous stalls that another first token goes with"),
    meaning=Text(
        zh="共同停顿之中，或其后 {steps} 个间隔中位数之内，有别的请求收到首个 token 的次数：那多半是它的 prefill 占住了引擎。",
        en="Stalls in which, or within {steps} median gaps after which, another request got its first token: most likely its "
        "prefill held the engine.",
    ).format(steps=STEPS),
)
def common_stalls_with_first_token(stall_with_first: Column) -> float:
    """Count the stalls that another request's first token goes with."""
    return float(len(stall_with_first))


client_loop_lag_most = observed(
    "client_loop_lag_most",
    scope="level",
    unit="ms",
    symbol="δ_loop,max",
    places=[record("level.json", "summary.client_loop_lag_most_s", "s")],
    title=Text(zh="事件循环滞后的最大值", en="largest event-loop lag"),
    meaning=Text(
        zh="客户端最晚的一次定时器晚了多久：比这更长的停顿不会是客户端造成的。",
        en="How late the client was for a timer at the worst: a longer stall is none of its making.",
    ),
)
