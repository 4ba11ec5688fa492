from __future__ import annotations

import pytest

from generator.metrics.phases import time_per_generated_token
from generator.places import column
from tests.support.memory_round import read_typed


@pytest.mark.parametrize("key", ["prompt_throughput", "generation_throughput", "mixed_throughput"])
def test_observed_in_its_column(key: str) -> None:
    assert read_typed(key, column(key, "tok/s"), 208.25) == (208.25, 208.25)


def test_time_per_generated_token() -> None:
    # 50 tokens a second are 20 ms each
    assert time_per_generated_token.derivations[0].compute(generation_throughput=50.0) == pytest.approx(0.02)
