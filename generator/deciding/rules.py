"""What each scenario asks of an engine, as data: a rule is added by adding a line here."""

from __future__ import annotations

import math
from typing import Final

from generator.deciding.records import Condition, Criterion, Rule
from generator.text import Text

ALONE: Final = 2.0
"""Requests in flight up to which a user has an engine to themselves."""
FEW: Final = 8.0
"""Requests in flight up to which a service is little loaded."""
MANY: Final = 32.0
"""Requests in flight from which it is heavily loaded."""
SMALL: Final = 4.0
"""Requests in flight at most on a device at the edge."""
FAILURES: Final = 0.01
"""Share of failed requests above which a series is not to be chosen for a service."""

START: Final = Criterion(
    "series",
    ("cold_start_perceived",),
    "lower",
    Text(zh="从拉起到首个 token 的时间", en="the time from the spawn to the first token"),
    Text(
        zh="让 rounds collect 拉起引擎（给 [[series]] 写上 argv 与 starts），或在 published.toml 里填 [cold_start]。",
        en="Have rounds collect start the engine (argv and starts of [[series]]), or fill in [cold_start] of published.toml.",
    ),
)
WEIGHTS: Final = Criterion(
    "series",
    ("weights_loaded",),
    "lower",
    Text(zh="权重占的显存", en="the memory that the weights take"),
    Text(
        zh="在 published.toml 里填 memory.weights_gib，或给系列写上 weight_bytes。",
        en="Fill in memory.weights_gib of published.toml, or weight_bytes of the series.",
    ),
)
PEAK: Final = Criterion(
    "series",
    ("best_throughput",),
    "higher",
    Text(zh="最高的输出吞吐", en="the highest output throughput"),
    Text(zh="测量到吞吐不再增长的并发。", en="Measure up to the concurrency at which throughput stops growing."),
)
ANSWER: Final = Criterion("load", ("e2el_p50", "itl_p50", "output_throughput"))
FIRST_TOKEN: Final = Criterion("load", ("ttft_p50",))
FIRST_TOKEN_TAIL: Final = Criterion("load", ("ttft_p99",))
THROUGHPUT: Final = Criterion("load", ("output_throughput",))
RELIABLE: Final = Condition(
    "failure_ratio",
    "<=",
    FAILURES,
    Text(zh="失败的请求不超过 {bound}", en="no more than {bound} of the requests fail"),
)

RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "interactive",
        Text(zh="单人交互", en="One interactive user"),
        Text(zh="一条请求多快答完，首个 token 等多久", en="how soon one answer is complete, and how soon it begins"),
        1, ALONE, ANSWER, (FIRST_TOKEN,),
    ),
    Rule(
        "local_development",
        Text(zh="本地开发与调试", en="Local development"),
        Text(zh="引擎一天重启多次，启动速度比吞吐更重要", en="the engine restarts many times a day, and start-up time matters more than throughput"),
        1, ALONE, START, (ANSWER,),
    ),
    Rule(
        "edge",
        Text(zh="边缘设备", en="Edge device"),
        Text(zh="内存小，请求少", en="memory is small and requests are few"),
        1, SMALL, WEIGHTS, (THROUGHPUT,),
    ),
    Rule(
        "api_low",
        Text(zh="在线 API，低并发", en="Online API, low concurrency"),
        Text(zh="回答多快，首个 token 的长尾有多长", en="how soon answers are complete, and how long the slowest first tokens take"),
        1, FEW, ANSWER, (THROUGHPUT, FIRST_TOKEN_TAIL), (RELIABLE,),
    ),
    Rule(
        "api_high",
        Text(zh="在线 API，高并发", en="Online API, high concurrency"),
        Text(zh="一台机器撑得住多少，时延还过得去", en="how much one machine carries while latencies stay bearable"),
        MANY, math.inf, THROUGHPUT, (FIRST_TOKEN_TAIL, ANSWER), (RELIABLE,),
    ),
    Rule(
        "batch",
        Text(zh="离线批处理", en="Offline batch"),
        Text(zh="只看一小时产出多少，等多久无所谓", en="only throughput per hour counts, however long a request waits"),
        1, math.inf, PEAK, (),
    ),
    Rule(
        "serverless",
        Text(zh="按需拉起（serverless）", en="Serverless"),
        Text(zh="请求来了才拉起，第一位用户要等完整个启动过程", en="an engine starts as a request comes, and its first user waits for the whole start"),
        1, FEW, START, (ANSWER,),
    ),
)  # fmt: skip
"""The scenarios, in the order in which they are told."""
