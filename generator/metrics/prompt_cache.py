"""Prompt cache: requests whose prefill was skipped."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import column, log
from generator.text import Text
from generator.themes import CACHING

THEME: Final = CACHING

prompt_cache_hits = observed(
    "prompt_cache_hits",
    scope="level",
    unit="1",
    symbol="n_hit",
    places=[column("prompt_cache_hits", "1"), log("cache_hits", "1")],
    digits=9,
    title=Text(zh="prompt cache 命中数", en="prompt-cache hits"),
    meaning=Text(zh="prefill 被缓存省掉的请求数。", en="Requests whose prefill the cache saved."),
)


@metric(
    "prompt_cache_hits ÷ completed",
    scope="level",
    unit="ratio",
    symbol="h",
    style="percent",
    title=Text(zh="prompt cache 命中率", en="prompt-cache hit ratio"),
    meaning=Text(zh="命中数 ÷ 完成数。", en="Hits ÷ completed requests."),
)
def prompt_cache_hit_ratio(prompt_cache_hits: float, completed: float) -> float:
    """Return hits ÷ completed."""
    return prompt_cache_hits / completed
