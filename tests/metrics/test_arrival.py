from __future__ import annotations

from generator.metrics import arrival


def test_rate_share_is_achieved_over_asked() -> None:
    # 4 of 10 a second
    assert arrival.rate_share(4, 10) == 0.4


def test_rate_allowed_is_the_limit_over_the_mean_latency() -> None:
    # 8 in flight for 2 s each
    assert arrival.rate_allowed(8, 2) == 4
