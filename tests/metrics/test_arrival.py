from __future__ import annotations

import pytest

from generator.metrics import arrival
from generator.places import Place, column, record
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place", "typed"),
    [
        ("burstiness", column("burstiness", "1"), 0.5),
        ("burstiness", record("level.json", "summary.burstiness", "1"), 0.5),
    ],
)
def test_observed(key: str, place: Place, typed: float) -> None:
    assert read_typed(key, place, typed) == (typed, typed)


def test_rate_share_is_achieved_over_asked() -> None:
    # 4 of 10 a second
    assert arrival.rate_share(4, 10) == 0.4


def test_rate_allowed_is_the_limit_over_the_mean_latency() -> None:
    # 8 in flight for 2 s each
    assert arrival.rate_allowed(8, 2) == 4
