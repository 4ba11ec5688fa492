from __future__ import annotations

import pytest

from generator.collect.usage import MOST_TOKENS, Usage, usage_of


def test_counts_and_their_details() -> None:
    told = {
        "prompt_tokens": 257,
        "completion_tokens": 64,
        "total_tokens": 321,
        "prompt_tokens_details": {"cached_tokens": 12},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    assert usage_of(told) == Usage(input=257, output=64, cached=12, reasoning=40)


@pytest.mark.parametrize("count", [-1, 1.0, "3", True, None, MOST_TOKENS + 1])
def test_counts_that_are_none(count: object) -> None:
    assert usage_of({"prompt_tokens": count}) == Usage()


def test_usage_that_is_no_object() -> None:
    assert usage_of([1]) is None
    assert usage_of({"prompt_tokens": 1, "prompt_tokens_details": 3}) == Usage(input=1)
