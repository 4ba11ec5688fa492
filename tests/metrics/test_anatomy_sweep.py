from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from generator.frame import Analysis
from generator.kinds import Unknown
from generator.metrics import anatomy_sweep as family
from tests.support.memory_round import memory_round
from tests.support.telling import analysed

WITHOUT_EACH = (
    # Three points fix c by (s2 − s1) ÷ (x3 − x1), with the slopes s1 and s2 between them.
    (4 - 1) / (4 - 2),  # (2, 3), (3, 4), (4, 8): slopes 1 and 4
    (4 - 3 / 2) / (4 - 1),  # (1, 1), (3, 4), (4, 8): slopes 3 ÷ 2 and 4
    (5 / 2 - 2) / (4 - 1),  # (1, 1), (2, 3), (4, 8): slopes 2 and 5 ÷ 2
    (1 - 2) / (3 - 1),  # (1, 1), (2, 3), (3, 4): slopes 2 and 1
)
FIXED_WITHOUT_EACH = (
    # Newton's form at 0: y1 − s1 × x1 + c × x1 × x2
    3 - 1 * 2 + 1.5 * 2 * 3,
    1 - 1.5 * 1 + (2.5 / 3) * 1 * 3,
    1 - 2 * 1 + (0.5 / 3) * 1 * 2,
    1 - 2 * 1 + (-0.5) * 1 * 2,
)
LENGTHS = np.array([32.0, 128.0, 512.0, 1024.0, 2048.0, 4096.0])
A, B, C = 8e-3, 85e-6, 1.5e-9
NOISE = np.array([1.002, 0.998, 1.001, 0.999, 1.002, 0.998])
"""Readings are off by two in a thousand at most."""
STRAIGHT = (A + B * LENGTHS) * NOISE
BENT = (A + B * LENGTHS + C * LENGTHS**2) * NOISE
METRICS = {metric.key: metric for metric in (*family.of_line, *family.of_curve)}


def fitted(key: str, times: Sequence[float] | np.ndarray, tokens: np.ndarray = LENGTHS) -> object:
    return METRICS[key](tokens, np.asarray(times))


def test_prefill_alone_is_known_of_one_request_in_flight() -> None:
    assert family.prefill_alone(0.25, 1) == 0.25
    assert family.prefill_alone(0.25, 2) is family.NOT_ALONE
    assert family.prefill_alone(0.25, 0) is family.NOT_ALONE  # requests arrive at a rate


def test_ttft_alone_is_known_of_one_request_in_flight() -> None:
    assert family.ttft_alone(0.3, 1) == 0.3
    assert family.ttft_alone(0.3, 4) is family.NOT_ALONE


def test_prefill_alone__client_is_what_the_client_sees() -> None:
    assert family.prefill_alone__client(0.3, 1) == 0.3
    assert family.prefill_alone__client(0.3, 8) is family.NOT_ALONE


def test_prefill_speed() -> None:
    # 1024 ÷ 0.5 s
    assert family.prefill_speed(1024, 0.5) == 2048


@pytest.mark.parametrize(
    ("key", "times", "truth"),
    [
        ("prefill_fixed", STRAIGHT, A),
        ("prefill_per_token", STRAIGHT, B),
        ("prefill_curve_fixed", BENT, A),
        ("prefill_curve_per_token", BENT, B),
        ("prefill_per_token_squared", BENT, C),
    ],
    ids=["prefill_fixed", "prefill_per_token", "prefill_curve_fixed", "prefill_curve_per_token",
         "prefill_per_token_squared"],
)  # fmt: skip
def test_what_the_times_were_made_of_is_found_again(key: str, times: np.ndarray, truth: float) -> None:
    # exact readings give it back; readings that are off by 0.2 % move it by less than 10 % of itself
    exact = A + B * LENGTHS + (C * LENGTHS**2 if times is BENT else 0)

    assert fitted(key, exact) == pytest.approx(truth, rel=0.02)
    assert fitted(key, times) == pytest.approx(truth, rel=0.1)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        # of (1, 1), (2, 3), (3, 4), (4, 8) with the line −1.5 + 2.2 n: without each point in turn b is 2.5, 31 ÷ 14,
        # 33 ÷ 14 and 1.5, and a is −2.5, −66 ÷ 42, −1.5 and −1 ÷ 3
        ("prefill_fixed_error", math.hypot(1, 66 / 42 - 1.5, 0, 1.5 - 1 / 3)),
        ("prefill_per_token_error", math.hypot(0.3, 31 / 14 - 2.2, 33 / 14 - 2.2, 0.7)),
        ("prefill_fit_r2", 1 - 1.8 / 26),
        # the parabola 1 − 0.3 n + 0.5 n² leaves −0.2, 0.6, −0.6, 0.2: 0.8 of 26. Without each point in turn it runs
        # through the other three.
        ("prefill_curve_fixed_error", math.hypot(*(a - 1 for a in FIXED_WITHOUT_EACH))),
        ("prefill_per_token_squared_error", math.hypot(*(c - 0.5 for c in WITHOUT_EACH))),
        ("prefill_curve_r2", 1 - 0.8 / 26),
    ],
    ids=["prefill_fixed_error", "prefill_per_token_error", "prefill_fit_r2", "prefill_curve_fixed_error",
         "prefill_per_token_squared_error", "prefill_curve_r2"],
)  # fmt: skip
def test_the_fit_says_how_far_off_it_is(key: str, expected: float) -> None:
    tokens = np.array([1.0, 2.0, 3.0, 4.0])

    assert fitted(key, [1.0, 3.0, 4.0, 8.0], tokens) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("key", "count", "reason"),
    [
        ("prefill_per_token", 2, family.FEW_FOR_LINE),
        ("prefill_per_token_squared", 3, family.FEW_FOR_CURVE),
    ],
)
def test_too_few_lengths_fix_no_fit(key: str, count: int, reason: Unknown) -> None:
    assert fitted(key, STRAIGHT[:count], LENGTHS[:count]) is reason
    # the same lengths again are no further ones, and neither are those a hundredth off
    again = np.concatenate([LENGTHS[:count], LENGTHS[:count] * 1.01])
    assert fitted(key, np.concatenate([STRAIGHT[:count]] * 2), again) is reason


def test_times_that_do_not_vary_have_no_variance_to_account_for() -> None:
    assert fitted("prefill_fit_r2", np.full(6, 0.5)) is family.NOT_FIXED


def test_lengths_are_counted_once() -> None:
    assert family.lengths(np.array([512.0, 128.0, 129.0, 512.0, 2048.0])) == 3


def test_prefill_fit_points() -> None:
    assert family.prefill_fit_points(np.array([0.1, 0.2, 0.2])) == 3


def swept() -> Analysis:
    levels = {
        f"n{n:g}": {"concurrency": 1.0, "asked_input_tokens": float(n), "ttft_p50": float(t)}
        for n, t in zip(LENGTHS, A + B * LENGTHS, strict=True)
    }
    return analysed(
        memory_round({"a": {**levels, "c8": {"concurrency": 8.0, "ttft_p50": 9.0, "asked_input_tokens": 32.0}}})
    )


def test_a_sweep_of_a_client_gives_both_terms_also_under_its_own_basis() -> None:
    frame = swept().frame

    for basis in (None, "client"):
        assert frame.of_series("prefill_fixed", "a", basis).value == pytest.approx(A, rel=0.02)
        assert frame.of_series("prefill_per_token", "a", basis).value == pytest.approx(B, rel=0.02)
    # the level with eight in flight is in no fit
    assert frame.of_series("prefill_fit_points", "a").value == 6
