"""What the server's own counters say of a run or a series: its prompt cache, what it put off, what it answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from generator.kinds import Metric, metric, observed
from generator.places import OF_SERIES, counters, record
from generator.text import Text
from generator.themes import SERVER

THEME: Final = SERVER

RUN: Final = Text(
    zh="服务端计数器在本次运行中的增量，含预热。", en="Growth of the server's counter over the run, warm-up included."
)
SERIES: Final = Text(
    zh="系列文件夹里保存的 /metrics 之间，服务端计数器的增量。",
    en="Growth of the server's counter between the pages of /metrics saved beside the series.",
)
SHARE_STYLE: Final = "percent"


def _counter(key: str, name: str, unit: str, symbol: str, title: Text) -> Metric:
    return observed(
        key, scope="level", unit=unit, symbol=symbol, digits=9, title=title, meaning=RUN,
        places=[counters(name, unit), record("level.json", f"summary.server_{name}", unit)],
    )  # fmt: skip


of_runs: Final = (
    _counter(
        "server_prefix_cache_queries", "prefix_cache_queries", "tok", "Σn_query,server",
        Text(zh="服务端向 prompt cache 查询的 token", en="tokens that the server looked up in its prompt cache"),
    ),
    _counter(
        "server_preemptions", "preemptions", "1", "N_preempted",
        Text(zh="抢占次数", en="preemptions"),
    ),
    _counter(
        "server_requests_ended", "requests_ended", "1", "N_ended,server",
        Text(zh="服务端结束的请求数", en="requests that the server ended"),
    ),
)  # fmt: skip

server_restarts = observed(
    "server_restarts",
    scope="level",
    unit="1",
    symbol="N_restart",
    digits=9,
    places=[counters("restarts", "1")],
    title=Text(zh="因重启而丢失的计数窗口", en="windows of counters lost to a restart"),
    meaning=Text(
        zh="两次保存 /metrics 之间计数器变小的窗口数；这些窗口里发生了什么无从得知。",
        en="Windows between two saved pages of /metrics in which counters fell; what happened in them cannot be known.",
    ),
)
server_restarts_of_series = replace(
    server_restarts, key="server_restarts_of_series", scope="series", places=(counters("restarts" + OF_SERIES, "1"),),
    title=Text(zh="整个系列因重启而丢失的计数窗口", en="windows of counters of the series lost to a restart"),
)  # fmt: skip


def _of_series(key: str, name: str, unit: str, symbol: str, title: Text) -> Metric:
    return observed(
        f"{key}_of_series", scope="series", unit=unit, symbol=symbol, digits=9, title=title, meaning=SERIES,
        places=[counters(name + OF_SERIES, unit)],
    )  # fmt: skip


of_series: Final = (
    _of_series(
        "server_cached_prompt_tokens", "cached_prompt_tokens", "tok", "ΣΣn_cached,server",
        Text(zh="整个系列从缓存取用的输入 token", en="prompt tokens taken from the cache in the series"),
    ),
    _of_series(
        "server_prefix_cache_queries", "prefix_cache_queries", "tok", "ΣΣn_query,server",
        Text(zh="整个系列向 prompt cache 查询的 token", en="tokens looked up in the prompt cache in the series"),
    ),
    _of_series(
        "server_preemptions", "preemptions", "1", "ΣN_preempted",
        Text(zh="整个系列的抢占次数", en="preemptions in the series"),
    ),
    _of_series(
        "server_prompt_tokens", "prompt_tokens", "tok", "ΣΣn_in,server",
        Text(zh="整个系列服务端计的输入 token", en="prompt tokens counted by the server in the series"),
    ),
    _of_series(
        "server_output_tokens", "generation_tokens", "tok", "ΣΣn_out,server",
        Text(zh="整个系列服务端计的输出 token", en="output tokens counted by the server in the series"),
    ),
    _of_series(
        "server_requests_ended", "requests_ended", "1", "ΣN_ended,server",
        Text(zh="整个系列服务端结束的请求数", en="requests that the server ended in the series"),
    ),
)  # fmt: skip


@metric(
    "server_cached_prompt_tokens ÷ server_prefix_cache_queries",
    scope="level",
    unit="ratio",
    symbol="h_server",
    style=SHARE_STYLE,
    title=Text(zh="本次运行的 prompt cache 命中率", en="prompt-cache hit ratio of the run"),
    meaning=Text(
        zh="运行期间服务端从缓存取用的输入 token 所占的份额，不是它启动以来的份额。",
        en="Share of the prompt tokens of the run that the server took from its cache; not the share since it was started.",
    ),
)
def server_cache_hit_ratio(server_cached_prompt_tokens: float, server_prefix_cache_queries: float) -> float:
    """Return hits ÷ queries within the run. Tokens in."""
    return server_cached_prompt_tokens / server_prefix_cache_queries


@server_cache_hit_ratio.otherwise("server_cached_prompt_tokens ÷ (input_tokens_counted + warm_up_input_tokens)")
def cache_hit_ratio_of_input(
    server_cached_prompt_tokens: float, input_tokens_counted: float, warm_up_input_tokens: float
) -> float:
    """Return hits ÷ the input that the client counts, warm-up included: for servers that count no queries."""
    return server_cached_prompt_tokens / (input_tokens_counted + warm_up_input_tokens)


@metric(
    "server_prefix_cache_queries − server_cached_prompt_tokens",
    scope="level",
    unit="tok",
    symbol="Σn_computed,server",
    digits=9,
    title=Text(zh="服务端真正计算的输入 token", en="prompt tokens that the server worked out"),
    meaning=Text(zh="查询的 token 减去命中的 token。", en="Tokens looked up minus tokens found in the cache."),
)
def server_computed_prompt_tokens(server_prefix_cache_queries: float, server_cached_prompt_tokens: float) -> float:
    """Return queries − hits. Tokens in and out."""
    return server_prefix_cache_queries - server_cached_prompt_tokens


@metric(
    "server_cached_prompt_tokens_of_series ÷ server_prefix_cache_queries_of_series",
    scope="series",
    unit="ratio",
    symbol="h_server,series",
    style=SHARE_STYLE,
    title=Text(zh="整个系列的 prompt cache 命中率", en="prompt-cache hit ratio of the series"),
    meaning=Text(
        zh="系列期间服务端从缓存取用的输入 token 所占的份额。",
        en="Share of the prompt tokens of the series that the server took from its cache.",
    ),
)
def server_cache_hit_ratio_of_series(
    server_cached_prompt_tokens_of_series: float, server_prefix_cache_queries_of_series: float
) -> float:
    """Return hits ÷ queries within the series. Tokens in."""
    return server_cached_prompt_tokens_of_series / server_prefix_cache_queries_of_series


@metric(
    "server_preemptions ÷ requests",
    scope="level",
    unit="ratio",
    symbol="N_preempted ÷ N",
    style=SHARE_STYLE,
    better="lower",
    title=Text(zh="每条请求的抢占", en="preemptions a request"),
    meaning=Text(
        zh="抢占次数 ÷ 发出的请求数；一条请求可以被抢占多次。",
        en="Preemptions ÷ requests sent; one request may be preempted several times.",
    ),
)
def server_preemption_share(server_preemptions: float, requests: float) -> float:
    """Return preemptions ÷ requests."""
    return server_preemptions / requests


@metric(
    "server_preemptions_of_series ÷ requests_total",
    scope="series",
    unit="ratio",
    symbol="ΣN_preempted ÷ ΣN",
    style=SHARE_STYLE,
    better="lower",
    title=Text(zh="整个系列每条请求的抢占", en="preemptions a request in the series"),
    meaning=Text(
        zh="系列期间的抢占次数 ÷ 全部档位的请求数。", en="Preemptions in the series ÷ requests over all levels."
    ),
)
def server_preemption_share_of_series(server_preemptions_of_series: float, requests_total: float) -> float:
    """Return preemptions ÷ requests over all levels and trials."""
    return server_preemptions_of_series / requests_total
