"""What the server counted of a run against what the client counted, with the requests before the clock in both."""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, metric, observed
from generator.places import counters, record
from generator.text import Text
from generator.themes import SERVER

THEME: Final = SERVER

WARM_UP = "warm-up/*/requests.parquet"
MEANING = Text(
    zh="服务端计数器的增量减去客户端计到的（预热与计时请求合计）；为 0 则两边一致。",
    en="Growth of the server's counter minus what the client counted, warm-up and timed requests together; 0 where both agree.",
)


def _before_the_clock(key: str, of: str, unit: str, symbol: str, title: Text, meaning: Text) -> Metric:
    return observed(
        key, scope="level", unit=unit, symbol=symbol, digits=9, title=title, meaning=meaning,
        places=[record(WARM_UP, of, unit)],
    )  # fmt: skip


warm_up = (
    _before_the_clock(
        "warm_up_requests", "requests", "1", "N_before",
        Text(zh="预热请求数", en="requests before the clock"),
        Text(zh="计时之前发出的请求，冷的与热的合计。", en="Requests sent before the clock, cold and warm ones together."),
    ),
    _before_the_clock(
        "warm_up_input_tokens", "input_tokens", "tok", "Σn_in,before",
        Text(zh="预热的输入 token", en="input tokens before the clock"),
        Text(zh="计时之前的请求的输入 token 之和。", en="Input tokens of the requests before the clock, added up."),
    ),
    _before_the_clock(
        "warm_up_output_tokens", "output_tokens", "tok", "Σn_out,before",
        Text(zh="预热的输出 token", en="output tokens before the clock"),
        Text(zh="计时之前的请求的输出 token 之和。", en="Output tokens of the requests before the clock, added up."),
    ),
)  # fmt: skip

server_cached_prompt_tokens = observed(
    "server_cached_prompt_tokens",
    scope="level",
    unit="tok",
    symbol="Σn_cached,server",
    digits=9,
    places=[
        record("level.json", "summary.server_cached_prompt_tokens", "tok"),
        counters("cached_prompt_tokens", "tok"),
    ],
    title=Text(zh="服务端从缓存取用的输入 token", en="prompt tokens that the server took from its cache"),
    meaning=Text(
        zh="服务端计数器在本次运行中的增量，含预热。",
        en="Growth of the server's counter over the run, warm-up included.",
    ),
)


@metric(
    "server_output_tokens − output_tokens_counted − warm_up_output_tokens",
    scope="level",
    unit="tok",
    symbol="Δn_out,server",
    digits=9,
    title=Text(zh="服务端多计的输出 token", en="output tokens that the server counts beyond the client's"),
    meaning=MEANING,
)
def server_output_token_surplus(
    server_output_tokens: float, output_tokens_counted: float, warm_up_output_tokens: float
) -> float:
    """Return the server's growth − the client's count. Tokens in and out."""
    return server_output_tokens - output_tokens_counted - warm_up_output_tokens


@metric(
    "server_prompt_tokens − input_tokens_counted − warm_up_input_tokens",
    scope="level",
    unit="tok",
    symbol="Δn_in,server",
    digits=9,
    title=Text(zh="服务端多计的输入 token", en="prompt tokens that the server counts beyond the client's"),
    meaning=MEANING,
)
def server_prompt_token_surplus(
    server_prompt_tokens: float, input_tokens_counted: float, warm_up_input_tokens: float
) -> float:
    """Return the server's growth − the client's count. Tokens in and out."""
    return server_prompt_tokens - input_tokens_counted - warm_up_input_tokens
