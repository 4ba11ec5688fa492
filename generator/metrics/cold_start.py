"""The cold start of an engine: from its spawn to its port, its first token and its first whole answer.

What a report calls the start of a series is the first on record: the later ones of a campaign may find the files of the
model in memory, so that a mean over all would be of no start that happened. Each start has its numbers besides, and a
median is taken over those alone that found the files alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from generator.kinds import Column, Derivation, Metric, Over, Parameter, metric, observed
from generator.places import fact, record
from generator.text import Text
from generator.themes import COLD_START

THEME: Final = COLD_START

FILE = "cold_start.json"

cold_start_t1 = observed(
    "cold_start_t1",
    scope="series",
    unit="s",
    symbol="T1",
    better="lower",
    of_start=True,
    places=[record(FILE, "port_s", "s"), fact("cold_start.t1_s", "s")],
    title=Text(zh="冷启动 T1：到端口", en="cold start T1, to the port"),
    meaning=Text(
        zh="从拉起进程到端口有人监听；一轮里启动过几次，取第一次。",
        en="From the spawn to somebody listening on the port; of several starts of a round, the first.",
    ),
)
cold_start_first_token = observed(
    "cold_start_first_token",
    scope="series",
    unit="s",
    symbol="T1 + T2",
    better="lower",
    of_start=True,
    places=[record(FILE, "first_token_s", "s")],
    title=Text(zh="从拉起进程到首个 token", en="from the spawn to the first token"),
    meaning=Text(
        zh="端口之后发出的第一条请求收到首个 token 的时刻。", en="When the first request got its first token."
    ),
)
cold_start_first_completion = observed(
    "cold_start_first_completion",
    scope="series",
    unit="s",
    symbol="T1 + T3",
    better="lower",
    of_start=True,
    places=[record(FILE, "first_completion_s", "s")],
    title=Text(zh="从拉起进程到首条完整回答", en="from the spawn to the first completion"),
    meaning=Text(zh="第一条请求的回答结束的时刻。", en="When the answer to the first request was complete."),
)
cold_start_healthy = observed(
    "cold_start_healthy",
    scope="series",
    unit="s",
    symbol="T_ok",
    better="lower",
    of_start=True,
    places=[record(FILE, "healthy_s", "s"), fact("cold_start.healthy_s", "s")],
    title=Text(zh="从拉起进程到健康检查通过", en="from the spawn to the passed health check"),
    meaning=Text(
        zh="健康检查第一次答 200 的时刻：引擎这时才能作答，端口则可能早就开着。",
        en="When health first answered 200: only then does the engine answer, though its port may have been open for long.",
    ),
)
cold_start_sent = observed(
    "cold_start_sent",
    scope="series",
    unit="s",
    symbol="T_sent",
    of_start=True,
    places=[record(FILE, "sent_s", "s")],
    title=Text(zh="从拉起进程到第一条请求发出", en="from the spawn to the first sending"),
    meaning=Text(
        zh="健康检查通过之后立即发出的第一条请求。",
        en="When the first request was sent, right after the health check passed.",
    ),
)
cold_start_spawn_clock = observed(
    "cold_start_spawn_clock",
    scope="series",
    unit="s",
    symbol="t_spawn",
    digits=12,
    of_start=True,
    places=[record(FILE, "spawn_mono_ns", "ns")],
    title=Text(zh="拉起进程的时刻，单调时钟", en="clock at the spawn"),
    meaning=Text(
        zh="CLOCK_MONOTONIC，与日志行前面的时刻是同一个时钟。",
        en="CLOCK_MONOTONIC, the clock that stands in front of the log's lines.",
    ),
)
cold_start_resident = observed(
    "cold_start_resident",
    scope="series",
    unit="ratio",
    symbol="f_resident",
    style="percent",
    of_start=True,
    places=[record(FILE, "page_cache.resident", "ratio")],
    title=Text(zh="启动前在内存里的模型文件", en="model files in memory before the start"),
    meaning=Text(
        zh="拉起进程之前，模型文件有多少字节已在页缓存里。",
        en="Share of the bytes of the model's files in the page cache before the spawn.",
    ),
)
cold_start_resident_before = observed(
    "cold_start_resident_before",
    scope="series",
    unit="ratio",
    symbol="f_before",
    style="percent",
    of_start=True,
    places=[record(FILE, "page_cache.before", "ratio")],
    title=Text(zh="清出之前在内存里的模型文件", en="model files in memory before they were dropped"),
    meaning=Text(
        zh="要求从页缓存中清除的启动：清除之前有多少在里面。",
        en="Of a start before which they were to be dropped: the share that was there until then.",
    ),
)
cold_starts = observed(
    "cold_starts",
    scope="series",
    unit="1",
    symbol="N_start",
    places=[record("sessions/*", FILE, "1")],
    title=Text(zh="启动次数", en="starts on record"),
    meaning=Text(
        zh="采集这个系列时启动引擎的次数；中断后再跑就多一次。",
        en="How often the engine was started for this series: once more for each time that collecting was resumed.",
    ),
)


@metric(
    "cold_start_first_token − cold_start_t1",
    scope="series",
    unit="s",
    symbol="T2",
    better="lower",
    of_start=True,
    places=(fact("cold_start.t2_s", "s"),),
    title=Text(zh="冷启动 T2：端口到首个 token", en="cold start T2, port to first token"),
    meaning=Text(
        zh="从端口可连到首个 token：先开端口后载入模型的引擎，载入算在这里。",
        en="From the port to the first token; engines that listen before they load the model load it here.",
    ),
)
def cold_start_t2(cold_start_first_token: float, cold_start_t1: float) -> float:
    """Return the time from the port to the first token. Seconds in and out."""
    return cold_start_first_token - cold_start_t1


@metric(
    "cold_start_first_completion − cold_start_t1",
    scope="series",
    unit="s",
    symbol="T3",
    better="lower",
    of_start=True,
    places=(fact("cold_start.t3_s", "s"),),
    title=Text(zh="冷启动 T3：端口到首条完整回答", en="cold start T3, port to first completion"),
    meaning=Text(zh="从端口可连到首条回答结束。", en="From the port to the end of the first answer."),
)
def cold_start_t3(cold_start_first_completion: float, cold_start_t1: float) -> float:
    """Return the time from the port to the end of the first answer. Seconds in and out."""
    return cold_start_first_completion - cold_start_t1


@metric(
    "cold_start_t1 + cold_start_t2",
    scope="series",
    unit="s",
    symbol="T_seen",
    better="lower",
    of_start=True,
    title=Text(zh="等到首个 token 的冷启动", en="cold start as perceived"),
    meaning=Text(
        zh="从拉起进程到首个 token，不管端口何时打开：不同引擎之间只有它可比。",
        en="From the spawn to the first token, whenever the port opened: what may be compared between engines.",
    ),
)
def cold_start_perceived(cold_start_t1: float, cold_start_t2: float) -> float:
    """Return the time from the spawn to the first token. Seconds in and out."""
    return cold_start_t1 + cold_start_t2


@metric(
    "cold_start_healthy − cold_start_t1",
    scope="series",
    unit="s",
    symbol="T_503",
    better="lower",
    of_start=True,
    title=Text(zh="端口开着、尚未就绪", en="listening and not ready"),
    meaning=Text(
        zh="从端口可连到健康检查通过：这段时间来的请求得到 503，或者一直等着。",
        en="From the port until the health check passes: requests that come meanwhile get a 503, or wait.",
    ),
)
def cold_start_unready(cold_start_healthy: float, cold_start_t1: float) -> float:
    """Return the time between the port and good health. Seconds in and out."""
    return cold_start_healthy - cold_start_t1


@metric(
    "cold_start_first_token − cold_start_healthy",
    scope="series",
    unit="s",
    symbol="T_first",
    better="lower",
    of_start=True,
    title=Text(zh="就绪到首个 token", en="from the passed health check to the first token"),
    meaning=Text(
        zh="第一条请求的 TTFT，连同发出之前的一点间隙；还有 kernel 要编译、文件要换页时会比以后的长。",
        en="The TTFT of the first request, with the moment before it was sent. It is longer than later ones where kernels are "
        "still to be compiled or files to be paged in.",
    ),
)
def cold_start_first_wait(cold_start_first_token: float, cold_start_healthy: float) -> float:
    """Return the time between good health and the first token. Seconds in and out."""
    return cold_start_first_token - cold_start_healthy


@metric(
    "cold_start_first_completion − cold_start_first_token",
    scope="series",
    unit="s",
    symbol="T_answer",
    better="lower",
    of_start=True,
    title=Text(zh="首个 token 到首条完整回答", en="from the first token to the first completion"),
    meaning=Text(zh="第一条回答其余部分的 decode。", en="Decode of the rest of the first answer."),
)
def cold_start_answer(cold_start_first_completion: float, cold_start_first_token: float) -> float:
    """Return the time between the first token and the end of the first answer. Seconds in and out."""
    return cold_start_first_completion - cold_start_first_token


@cold_start_answer.otherwise("cold_start_t3 − cold_start_t2")
def cold_start_answer_declared(cold_start_t3: float, cold_start_t2: float) -> float:
    """Return it where only the times from the port are on record."""
    return cold_start_t3 - cold_start_t2


STATES: tuple[tuple[str, Over, Text, Text], ...] = (
    (
        "cold", "cold_starts",
        Text(zh="冷启动", en="cold starts"),
        Text(zh="模型文件不在内存里的启动", en="starts whose model files were not in the page cache"),
    ),
    (
        "warm", "warm_starts",
        Text(zh="热启动", en="warm starts"),
        Text(zh="模型文件已在内存里的启动", en="starts whose model files were in the page cache"),
    ),
    (
        "unknown_cache", "unknown_starts",
        Text(zh="页缓存不明的启动", en="starts of unknown page cache"),
        Text(
            zh="不知道模型文件在不在内存里、或只有一部分在的启动",
            en="starts of which it is not known whether the model files were in the page cache, or with only part of them there",
        ),
    ),
)  # fmt: skip
"""Basis, which starts, and what they are called, shortly and at length."""
WHY = Text(
    zh="从磁盘读模型的启动与模型已在内存里的启动不是一回事，不能合在一起取中位数。",
    en="A start that reads the model from the disk and one that finds it in memory are two things, and no median is of both.",
)


def _median(**starts: Column) -> float:
    [values] = starts.values()
    return float(np.median(values))


def _least(**starts: Column) -> float:
    [values] = starts.values()
    return float(values.min())


def _most(**starts: Column) -> float:
    [values] = starts.values()
    return float(values.max())


def _count(**starts: Column) -> float:
    [values] = starts.values()
    return float(len(values))


def _over_starts(
    key: str, of: Metric, compute: Callable[..., float], formula: str, title: Text, *, symbol: str, unit: str = "s"
) -> tuple[Metric, ...]:
    """Return a statistic of a metric that each start has one of, over the starts of each kind."""

    def one(basis: str, over: Over, which: Text, at_length: Text) -> Metric:
        declared: dict[str, Any] = {
            "key": key, "scope": "series", "unit": unit, "symbol": symbol, "basis": basis, "over": over,
            "better": "lower" if unit == "s" else None, "title": title.format(of=of.title, which=which),
            "meaning": OVER.format(which=at_length, meaning=of.meaning), "why": WHY,
        }  # fmt: skip
        parameters = (Parameter(of.key, is_column=True),)
        return Metric(**declared, derivations=[Derivation(compute, formula.format(of.key), parameters)])

    return tuple(one(*state) for state in STATES)


OVER = Text(zh="{which}。{meaning}", en="Over {which}. {meaning}")
MEDIAN = Text(zh="{of}，{which}的中位数", en="{of}, median of {which}")
LEAST = Text(zh="{of}，{which}里最短", en="{of}, shortest of {which}")
MOST = Text(zh="{of}，{which}里最长", en="{of}, longest of {which}")
COUNT = Text(zh="{which}的次数", en="number of {which}")

medians = tuple(
    one
    for of in (
        cold_start_t1, cold_start_t2, cold_start_t3, cold_start_perceived, cold_start_healthy, cold_start_first_wait,
    )
    for one in _over_starts(of.key, of, _median, "median({})", MEDIAN, symbol=of.symbol)
)  # fmt: skip
_SEEN = cold_start_perceived
spread = (
    *_over_starts("cold_start_perceived_low", _SEEN, _least, "percentile({}, 0)", LEAST, symbol="T_low"),
    *_over_starts("cold_start_perceived_high", _SEEN, _most, "percentile({}, 100)", MOST, symbol="T_high"),
    *_over_starts("cold_starts_alike", _SEEN, _count, "count({})", COUNT, symbol="N_alike", unit="1"),
)
