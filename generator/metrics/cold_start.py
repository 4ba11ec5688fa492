"""The cold start of an engine: from its spawn to its port, its first token and its first whole answer.

What a report calls a start is the first on record of a series: the later ones of an interrupted campaign find the files
of the model in memory, so that a mean over all would be of no start that happened.
"""

from __future__ import annotations

from generator.kinds import metric, observed, record
from generator.text import Text

FILE = "cold_start.json"

cold_start_t1 = observed(
    "cold_start_t1",
    scope="series",
    unit="s",
    symbol="T1",
    better="lower",
    places=[record(FILE, "port_s", "s")],
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
    places=[record(FILE, "first_completion_s", "s")],
    title=Text(zh="从拉起进程到首条完整回答", en="from the spawn to the first completion"),
    meaning=Text(zh="第一条请求的回答结束的时刻。", en="When the answer to the first request was complete."),
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
        en="How often the engine was started for this series: once more for each time that collecting was taken up again.",
    ),
)


@metric(
    "cold_start_first_token − cold_start_t1",
    scope="series",
    unit="s",
    symbol="T2",
    better="lower",
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
    title=Text(zh="冷启动 T3：端口到首条完整回答", en="cold start T3, port to first completion"),
    meaning=Text(zh="从端口可连到首条回答结束。", en="From the port to the end of the first answer."),
)
def cold_start_t3(cold_start_first_completion: float, cold_start_t1: float) -> float:
    """Return the time from the port to the end of the first answer. Seconds in and out."""
    return cold_start_first_completion - cold_start_t1
