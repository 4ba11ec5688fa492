from __future__ import annotations

import math
from typing import Final

import numpy as np
import pytest

from generator.analysis.resolve import Resolver
from generator.analysis.stages import analyse
from generator.metrics import kv_linearity
from generator.model import Round
from generator.runs.gauges import Gauges
from generator.values import Value
from tests.support.gauged_rounds import BYTES, Pool, gauged_round, pool_round, readings
from tests.support.memory_round import GRAPH, address


def of_series(round_: Round, key: str) -> Value:
    return Resolver(GRAPH, round_).value(address(key, "series", "a"))


def of_level(round_: Round, key: str, level: str = "c1") -> Value:
    return Resolver(GRAPH, round_).value(address(key, "level", "a", level))


def settled(tokens: list[float], use: list[float], sequences: list[float] | None = None) -> Gauges:
    zeros = [0.0] * len(tokens)
    return readings(list(range(len(tokens))), tokens=tokens, kv_usage=use, awaiting=zeros, sequences=sequences or zeros)


TWO_RUNS = {"c1": settled([0, 100], [0.1, 0.2]), "c2": settled([200, 300], [0.3, 0.5])}
"""x 0, 100, 200, 300 and y 0.1, 0.2, 0.3, 0.5: x̄ = 150, ȳ = 0.275,
Σ(x − x̄)² = 2 × (150² + 50²) = 50,000
Σ(x − x̄)(y − ȳ) = (−150 × −0.175) + (−50 × −0.075) + (50 × 0.025) + (150 × 0.225) = 26.25 + 3.75 + 1.25 + 33.75 = 65
Σ(y − ȳ)² = 0.030625 + 0.005625 + 0.000625 + 0.050625 = 0.0875"""


def test_kv_slope_kv_intercept_and_how_well_the_line_fits() -> None:
    round_ = gauged_round(TWO_RUNS)

    assert of_series(round_, "kv_slope").value == pytest.approx(65 / 50_000)
    assert of_series(round_, "kv_intercept").value == pytest.approx(0.275 - 150 * 0.0013)
    assert of_series(round_, "kv_fit_r2").value == pytest.approx(65**2 / 50_000 / 0.0875)
    # left over: 0.0875 − 65² ÷ 50,000 = 0.003; ÷ (4 − 2) ÷ 50,000
    assert of_series(round_, "kv_slope_error").value == pytest.approx(math.sqrt(0.003 / 2 / 50_000))
    assert of_series(round_, "kv_fit_samples_total").value == 4


def test_the_line_through_many_runs_is_that_through_all_their_samples() -> None:
    rng = np.random.default_rng(1)
    runs = {}
    for number in range(1, 6):
        x = rng.uniform(0, 1000 * number, 20 * number)
        runs[f"c{number}"] = settled(x.tolist(), (0.02 + 4e-5 * x + rng.normal(0, 0.01, len(x))).tolist())
    x, y = (np.concatenate([getattr(run, name) for run in runs.values()]) for name in ("tokens", "kv_usage"))

    slope, intercept = np.polyfit(x, y, 1)
    assert of_series(gauged_round(runs), "kv_slope").value == pytest.approx(slope, rel=1e-9)
    assert of_series(gauged_round(runs), "kv_intercept").value == pytest.approx(intercept, rel=1e-9)


def test_each_run_is_told_by_six_numbers() -> None:
    round_ = gauged_round(TWO_RUNS)

    assert of_level(round_, "kv_fit_samples").value == 2
    assert of_level(round_, "kv_fit_tokens_mean").value == 50
    assert of_level(round_, "kv_fit_tokens_sd").value == 50
    assert of_level(round_, "kv_fit_usage_mean").value == pytest.approx(0.15)
    assert of_level(round_, "kv_fit_usage_sd").value == pytest.approx(0.05)
    assert of_level(round_, "kv_fit_correlation").value == pytest.approx(1)


def test_where_one_does_not_change_nothing_goes_together() -> None:
    assert of_level(gauged_round({"c1": settled([5, 5], [0.1, 0.2])}), "kv_fit_correlation").value == 0


def test_tokens_include_what_rounding_to_blocks_adds() -> None:
    # 100 tokens of two sequences and 300 of four: 100 + 15 and 300 + 30
    said = settled([100, 300], [0.1, 0.3], [2, 4])
    round_ = gauged_round({"c1": said}, {"engine_block_tokens_of_series": 16})

    assert of_level(round_, "kv_fit_tokens_mean").value == 222.5
    assert of_level(round_, "kv_fit_tokens_sd").value == 107.5
    assert of_level(round_, "kv_fit_correlation").value == pytest.approx(1)


def test_tokens_in_slots_stand_in_for_the_share() -> None:
    zeros = [0.0, 0.0, 0.0]
    said = readings([0, 1, 2], tokens=[0, 100, 200], slot_tokens=[0, 100, 200], awaiting=zeros, sequences=zeros)
    round_ = gauged_round({"c1": said}, {"kv_pool_tokens": 1000})

    assert of_level(round_, "kv_fit_usage_mean").value == pytest.approx(0.1)
    assert of_level(round_, "kv_fit_usage_sd").value == pytest.approx(math.sqrt(20_000 / 3) / 1000)
    assert of_series(round_, "kv_slope").value == pytest.approx(1 / 1000)
    assert of_series(round_, "kv_places_per_token").value == pytest.approx(1)


TOKENS, SEQUENCES = np.array([100.0, 300.0]), np.array([2.0, 4.0])
USE, SLOTS = np.array([0.1, 0.3]), np.array([90.0, 310.0])
BY_HAND: Final = {
    "kv_fit_samples": ((TOKENS,), 2),
    "kv_fit_tokens_mean": ((TOKENS, SEQUENCES, 7.5), 222.5),  # (115 + 330) ÷ 2
    "kv_fit_tokens_mean_unrounded": ((TOKENS,), 200),
    "kv_fit_tokens_sd": ((TOKENS, SEQUENCES, 7.5), 107.5),  # (330 − 115) ÷ 2
    "kv_fit_tokens_sd_unrounded": ((TOKENS,), 100),
    "kv_fit_usage_mean": ((USE,), 0.2),
    "kv_fit_usage_mean_of_slots": ((SLOTS, 1000.0), 0.2),  # 200 ÷ 1000
    "kv_fit_usage_sd": ((USE,), 0.1),
    "kv_fit_usage_sd_of_slots": ((SLOTS, 1000.0), 0.11),  # 110 ÷ 1000
    "kv_fit_correlation": ((TOKENS, SEQUENCES, 7.5, USE), 1),  # two points lie on a line
    "kv_fit_correlation_unrounded": ((TOKENS, USE[::-1]), -1),
    "kv_fit_correlation_of_slots": ((TOKENS, SLOTS), 1),
    "kv_fit_samples_total": ((np.array([3.0, 4.0]), np.array([0.5, 1.0])), 7),
    "kv_places_per_token": ((0.001, 1000.0), 1),
    "kv_bytes_measured": ((0.001, 4e6), 4000),
}
"""By function: what it is given, and what it returns."""


@pytest.mark.parametrize(
    "name",
    BY_HAND,
    ids=[
        "kv_fit_samples", "kv_fit_tokens_mean", "kv_fit_tokens_mean_unrounded", "kv_fit_tokens_sd",
        "kv_fit_tokens_sd_unrounded", "kv_fit_usage_mean", "kv_fit_usage_mean_of_slots", "kv_fit_usage_sd",
        "kv_fit_usage_sd_of_slots", "kv_fit_correlation", "kv_fit_correlation_unrounded", "kv_fit_correlation_of_slots",
        "kv_fit_samples_total", "kv_places_per_token", "kv_bytes_measured",
    ],
)  # fmt: skip
def test_on_numbers_by_hand(name: str) -> None:
    inputs, expected = BY_HAND[name]
    assert getattr(kv_linearity, name)(*inputs) == pytest.approx(expected)


PARTS: Final = tuple(
    np.array(column) for column in ([2.0, 2.0], [50.0, 250.0], [50.0, 50.0], [0.15, 0.4], [0.05, 0.1], [1.0, 1.0])
)
"""The two runs above, each by its six numbers."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kv_slope", 0.0013), ("kv_intercept", 0.275 - 150 * 0.0013), ("kv_fit_r2", 65**2 / 50_000 / 0.0875),
        ("kv_slope_error", math.sqrt(0.003 / 2 / 50_000)),
    ],
    ids=["kv_slope", "kv_intercept", "kv_fit_r2", "kv_slope_error"],
)  # fmt: skip
def test_a_line_follows_from_six_numbers_of_each_run(name: str, expected: float) -> None:
    assert getattr(kv_linearity, name)(*PARTS) == pytest.approx(expected)


# Against a pool that is known


def test_kv_bytes_measured_are_those_that_a_token_takes() -> None:
    measured = of_series(pool_round(Pool()), "kv_bytes_measured").value

    assert measured == pytest.approx(BYTES, rel=0.01)
    assert of_series(pool_round(Pool()), "kv_bytes_over_formula").value == pytest.approx(1, rel=0.01)
    assert of_series(pool_round(Pool()), "kv_places_per_token").value == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_held_besides_is_in_the_intercept(seed: int) -> None:
    round_ = pool_round(Pool(held=0.05), [2 + seed, 12 + seed])

    assert of_series(round_, "kv_intercept").value == pytest.approx(0.05, abs=0.002)
    assert of_series(round_, "kv_bytes_over_formula").value == pytest.approx(1, rel=0.01)


def test_tokens_of_twice_the_bytes_are_found() -> None:
    assert of_series(pool_round(Pool(each=2 * BYTES)), "kv_bytes_over_formula").value == pytest.approx(2, rel=0.01)


def test_large_blocks_that_are_not_known_of_make_a_token_look_larger() -> None:
    # about 330 tokens a sequence and 63.5 free places in its last block of 128: some 1.19 places for each token
    without = of_series(pool_round(Pool(block=128), without=["engine_block_tokens_of_series"]), "kv_places_per_token")

    assert of_series(pool_round(Pool(block=128)), "kv_places_per_token").value == pytest.approx(1, rel=0.02)
    assert without.value == pytest.approx(1.19, abs=0.05)


# What cannot be known


def reason(runs: dict[str, Gauges], key: str = "kv_slope") -> str:
    found = of_series(gauged_round(runs), key)
    assert found.value is None
    assert found.reason is not None
    return found.reason.en


def test_a_line_needs_three_samples_of_different_loads() -> None:
    assert reason({"c1": settled([0, 100], [0.1, 0.2])}).startswith("fewer than three samples")
    assert reason({"c1": settled([5, 5, 5], [0.1, 0.2, 0.3])}).startswith("the same tokens")
    assert reason({"c1": settled([1, 2, 3], [0.2, 0.2, 0.2])}).startswith("the use of the KV pool did not change")
    assert reason({"c1": settled([1, 2, 3], [0.3, 0.2, 0.1])}).startswith("the use of the KV pool does not rise")


def test_an_engine_that_says_nothing_of_its_pool_has_no_line() -> None:
    said = readings([0, 1], tokens=[1, 2], awaiting=[0, 0], sequences=[1, 1], running=[1, 1])

    assert "neither on /metrics nor on /slots" in reason({"c1": said})


def test_without_the_bytes_of_the_pool_there_is_a_slope_alone() -> None:
    round_ = gauged_round(TWO_RUNS)

    assert of_series(round_, "kv_slope").value is not None
    assert of_series(round_, "kv_bytes_measured").value is None


def test_levels_that_are_spoilt_are_left_out() -> None:
    spoilt = frozenset({("a", "c2")})
    found = Resolver(GRAPH, gauged_round(TWO_RUNS), spoilt).value(address("kv_slope", "series", "a"))

    assert found.reason is not None  # two samples remain
    assert found.reason.en.startswith("fewer than three")


def test_a_whole_analysis_of_a_known_pool_has_no_bytes_too_many() -> None:
    values = analyse(pool_round(Pool(noise=0.0)), GRAPH, ()).frame

    assert values.of_series("kv_bytes_over_formula", "a").value == pytest.approx(1, rel=0.005)
