from __future__ import annotations

import pytest

from generator.metrics import reasoning
from generator.places import Place, column, record
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place", "typed"),
    [
        ("reasoning_tokens", column("reasoning_tokens", "tok"), 512),
        ("reasoning_tokens", record("level.json", "summary.reasoning_tokens", "tok"), 512),
        ("reasoning_above_output", record("level.json", "summary.reasoning_above_output", "1"), 3),
    ],
)
def test_observed(key: str, place: Place, typed: float) -> None:
    assert read_typed(key, place, typed) == (typed, typed)


def test_reasoning_share_is_of_all_output() -> None:
    # 250 ÷ 1000
    assert reasoning.reasoning_share(250, 1000) == 0.25
