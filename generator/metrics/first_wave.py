"""The first requests of a run: what they waited, and how much of the mean TTFT is theirs."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.kinds import Column, Unknown, metric
from generator.runs.requests import OPEN_LOOP
from generator.text import Text
from generator.themes import LATENCY

THEME: Final = LATENCY

ALONE: Final = Unknown(Text(zh="只有一条回答，没有其余的可比", en="there is one answer, and none to compare it with"))
NOT_WHOLE: Final = Unknown(Text(zh="并发数不是整数", en="the concurrency is not a whole number"))
ONE_WAVE: Final = Unknown(
    Text(
        zh="回答不多于并发数，去掉第一批就没有了",
        en="there are no more answers than slots: none is left without the first wave",
    )
)


def _after_first_wave(ttft_in_order: Column, kept_in_flight: float) -> Column | Unknown:
    if not kept_in_flight:
        return Unknown(OPEN_LOOP)
    if kept_in_flight != int(kept_in_flight):
        return NOT_WHOLE
    later = ttft_in_order[int(kept_in_flight) :]
    return later if len(later) else ONE_WAVE


@metric(
    "first(ttft_in_order)",
    scope="level",
    unit="ms",
    symbol="TTFT_1",
    better="lower",
    title=Text(zh="第一条请求的 TTFT", en="TTFT of the first request"),
    meaning=Text(
        zh="最先发出的那条请求等首个 token 的时间；同时发出几条时取最短的。",
        en="What the request sent first waited for its first token; the shortest where several were sent at once.",
    ),
)
def first_ttft(ttft_in_order: Column) -> float:
    """Return the TTFT of the request sent first, in seconds."""
    return float(ttft_in_order[0])


@metric(
    "first(ttft_in_order) ÷ median(drop_first(ttft_in_order, 1))",
    scope="level",
    unit="ratio",
    symbol="TTFT_1 ÷ TTFT",
    style="times",
    better="lower",
    title=Text(zh="第一条请求的 TTFT 与其余的中位数之比", en="TTFT of the first request over the median of the others"),
    meaning=Text(
        zh="远大于一，说明第一条请求还付了编译、建图之类一次性的代价。",
        en="Far above one, the first request paid for what happens once: compiling, capturing graphs.",
    ),
)
def first_ttft_over_rest(ttft_in_order: Column) -> float | Unknown:
    """Return the first TTFT ÷ the median of all later ones."""
    return float(ttft_in_order[0] / np.median(ttft_in_order[1:])) if len(ttft_in_order) > 1 else ALONE


@metric(
    "mean(drop_first(ttft_in_order, 1))",
    scope="level",
    unit="ms",
    symbol="TTFT_2…",
    better="lower",
    title=Text(zh="不含第一条请求的 TTFT 均值", en="mean TTFT without the first request"),
    meaning=Text(zh="去掉最先发出的一条之后的均值。", en="The mean over all requests but the one sent first."),
)
def ttft_mean_after_first(ttft_in_order: Column) -> float | Unknown:
    """Return the mean TTFT of all but the first, in seconds."""
    return float(ttft_in_order[1:].mean()) if len(ttft_in_order) > 1 else ALONE


@metric(
    "mean(drop_first(ttft_in_order, kept_in_flight))",
    scope="level",
    unit="ms",
    symbol="TTFT_C+1…",
    better="lower",
    title=Text(zh="不含第一批的 TTFT 均值", en="mean TTFT without the first wave"),
    meaning=Text(
        zh="去掉最先发出的 C 条之后的均值：它们同时到达空闲的引擎，prefill 彼此排队。",
        en="The mean without the C requests sent first: they meet an idle engine all at once, and their prefills queue.",
    ),
)
def ttft_mean_after_first_wave(ttft_in_order: Column, kept_in_flight: float) -> float | Unknown:
    """Return the mean TTFT of all but the first C, in seconds."""
    rest = _after_first_wave(ttft_in_order, kept_in_flight)
    return rest if isinstance(rest, Unknown) else float(rest.mean())


@metric(
    "mean(ttft_in_order) ÷ mean(drop_first(ttft_in_order, kept_in_flight))",
    scope="level",
    unit="ratio",
    symbol="w_wave",
    style="times",
    better="lower",
    title=Text(zh="第一批把 TTFT 均值抬高多少", en="effect of the first wave on mean TTFT"),
    meaning=Text(
        zh="全部请求的 TTFT 均值 ÷ 去掉第一批之后的均值。",
        en="The mean TTFT of all requests ÷ that without the first wave.",
    ),
)
def first_wave_weight(ttft_in_order: Column, kept_in_flight: float) -> float | Unknown:
    """Return the mean of all ÷ the mean of all but the first C."""
    rest = _after_first_wave(ttft_in_order, kept_in_flight)
    return rest if isinstance(rest, Unknown) else float(ttft_in_order.mean() / rest.mean())
