from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Answer, Unknown
from generator.metrics import first_wave

WAITS = np.array([3.0, 1.0, 0.5, 0.5])


def reason(answer: Answer) -> str:
    assert isinstance(answer, Unknown)
    return answer.reason.en


def test_first_ttft_is_that_of_the_request_sent_first() -> None:
    assert first_wave.first_ttft(WAITS) == 3.0


def test_first_ttft_over_rest_is_over_the_median_of_the_others() -> None:
    assert first_wave.first_ttft_over_rest(WAITS) == 6.0  # 3 ÷ median(1, 0.5, 0.5)
    assert "none to compare it with" in reason(first_wave.first_ttft_over_rest(WAITS[:1]))


def test_ttft_mean_after_first_leaves_one_out() -> None:
    assert first_wave.ttft_mean_after_first(WAITS) == pytest.approx(2 / 3)  # (1 + 0.5 + 0.5) ÷ 3
    assert "none to compare it with" in reason(first_wave.ttft_mean_after_first(WAITS[:1]))


def test_ttft_mean_after_first_wave_leaves_as_many_out_as_there_are_slots() -> None:
    assert first_wave.ttft_mean_after_first_wave(WAITS, 2) == 0.5  # (0.5 + 0.5) ÷ 2


def test_first_wave_weight_is_the_mean_of_all_over_the_rest() -> None:
    assert first_wave.first_wave_weight(WAITS, 2) == 2.5  # (3 + 1 + 0.5 + 0.5) ÷ 4 ÷ 0.5


@pytest.mark.parametrize(
    ("kept", "why"), [(0.0, "arrive at a rate"), (4.0, "none is left"), (2.5, "not a whole number")]
)
def test_without_a_wave_of_its_own_nothing_can_be_left_out(kept: float, why: str) -> None:
    assert why in reason(first_wave.ttft_mean_after_first_wave(WAITS, kept))
    assert why in reason(first_wave.first_wave_weight(WAITS, kept))
