from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.kinds import Answer, Metric, Picked
from generator.metrics import crossover
from tests.support.ladder_rounds import ladder_levels, level
from tests.support.memory_round import memory_round
from tests.support.telling import analysed

CROSSOVERS = pytest.mark.parametrize(
    "cross",
    [
        crossover.crossover_concurrency,
        crossover.crossover_concurrency_itl_p50,
        crossover.crossover_concurrency_equal_tokens,
        *(lambda loads, ratios, made=made: made(loads=loads, ratios=ratios) for made in crossover.latency_crossovers),
    ],
    ids=[
        "crossover_concurrency", "crossover_concurrency_itl_p50", "crossover_concurrency_equal_tokens",
        "crossover_concurrency_ttft_p50", "crossover_concurrency_ttft_p99", "crossover_concurrency_e2el_p50",
    ],
)  # fmt: skip
Cross = Callable[[np.ndarray, np.ndarray], Answer]


def crossed(answer: Answer) -> tuple[float, tuple[int, ...]]:
    assert isinstance(answer, Picked)
    return answer.value, answer.rows


def test_throughput_ratio_is_compared_over_baseline() -> None:
    # 300 ÷ 400
    assert crossover.throughput_ratio(300, 400) == 0.75


def test_itl_p50_ratio_is_baseline_over_compared() -> None:
    # 15 ms ÷ 10 ms
    assert crossover.itl_p50_ratio(0.015, 0.010) == pytest.approx(1.5)


@pytest.mark.parametrize("ratio", crossover.latency_ratios, ids=["ttft_p50_ratio", "ttft_p99_ratio", "e2el_p50_ratio"])
def test_a_ratio_of_latencies_is_baseline_over_compared(ratio: Metric) -> None:
    # 300 ms ÷ 100 ms: the compared series takes a third of the time.
    assert ratio(baseline=0.3, compared=0.1) == pytest.approx(3)


def test_throughput_ratio_equal_tokens_scales_both_to_what_was_asked() -> None:
    # compared 100 × 256 ÷ 200 = 128; baseline 80 × 128 ÷ 160 = 64; 128 ÷ 64
    assert crossover.throughput_ratio_equal_tokens(100, 256, 200, 80, 128, 160) == 2


@CROSSOVERS
def test_crossover_is_interpolated_on_log_axes(cross: Cross) -> None:
    # Between 4 and 16 the ratio falls from 2 to ½: halfway in the logarithm, at 4 × √(16 ÷ 4) = 8.
    value, rows = crossed(cross(np.array([1.0, 4.0, 16.0]), np.array([4.0, 2.0, 0.5])))

    assert value == pytest.approx(8)
    assert rows == (1, 2)


@CROSSOVERS
def test_levels_under_a_rate_are_no_points_of_the_line(cross: Cross) -> None:
    # None are kept in flight in the third row; the lead changes between 4 and 16 as if it were not there.
    value, rows = crossed(cross(np.array([1.0, 4.0, 0.0, 16.0]), np.array([4.0, 2.0, 0.1, 0.5])))

    assert value == pytest.approx(8)
    assert rows == (1, 3)


@CROSSOVERS
def test_crossover_lies_nearer_to_the_ratio_nearer_to_one(cross: Cross) -> None:
    # From 8 = 2³ to ½ = 2⁻¹: three quarters of the way from 1 to 16, at 16^¾ = 8.
    value, rows = crossed(cross(np.array([1.0, 16.0]), np.array([8.0, 0.5])))

    assert value == pytest.approx(8)
    assert rows == (0, 1)


@CROSSOVERS
def test_crossover_is_found_where_the_compared_series_takes_the_lead(cross: Cross) -> None:
    # From ½ to 2, halfway in the logarithm from 2 to 8: 2 × √4.
    value, rows = crossed(cross(np.array([1.0, 2.0, 8.0]), np.array([0.25, 0.5, 2.0])))

    assert value == pytest.approx(4)
    assert rows == (1, 2)


@CROSSOVERS
def test_crossover_at_a_level_is_that_level(cross: Cross) -> None:
    # The ratio is exactly 1 at 2: the bracket 1–2 ends on it.
    value, rows = crossed(cross(np.array([1.0, 2.0, 4.0]), np.array([2.0, 1.0, 0.5])))

    assert value == pytest.approx(2)
    assert rows == (0, 1)


@CROSSOVERS
def test_crossover_is_the_first_of_several(cross: Cross) -> None:
    # 2 → ½ between 1 and 4, at √4; what follows does not move it.
    value, rows = crossed(cross(np.array([1.0, 4.0, 16.0, 64.0]), np.array([2.0, 0.5, 2.0, 0.25])))

    assert value == pytest.approx(2)
    assert rows == (0, 1)


@CROSSOVERS
@pytest.mark.parametrize(
    "ratios",
    [
        pytest.param([4.0, 2.0, 1.5], id="compared"),
        pytest.param([0.5, 0.75, 0.9], id="baseline"),
        pytest.param([1.0, 2.0, 3.0], id="level at first"),
        pytest.param([2.0, 1.0, 2.0], id="touched, not passed"),
        pytest.param([2.0, 1 - 1e-15, 2.0], id="touched but for rounding"),
        pytest.param([1 + 1e-15, 1 - 1e-15, 1.0], id="equal but for rounding"),
    ],
)
def test_crossover_is_unknown_where_one_series_always_leads(cross: Cross, ratios: list[float]) -> None:
    assert cross(np.array([1.0, 2.0, 4.0]), np.array(ratios)) is crossover.NO_CROSSING


@CROSSOVERS
@pytest.mark.parametrize(
    ("loads", "ratios"),
    [
        pytest.param([1.0, 2.0, 2.0, 4.0], [2.0, 1.1, 0.9, 0.5], id="a vertical step"),
        pytest.param([1.0, 2.0, 2.0, 4.0], [2.0, 1.2, 1.1, 0.5], id="on the left"),
        pytest.param([1.0, 2.0, 2.0, 4.0], [2.0, 0.9, 0.8, 0.5], id="on the right"),
    ],
)
def test_crossover_beside_a_load_of_several_levels_is_unknown(
    cross: Cross, loads: list[float], ratios: list[float]
) -> None:
    assert cross(np.array(loads), np.array(ratios)) is crossover.SAME_LOAD


@CROSSOVERS
def test_crossover_away_from_a_load_of_several_levels_is_known(cross: Cross) -> None:
    # From 2 to ½ between 4 and 16: 4 × √4 = 8, whatever happened at 1.
    value, rows = crossed(cross(np.array([1.0, 1.0, 4.0, 16.0]), np.array([3.0, 4.0, 2.0, 0.5])))

    assert value == pytest.approx(8)
    assert rows == (2, 3)


@CROSSOVERS
def test_crossover_of_one_level_is_unknown(cross: Cross) -> None:
    assert cross(np.array([8.0]), np.array([2.0])) is crossover.ONE_LEVEL


@pytest.mark.parametrize(
    ("ratios", "count"),
    [
        ([4.0, 2.0, 0.5], 1),
        ([2.0, 1.0, 0.5], 1),
        ([2.0, 0.5, 2.0, 0.25], 3),
        ([4.0, 2.0, 1.5], 0),
        ([2.0, 1.0, 2.0], 0),
        ([2.0, 1.0, 1.0, 0.5], 1),
        ([2.0], 0),
    ],
)
def test_crossover_count_counts_every_crossing(ratios: list[float], count: int) -> None:
    assert crossover.crossover_count(np.array(ratios)) == count


def test_crossings_name_their_neighbours() -> None:
    # 2 → ½, ½ → 2, then 2 → 1, where 1 ends its bracket and opens none.
    assert crossover.crossings(np.array([2.0, 0.5, 2.0, 1.0, 0.5])) == [(0, 1), (1, 2), (2, 3)]


LOADS = st.lists(st.floats(1, 1000), min_size=2, max_size=8, unique=True).map(sorted)
ABOVE_ONE = st.floats(min_value=1.001, max_value=100)


@given(loads=LOADS, before=ABOVE_ONE, after=ABOVE_ONE, data=st.data())
def test_crossover_lies_inside_its_bracket(
    loads: list[float], before: float, after: float, data: st.DataObject
) -> None:
    turn = data.draw(st.integers(1, len(loads) - 1))
    ratios = [before] * turn + [1 / after] * (len(loads) - turn)
    value, rows = crossed(crossover.log_log_crossing(np.array(loads), np.array(ratios)))

    assert rows == (turn - 1, turn)
    assert loads[turn - 1] * (1 - 1e-9) <= value <= loads[turn] * (1 + 1e-9)


@given(before=ABOVE_ONE, after=ABOVE_ONE, factor=st.floats(1e-3, 1e3))
def test_crossover_scales_with_the_load_and_not_with_the_side(before: float, after: float, factor: float) -> None:
    loads, ratios = np.array([3.0, 20.0]), np.array([before, 1 / after])
    value, _ = crossed(crossover.log_log_crossing(loads, ratios))

    assert crossed(crossover.log_log_crossing(loads * factor, ratios))[0] == pytest.approx(value * factor)
    assert crossed(crossover.log_log_crossing(loads, 1 / ratios))[0] == pytest.approx(value)


def test_a_sweep_beside_a_ladder_leaves_the_crossover_alone() -> None:
    # On the ladder the ratio goes 2, 1.25, 0.8: it passes 1 half way between C=2 and C=4 on log axes, at √8. Longer
    # prompts turn it round at C=1 as well, which is no crossover of loads.
    base = ladder_levels({1: 60.0, 2: 100.0, 4: 200.0})
    other = ladder_levels({1: 120.0, 2: 125.0, 4: 160.0})
    long = {"long": level(1, 10, length=4000), "longer": level(1, 5, length=8000)}
    slower = {"long": level(1, 5, length=4000), "longer": level(1, 9, length=8000)}
    frame = analysed(memory_round({"a": {**base, **long}, "b": {**other, **slower}}, baseline="a")).frame

    assert frame.of_pair("crossover_concurrency", "b").value == pytest.approx(8**0.5)
    assert frame.of_pair("crossover_count", "b").value == 1
