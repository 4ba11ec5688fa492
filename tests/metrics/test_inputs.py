from __future__ import annotations

import pytest

from generator.metrics import inputs


def test_input_tokens_mean_is_over_the_completed_requests() -> None:
    assert inputs.input_tokens_mean(58270, 10) == 5827


def test_input_departure_is_below_zero_where_prompts_are_shorter_than_asked() -> None:
    assert inputs.input_departure(5827, 10000) == pytest.approx(-0.4173)  # 5827 ÷ 10000 − 1
