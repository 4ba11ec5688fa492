"""What a token takes of the KV pool by the model's shape, at the lengths of a round, and what was measured against that."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric
from generator.text import Text
from generator.themes import MEMORY

THEME: Final = MEMORY

OUTGROWN: Final = Unknown(
    Text(
        zh="有请求长过注意力窗口：窗口内外的 token 占的 KV 不同，没有一个数能代表",
        en="requests outgrow the attention window: tokens within and beyond it take different bytes, and no one number stands "
        "for both",
    )
)


@metric(
    "max(0, percentile(request_tokens, 100) − attention_window)",
    scope="series",
    unit="tok",
    symbol="n_beyond",
    digits=9,
    title=Text(zh="最长的请求超出注意力窗口的 token", en="tokens of the longest request beyond the attention window"),
    meaning=Text(
        zh="带窗口的层不再保留的 token；模型没有窗口时为零。",
        en="Tokens that layers with a window no longer keep; none where the model has no window.",
    ),
)
def kv_beyond_window(request_tokens: Column, attention_window: float) -> float:
    """Return how far the longest request reaches beyond the window, in tokens."""
    return max(0.0, float(request_tokens.max()) - attention_window)


@kv_beyond_window.otherwise("0 × kv_bytes_per_token")
def kv_beyond_no_window(kv_bytes_per_token: float) -> float:
    """Return none of a model whose shape has no window."""
    return 0 * kv_bytes_per_token


@metric(
    "(kv_elements + kv_window_elements) × kv_element_bytes × [kv_beyond_window = 0]",
    scope="series",
    unit="KiB",
    symbol="kv_here",
    better="lower",
    digits=4,
    title=Text(zh="这些长度下每 token 的 KV 字节", en="KV bytes per token at these lengths"),
    meaning=Text(
        zh="按模型形状，这一轮请求的长度下每个 token 占的 KV：带窗口的层在窗口之内也留下每个 token；有请求越过窗口时没有这样一个数。",
        en="By the model's shape, what a token takes at the lengths of these requests: within the window layers that have one keep "
        "each token as well. Once a request outgrows it there is no such number.",
    ),
)
def kv_bytes_per_token_here(
    kv_elements: float, kv_window_elements: float, kv_element_bytes: float, kv_beyond_window: float
) -> float | Unknown:
    """Return the bytes of a token where all layers keep it; unknown where requests outgrow the window."""
    return OUTGROWN if kv_beyond_window else (kv_elements + kv_window_elements) * kv_element_bytes


@kv_bytes_per_token_here.otherwise("kv_bytes_per_token × [kv_beyond_window = 0]")
def kv_bytes_per_token_everywhere(kv_bytes_per_token: float, kv_beyond_window: float) -> float | Unknown:
    """Return the bytes of a token of a model without windows: they are the same at all lengths."""
    return OUTGROWN if kv_beyond_window else kv_bytes_per_token


@metric(
    "kv_bytes_measured ÷ kv_bytes_per_token_here",
    scope="series",
    unit="ratio",
    symbol="kv_meas ÷ kv",
    style="percent",
    digits=4,
    title=Text(zh="实测与公式的每 token KV 字节之比", en="measured KV bytes per token over the formula"),
    meaning=Text(
        zh="100% 表示与模型形状算出的一致。",
        en="100% where they are what the model's shape gives.",
    ),
)
def kv_bytes_over_formula(kv_bytes_measured: float, kv_bytes_per_token_here: float) -> float:
    """Return measured ÷ computed."""
    return kv_bytes_measured / kv_bytes_per_token_here
