from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Answer, Column, Picked, Unknown
from generator.metrics import scaling
from generator.metrics.scaling import NONE_ALONE, OTHER_LENGTHS
from generator.runs.requests import OPEN_LOOP
from tests.support.ladder_rounds import ladder_and_sweep, ladder_levels, of_ladder
from tests.support.telling import analysed


def column(*numbers: float) -> Column:
    return np.array(numbers, dtype=np.float64)


def test_throughput_alone_is_that_of_the_level_with_one_request() -> None:
    assert scaling.throughput_alone(column(60, 116), column(1, 2)) == Picked(60, (0,))
    assert scaling.throughput_alone(column(116, 220), column(2, 4)) is NONE_ALONE


def test_request_tokens_alone_are_those_of_the_same_level() -> None:
    assert scaling.request_tokens_alone(column(900, 1200), column(0, 1)) == Picked(1200, (1,))
    assert scaling.request_tokens_alone(column(1200), column(2)) is NONE_ALONE


@pytest.mark.parametrize(
    ("tokens", "answer"),
    [
        (1200, 640 / (16 * 60)),  # two thirds of sixteen times one
        (1224, 640 / (16 * 60) * 1.02),  # counted lengths, 2 % longer
        (1300, OTHER_LENGTHS),
    ],
)
def test_scaling_efficiency_is_throughput_over_c_times_one_alone(tokens: float, answer: Answer) -> None:
    found = scaling.scaling_efficiency(640, 16, 60, tokens, 1200)
    assert found == (answer if isinstance(answer, Unknown) else pytest.approx(answer))


def test_scaling_efficiency_is_of_a_closed_loop() -> None:
    assert scaling.scaling_efficiency(640, 0, 60, 1200, 1200) == Unknown(OPEN_LOOP)


def test_floor_throughput_is_requests_over_the_floor() -> None:
    assert scaling.floor_throughput(16, 0.02) == 800


def test_best_throughput_is_the_largest() -> None:
    assert scaling.best_throughput(column(60, 665, 640)) == Picked(665, (1,))


def test_levels_of_other_lengths_have_no_efficiency() -> None:
    # C=4: 220 ÷ (4 × 60) = 0.9167; the levels of the sweep are at C=1 as well, with other prompts.
    frame = analysed(ladder_and_sweep()).frame

    assert frame.of_level("scaling_efficiency", "a", "c4").value == pytest.approx(220 / 240)
    assert frame.of_level("scaling_efficiency", "a", "in4000").reason == OTHER_LENGTHS.reason
    assert frame.of_series("best_throughput", "a").value == 665


def test_a_ladder_that_begins_above_one_has_no_efficiency() -> None:
    frame = analysed(of_ladder(ladder_levels({2: 116.0, 4: 220.0, 8: 400.0}))).frame

    assert frame.of_level("scaling_efficiency", "a", "c4").reason == NONE_ALONE.reason
