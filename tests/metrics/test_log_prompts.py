from __future__ import annotations

import pytest

from generator.metrics import log_prompts
from generator.places import log
from generator.values import Scope
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "fact", "unit", "scope"),
    [
        ("log_cold_prompt_tokens", "cold_prompt_tokens", "tok", "level"),
        ("log_cold_prompt_seconds", "cold_prompt_seconds", "s", "level"),
        ("log_cold_prompt_tokens_of_series", "cold_prompt_tokens", "tok", "series"),
        ("log_cold_prompt_seconds_of_series", "cold_prompt_seconds", "s", "series"),
        ("log_cached_tokens_of_series", "cached_tokens", "tok", "series"),
        ("log_prompt_tokens_computed_of_series", "prompt_tokens_computed", "tok", "series"),
    ],
)
def test_observed_in_the_log(key: str, fact: str, unit: str, scope: Scope) -> None:
    assert read_typed(key, log(fact, unit, scope), 2048) == (2048, 2048)


def test_log_cold_prefill_rate_is_of_cold_prompts_alone() -> None:
    # 8 prompts of 512 tokens in 256 ms each: 4096 ÷ 2.048 s
    assert log_prompts.log_cold_prefill_rate(4096, 2.048) == 2000


def test_log_cold_prefill_rate_of_series() -> None:
    # 1000 ÷ 0.5
    assert log_prompts.log_cold_prefill_rate_of_series(1000, 0.5) == 2000


def test_log_cache_share_counts_tokens() -> None:
    # 300 of 300 + 900
    assert log_prompts.log_cache_share(300, 900) == 0.25


def test_log_cache_share_of_series_counts_tokens() -> None:
    # 0 of 900
    assert log_prompts.log_cache_share_of_series(0, 900) == 0
