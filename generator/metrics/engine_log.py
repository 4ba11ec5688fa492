"""What the log of an engine that batches requests says: how full it was, who had to wait, what it gave up, how it began.

vLLM and SGLang print lines of statistics while they work; a number "most" is the largest that stood in one of them, and
what happened between two lines stands in none. With several engines behind one server, a line is of one of them.
"""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, logged
from generator.text import Text
from generator.themes import SERVER
from generator.told.sentence import Style
from generator.values import Scope

THEME: Final = SERVER

RUN: Final = Text(zh="本次运行的服务端日志中，", en="From the server's log of the run: ")
SERIES: Final = Text(zh="整个系列的服务端日志中，", en="From the server's log of the series: ")


def _read(fact: str, unit: str, symbol: str, title: Text, meaning: Text, *, scope: Scope, style: Style) -> Metric:
    begin = SERIES if scope == "series" else RUN
    whole = Text(zh=begin.zh + meaning.zh, en=begin.en + meaning.en)
    digits = 9 if unit != "ratio" else 3
    return logged(fact, unit, symbol, scope=scope, digits=digits, style=style, title=title, meaning=whole)


def _of_both(
    fact: str, unit: str, symbol: str, title: Text, meaning: Text, *, style: Style = "plain"
) -> tuple[Metric, Metric]:
    """Declare a fact of the log of a run, and of that of a series."""
    of_series = Text(zh=f"{title.zh}（整个系列）", en=f"{title.en}, whole series")
    return (
        _read(fact, unit, symbol, title, meaning, scope="level", style=style),
        _read(fact, unit, symbol, of_series, meaning, scope="series", style=style),
    )


log_running_most = _of_both(
    "running_most",
    "1",
    "N_run,log",
    Text(zh="日志里同时在算的请求数，最多", en="most requests running in the log"),
    Text(
        zh="统计行里 running 的最大值：正被引擎一起计算的请求。",
        en="the largest number of requests that the engine was computing together.",
    ),
)
log_waiting_most = _of_both(
    "waiting_most",
    "1",
    "N_wait,log",
    Text(zh="日志里排队的请求数，最多", en="most requests waiting in the log"),
    Text(
        zh="统计行里排队（waiting、pending 或 queue）请求数的最大值：已到达、还没开始算。",
        en="the largest number of requests that had arrived and were not being computed (waiting, pending or queued).",
    ),
)
log_waiting_share = _of_both(
    "waiting_share",
    "ratio",
    "p_wait,log",
    Text(zh="有请求排队的统计行占比", en="share of log lines with requests waiting"),
    Text(
        zh="有请求排队的统计行 ÷ 全部统计行。空闲时不打印，所以不是时间的占比。",
        en="lines of statistics with requests waiting ÷ all of them. An idle engine prints none: this is not a share of time.",
    ),
    style="percent",
)
log_kv_usage_most = _of_both(
    "kv_usage_most",
    "ratio",
    "u_KV,log",
    Text(zh="KV cache 占用，最高", en="highest KV cache usage in the log"),
    Text(
        zh="统计行里 KV cache 占用比例的最大值；有滑动窗口的模型取较满的那一个。",
        en="the largest used share of the KV cache; of models with a sliding window, of the fuller of the two.",
    ),
    style="percent",
)
log_preemptions = _of_both(
    "preemptions",
    "1",
    "N_preempt,log",
    Text(zh="日志里的抢占次数", en="preemptions in the log"),
    Text(
        zh="vLLM V1 各统计行里抢占次数之和，每行只计自上一行以来的；没有抢占的行不写这一项，最后一行之后的不在其中。",
        en="the sum over vLLM V1's lines, each of which counts since the one before. A line without preemptions does not "
        "mention them; those after the last line are in none.",
    ),
)
log_preemptions_at_least = _of_both(
    "preemptions_at_least",
    "1",
    "N_preempt,log,min",
    Text(zh="日志里的抢占次数，至少", en="preemptions in the log, at least"),
    Text(
        zh="vLLM V0 自启动起累计，只在第一次和此后每满五十次时打印一次：最后打印的累计数是下限。",
        en="vLLM V0 counts from its start on and prints the first and then one in fifty: the last count printed is a bound "
        "from below.",
    ),
)
log_retracted = _of_both(
    "retracted",
    "1",
    "N_retract,log",
    Text(zh="日志里被收回的请求数", en="requests retracted in the log"),
    Text(
        zh="SGLang 因 KV cache 满而收回、之后重算的请求数之和；一个请求可以被收回多次。",
        en="requests that SGLang took back because its KV cache was full, and computed again; one may be taken back often.",
    ),
)
log_prefix_hit_ratio_last = _of_both(
    "prefix_hit_ratio_last",
    "ratio",
    "h_prefix,log",
    Text(zh="日志里最后的 prompt cache 命中率", en="last prompt-cache hit ratio in the log"),
    Text(
        zh="最后一行里从 prompt cache 取用的输入 token 占比：vLLM V1 是最近一批请求的，V0 是启动以来的，都不是本次测量的。",
        en="the share of prompt tokens found in the prompt cache that the last line gives. vLLM V1's is of its most recent "
        "requests, V0's since its start: neither is of the measurement alone.",
    ),
    style="percent",
)
log_stats_lines = _of_both(
    "stats_lines",
    "1",
    "N_stats,log",
    Text(zh="日志里的统计行数", en="lines of statistics in the log"),
    Text(zh="引擎工作时定期打印的统计行。", en="lines of statistics that the engine prints while it works."),
)
log_error_answers = _of_both(
    "error_answers",
    "1",
    "N_4xx,log",
    Text(zh="日志里以错误作答的请求数", en="requests answered with an error in the log"),
    Text(zh="状态码表示错误的访问行数。", en="access lines whose status code stands for an error."),
)


def _of_start(fact: str, unit: str, symbol: str, title: Text, meaning: Text) -> Metric:
    """Declare a fact of the start of an engine, which the log of a series holds."""
    return _read(fact, unit, symbol, title, meaning, scope="series", style="plain")


log_kv_pool_tokens_of_series = _of_start(
    "kv_pool_tokens",
    "tok",
    "n_pool,log",
    Text(zh="日志里 KV cache 的容量", en="capacity of the KV cache in the log"),
    Text(
        zh="启动时打印的、KV cache 能放下的 token 数；层的种类不同的模型按所有层都保留全部 token 折算。",
        en="the tokens for which it has room, as printed at the start; for models with layers of several kinds, as if each "
        "kept every token.",
    ),
)
log_graphs_off_of_series = _of_start(
    "graphs_off",
    "1",
    "x_eager,log",
    Text(zh="日志里关闭了 CUDA graph", en="CUDA graphs off in the log"),
    Text(
        zh="1 为启动时说没有用 CUDA graph，0 为用了；没有说的就是未知。",
        en="1 where the engine says that it goes without CUDA graphs, 0 where it has them; unknown where it says neither.",
    ),
)
log_prefix_caching_of_series = _of_start(
    "prefix_caching",
    "1",
    "x_prefix,log",
    Text(zh="日志里 prompt cache 开着", en="prompt cache on in the log"),
    Text(
        zh="1 为引擎的设置里 prompt cache 开着，0 为关着。",
        en="1 where the engine's settings have it on, 0 where they have it off.",
    ),
)
log_context_length_of_series = _of_start(
    "context_length",
    "tok",
    "n_ctx,log",
    Text(zh="日志里的最大上下文长度", en="context length in the log"),
    Text(
        zh="一个请求的输入与输出合计最多的 token 数。",
        en="the most tokens that prompt and answer of a request may have together.",
    ),
)
log_graph_capture_bytes_of_series = _of_start(
    "graph_capture_bytes",
    "B",
    "M_graph,log",
    Text(zh="日志里 CUDA graph 占的内存", en="memory of CUDA graphs in the log"),
    Text(
        zh="捕获各个 CUDA graph 时占去的内存之和；只有一个工作进程时才知道。",
        en="the memory that their capture took, all of them; known for a single worker only.",
    ),
)
log_start_seconds_of_series = _of_start(
    "start_seconds",
    "s",
    "t_start,log",
    Text(zh="日志里引擎的准备时间", en="time the engine took to get ready in the log"),
    Text(
        zh="vLLM 说的 init engine 用时：试跑、建 KV cache、预热，不含读入权重。",
        en="what vLLM calls init engine: profiling, making the KV cache and warming up, without reading the weights.",
    ),
)
