"""What the server's log says of prompts: how much of them came from a cache, and how fast the others were computed."""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, logged, metric
from generator.text import Text
from generator.themes import CACHING
from generator.values import Scope

THEME: Final = CACHING


def _read(fact: str, unit: str, symbol: str, title: Text, meaning: Text, scope: Scope) -> Metric:
    if scope == "series":
        symbol, title = f"{symbol},series", Text(zh=f"{title.zh}（整个系列）", en=f"{title.en}, whole series")
    digits = 9 if unit != "s" else 3
    return logged(fact, unit, symbol, scope=scope, digits=digits, title=title, meaning=meaning)


def _of_both(fact: str, unit: str, symbol: str, title: Text, meaning: Text) -> tuple[Metric, Metric]:
    """Declare a fact of the log of a run, and of that of a series."""
    return _read(fact, unit, symbol, title, meaning, "level"), _read(fact, unit, symbol, title, meaning, "series")


log_cold_prompt_tokens = _of_both(
    "cold_prompt_tokens",
    "tok",
    "Σn_cold,log",
    Text(zh="日志里冷 prompt 的 token 数", en="tokens of cold prompts in the log"),
    Text(
        zh="没有命中缓存的 prompt 算过的 token 数之和。",
        en="Tokens computed of those prompts that did not hit a cache.",
    ),
)
log_cold_prompt_seconds = _of_both(
    "cold_prompt_seconds",
    "s",
    "Σt_cold,log",
    Text(zh="日志里冷 prompt 的 prefill 时间", en="prefill time of cold prompts in the log"),
    Text(
        zh="没有命中缓存的 prompt 的 prompt eval 时间之和。",
        en="The prompt eval times of those prompts that did not hit a cache, added up.",
    ),
)
log_of_series = (
    _read(
        "cached_tokens",
        "tok",
        "Σn_hit,log",
        Text(zh="日志里取自缓存的输入 token 数", en="prompt tokens taken from the cache, in the log"),
        Text(
            zh="各请求的输入里不必再算、缓存里已有的 token 数之和。",
            en="Tokens of all prompts that were in the cache and not computed again.",
        ),
        "series",
    ),
    _read(
        "prompt_tokens_computed",
        "tok",
        "Σn_in,log",
        Text(zh="日志里算过的输入 token 数", en="prompt tokens computed, in the log"),
        Text(
            zh="各请求真正算过的输入 token 数之和，取自缓存的不在其中。",
            en="Prompt tokens that were computed: what was found in the cache is not among them.",
        ),
        "series",
    ),
)

COLD_TITLE = Text(zh="冷 prefill 速率", en="cold prefill rate")
COLD_MEANING = Text(
    zh="没有命中缓存的 prompt：算过的 token 数 ÷ prefill 时间。命中的那些只算几个 token，混在一起，或把各条的速率平均，都会算错。",
    en="Of prompts that did not hit a cache: tokens computed ÷ prefill time. Those that hit one compute a few tokens only: "
    "pooled with them, or as a mean of rates, the number would be wrong.",
)
SHARE_TITLE = Text(zh="日志里取自缓存的输入占比", en="share of the input from the cache, in the log")
SHARE_MEANING = Text(
    zh="取自缓存的输入 token ÷ 全部输入 token，由服务端自己数。",
    en="Prompt tokens taken from the cache ÷ all prompt tokens, as the server counts.",
)


@metric(
    "log_cold_prompt_tokens ÷ log_cold_prompt_seconds",
    scope="level",
    unit="tok/s",
    symbol="v_cold",
    better="higher",
    title=COLD_TITLE,
    meaning=COLD_MEANING,
)
def log_cold_prefill_rate(log_cold_prompt_tokens: float, log_cold_prompt_seconds: float) -> float:
    """Return tokens ÷ seconds of the prompts that hit no cache."""
    return log_cold_prompt_tokens / log_cold_prompt_seconds


@metric(
    "log_cold_prompt_tokens_of_series ÷ log_cold_prompt_seconds_of_series",
    scope="series",
    unit="tok/s",
    symbol="v_cold,series",
    better="higher",
    title=Text(zh=f"{COLD_TITLE.zh}（整个系列）", en=f"{COLD_TITLE.en}, whole series"),
    meaning=COLD_MEANING,
)
def log_cold_prefill_rate_of_series(
    log_cold_prompt_tokens_of_series: float, log_cold_prompt_seconds_of_series: float
) -> float:
    """Return tokens ÷ seconds of the prompts of a series that hit no cache."""
    return log_cold_prompt_tokens_of_series / log_cold_prompt_seconds_of_series


@metric(
    "log_cached_tokens ÷ (log_cached_tokens + log_prompt_tokens_computed)",
    scope="level",
    unit="ratio",
    symbol="h_tok,log",
    style="percent",
    title=SHARE_TITLE,
    meaning=SHARE_MEANING,
)
def log_cache_share(log_cached_tokens: float, log_prompt_tokens_computed: float) -> float:
    """Return cached ÷ all prompt tokens of a run."""
    return log_cached_tokens / (log_cached_tokens + log_prompt_tokens_computed)


@metric(
    "log_cached_tokens_of_series ÷ (log_cached_tokens_of_series + log_prompt_tokens_computed_of_series)",
    scope="series",
    unit="ratio",
    symbol="h_tok,log,series",
    style="percent",
    title=Text(zh=f"{SHARE_TITLE.zh}（整个系列）", en=f"{SHARE_TITLE.en}, whole series"),
    meaning=SHARE_MEANING,
)
def log_cache_share_of_series(log_cached_tokens_of_series: float, log_prompt_tokens_computed_of_series: float) -> float:
    """Return cached ÷ all prompt tokens of a series."""
    return log_cached_tokens_of_series / (log_cached_tokens_of_series + log_prompt_tokens_computed_of_series)
