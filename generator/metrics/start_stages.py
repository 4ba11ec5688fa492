"""The stages of a start as the engine's own log tells them, beside the moments that were seen from outside.

The log is asked for stages that do not overlap, in its own words where it gives seconds; what lies between its lines and is
told by none of them is left over.
"""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, logged, metric
from generator.text import Text
from generator.themes import COLD_START

THEME: Final = COLD_START

BY_LOG: Final = Text(zh="引擎自己的日志：{meaning}", en="By the engine's own log: {meaning}")
STAGES: Final = (
    (
        "stage_engine", "T_engine",
        Text(zh="引擎进程与显存规划", en="engine process and fit to memory"),
        Text(
            zh="vLLM 从打印引擎设置到开始载入模型；llama.cpp 为把参数放进内存而试算。",
            en="vLLM from its settings to the begin of loading; llama.cpp fitting its parameters to the memory.",
        ),
    ),
    (
        "stage_weights", "T_weights",
        Text(zh="载入权重", en="loading weights"),
        Text(
            zh="vLLM 自己报的秒数；llama.cpp 从试算结束到预热开始，含词表。",
            en="the seconds that vLLM gives; of llama.cpp from the end of the fit to the warm-up, with the vocabulary.",
        ),
    ),
    (
        "stage_compile", "T_compile",
        Text(zh="编译", en="compiling"),
        Text(zh="torch.compile 用的秒数。", en="the seconds that torch.compile took."),
    ),
    (
        "stage_graphs", "T_graphs",
        Text(zh="捕获 CUDA graph", en="capturing CUDA graphs"),
        Text(zh="捕获用的秒数。", en="the seconds that the capture took."),
    ),
    (
        "stage_setup", "T_setup",
        Text(zh="试跑、KV 池与预热", en="profiling, KV pool and warm-up"),
        Text(
            zh="vLLM 的 init engine 去掉编译与捕获；llama.cpp 的预热。",
            en="vLLM's init engine without compiling and capture; llama.cpp's warm-up.",
        ),
    ),
)  # fmt: skip
"""Fact of the log, symbol, title and meaning, in the order of a start."""


def _of_log(fact: str, symbol: str, title: Text, meaning: Text, digits: int = 3) -> Metric:
    told = BY_LOG.format(meaning=meaning)
    return logged(fact, "s", symbol, scope="series", digits=digits, of_start=True, title=title, meaning=told)


stages = tuple(_of_log(*one) for one in STAGES)
log_stages_told = _of_log(
    "stages_told",
    "ΣT_log",
    Text(zh="日志里各阶段之和", en="stages told by the log"),
    Text(zh="日志说了用时的各阶段之和。", en="the sum of the stages of which it tells how long they took."),
)
log_start_clock = _of_log(
    "start_clock",
    "t_begin",
    Text(zh="日志里引擎开始的时刻", en="clock at the engine's first stage"),
    Text(
        zh="第一个阶段开始的行前面、我们自己的单调时钟。",
        en="our own monotonic clock in front of the line that begins its first stage.",
    ),
    digits=12,
)
log_ready_clock = _of_log(
    "ready_clock",
    "t_ready",
    Text(zh="日志里就绪的时刻", en="clock at the line that says it is ready"),
    Text(
        zh="引擎说自己就绪的那一行前面、我们自己的单调时钟。",
        en="our own monotonic clock in front of the line that says so.",
    ),
    digits=12,
)


@metric(
    "log_start_clock_of_series − cold_start_spawn_clock",
    scope="series",
    unit="s",
    symbol="T_imports",
    better="lower",
    of_start=True,
    title=Text(zh="拉起进程到第一个阶段", en="from the spawn to the first stage"),
    meaning=Text(
        zh="从拉起进程到日志里第一个阶段开始：进程、动态库与 Python 模块的载入。",
        en="From the spawn to the first stage that the log tells of: the process, its libraries and Python modules.",
    ),
)
def start_imports(log_start_clock_of_series: float, cold_start_spawn_clock: float) -> float:
    """Return the time between the spawn and the first stage. Seconds in and out."""
    return log_start_clock_of_series - cold_start_spawn_clock


@metric(
    "start_imports + log_stages_told_of_series",
    scope="series",
    unit="s",
    symbol="T_told",
    of_start=True,
    title=Text(zh="日志说明的启动时间", en="time of the start that the log explains"),
    meaning=Text(
        zh="第一个阶段之前的时间，加上日志里的各阶段。",
        en="The time before the first stage, and the stages of the log.",
    ),
)
def start_told(start_imports: float, log_stages_told_of_series: float) -> float:
    """Return what the log explains. Seconds in and out."""
    return start_imports + log_stages_told_of_series


@metric(
    "cold_start_healthy − start_told",
    scope="series",
    unit="s",
    symbol="T_untold",
    of_start=True,
    title=Text(zh="日志没有说明的启动时间", en="time of the start that the log does not explain"),
    meaning=Text(
        zh="从拉起进程到健康检查通过，减去日志说明的部分；明显小于零说明两边对不上。",
        en="From the spawn until the health check passes, minus what the log explains. Well below zero, the two do not agree.",
    ),
)
def start_untold(cold_start_healthy: float, start_told: float) -> float:
    """Return what is left over. Seconds in and out."""
    return cold_start_healthy - start_told


@metric(
    "log_ready_clock_of_series − cold_start_spawn_clock",
    scope="series",
    unit="s",
    symbol="T_ready",
    better="lower",
    of_start=True,
    title=Text(zh="日志里从拉起进程到就绪", en="from the spawn to ready, by the log"),
    meaning=Text(
        zh="从拉起进程到日志说自己就绪的那一行。",
        en="From the spawn to the line in which the engine says that it is ready.",
    ),
)
def start_ready(log_ready_clock_of_series: float, cold_start_spawn_clock: float) -> float:
    """Return the time between the spawn and the line. Seconds in and out."""
    return log_ready_clock_of_series - cold_start_spawn_clock


@metric(
    "cold_start_healthy − start_ready",
    scope="series",
    unit="s",
    symbol="ΔT_ready",
    of_start=True,
    title=Text(zh="就绪：外部观测 − 日志", en="ready: as seen less as told by the log"),
    meaning=Text(
        zh="健康检查通过的时刻减去日志里就绪的时刻：应当是一次查看的间隔。",
        en="When health was good less when the log said so: about the time between two looks, where they agree.",
    ),
)
def start_ready_gap(cold_start_healthy: float, start_ready: float) -> float:
    """Return how much later it was seen. Seconds in and out."""
    return cold_start_healthy - start_ready
