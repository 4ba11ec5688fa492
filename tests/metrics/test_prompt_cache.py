from __future__ import annotations

from generator.metrics import prompt_cache
from generator.places import column, log
from tests.support.memory_round import read_typed


def test_observed_prompt_cache_hits() -> None:
    assert read_typed("prompt_cache_hits", column("prompt_cache_hits", "1"), 72) == (72, 72)
    assert read_typed("prompt_cache_hits", log("cache_hits", "1"), 72) == (72, 72)


def test_prompt_cache_hit_ratio_is_of_the_completed_requests() -> None:
    # 72 ÷ 288
    assert prompt_cache.prompt_cache_hit_ratio(72, 288) == 0.25


def test_prompt_cache_hit_ratio_is_zero_without_a_hit() -> None:
    assert prompt_cache.prompt_cache_hit_ratio(0, 10) == 0
