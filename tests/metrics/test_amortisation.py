from __future__ import annotations

import math
import re
from typing import Final

import numpy as np
import pytest

from generator.kinds import Answer, Column, Picked, Unknown
from generator.metrics import amortisation
from generator.metrics.amortisation import BASELINE_AHEAD, COMPARED_AHEAD, EQUAL
from generator.places import setting
from tests.support.economic_rounds import HOUR, LATE, SOON, economic_round, with_demand, without_demand
from tests.support.memory_round import read_typed
from tests.support.telling import analysed, catalogue

DAY = 24 * HOUR


def column(*numbers: float) -> Column:
    return np.array(numbers, dtype=np.float64)


@pytest.mark.parametrize("scenario", ["", "conservative.", "aggressive."])
@pytest.mark.parametrize(
    ("key", "name", "unit", "typed", "base"),
    [
        ("scenario_lifetime", "lifetime_h", "h", 12.0, 43200.0),
        ("scenario_utilisation", "utilisation", "ratio", 0.5, 0.5),
        ("scenario_offered_rate", "offered_rate", "req/s", 1.5, 1.5),
    ],
)
def test_observed_in_each_scenario(key: str, name: str, unit: str, typed: float, base: float, scenario: str) -> None:
    assert read_typed(key, setting(f"economics.{scenario}{name}", unit), typed) == (base, typed)


def test_observed_threshold() -> None:
    assert read_typed("ignore_above", setting("economics.ignore_above", "1"), 10.0) == (10.0, 10.0)


def test_best_throughput__total_is_the_highest_with_the_input_counted() -> None:
    assert amortisation.best_throughput__total(column(400, 1600, 900)) == Picked(1600, (1,))


def test_answer_tokens_are_output_over_requests() -> None:
    # (250 + 1000) tok/s ÷ (2 + 8) req/s
    assert amortisation.answer_tokens(column(250, 1000), column(2, 8)) == 125


def test_startup_tokens_are_seconds_times_tokens_a_second() -> None:
    # 81.5 s × 681.5 tok/s
    assert amortisation.startup_tokens(81.5, 681.5) == pytest.approx(55542.25)


def test_startup_tokens_make_the_start_half_of_the_time() -> None:
    # After Z × T tokens at full load, Z ÷ T × T seconds have gone by since the start: as many as it took.
    served = amortisation.startup_tokens(100.0, 2000.0)
    assert isinstance(served, float)
    assert amortisation.startup_share(100.0, served / 2000.0) == 0.5


def test_startup_tokens__total_are_the_same_with_the_input_counted() -> None:
    # 100 s × 8000 tok/s, of which a quarter is output
    assert amortisation.startup_tokens__total(100.0, 8000.0) == 800_000
    assert analysed(with_demand()).frame.of_series("startup_tokens", "b", "total").value == 800_000


@pytest.mark.parametrize(
    ("start", "life", "share"),
    [
        (100.0, 100.0, 0.5),
        (100.0, 900.0, 0.1),
        (0.0, 900.0, 0.0),  # no start costs nothing
        (100.0, 1e15, 0.0),  # nor does one in an endless life
    ],
)
def test_startup_share_is_start_over_start_and_life(start: float, life: float, share: float) -> None:
    assert amortisation.startup_share(start, life) == pytest.approx(share, abs=1e-12)


def test_restart_frequency_is_one_over_start_and_life() -> None:
    # a start of 30 min and a life of 23.5 h: one a day
    assert amortisation.restart_frequency(HOUR / 2, 23.5 * HOUR) == pytest.approx(1 / DAY)


def test_tokens_served_are_no_more_than_the_demand() -> None:
    # 1000 tok/s × 0.5 × 3600 s = 1.8 M; 2 requests a second of 100 tokens are 720,000 in an hour, 10 are 3.6 M
    assert amortisation.tokens_served(1000.0, 0.5, HOUR, 2.0, 100.0) == 720_000
    assert amortisation.tokens_served(1000.0, 0.5, HOUR, 10.0, 100.0) == 1_800_000


def test_tokens_served_at_utilisation_are_all_that_the_server_is_let_produce() -> None:
    assert amortisation.tokens_served_at_utilisation(1000.0, 0.5, HOUR) == 1_800_000


def test_startup_ratio_is_tokens_of_a_life_over_those_of_a_start() -> None:
    # 1.8 M ÷ (10 s × 1000 tok/s)
    assert amortisation.startup_ratio(1_800_000.0, 10_000.0) == 180


def test_lifetime_to_ignore_serves_as_many_times_the_tokens_as_the_threshold_asks() -> None:
    # C = 10 s, T = 1000, u = 0.5: 10 × 10,000 tokens at 500 a second take 200 s, whatever the life of the scenario
    for life in (HOUR, 7 * HOUR):
        served = amortisation.tokens_served_at_utilisation(1000.0, 0.5, life)
        assert isinstance(served, float)
        assert amortisation.lifetime_to_ignore(10.0, 10_000.0, life, served) == pytest.approx(200)
    assert amortisation.startup_ratio(500.0 * 200, 10_000.0) == 10


def test_break_even_tokens_are_where_both_have_taken_as_long() -> None:
    # (100 − 10) ÷ (1/1000 − 1/2000) = 180,000: a takes 10 + 180 s for them, b 100 + 90 s
    tokens = amortisation.break_even_tokens(100.0, 10.0, 1000.0, 2000.0)
    assert tokens == pytest.approx(180_000)
    assert 10 + 180_000 / 1000 == 100 + 180_000 / 2000


@pytest.mark.parametrize(
    ("compared", "baseline", "answer"),
    [
        ((10.0, 2000.0), (100.0, 1000.0), COMPARED_AHEAD),
        ((100.0, 1000.0), (10.0, 2000.0), BASELINE_AHEAD),
        ((10.0, 2000.0), (10.0, 1000.0), COMPARED_AHEAD),  # starts alike, runs faster
        ((100.0, 1000.0), (10.0, 1000.0), BASELINE_AHEAD),  # starts later, runs alike
        ((10.0, 1000.0), (10.0, 1000.0), EQUAL),
    ],
)
def test_break_even_tokens_are_unknown_where_one_is_never_behind(
    compared: tuple[float, float], baseline: tuple[float, float], answer: Unknown
) -> None:
    assert amortisation.break_even_tokens(compared[0], baseline[0], baseline[1], compared[1]) is answer


def test_break_even_tokens_are_the_same_whichever_series_is_the_baseline() -> None:
    both: list[Answer] = [
        amortisation.break_even_tokens(100.0, 10.0, 1000.0, 2000.0),
        amortisation.break_even_tokens(10.0, 100.0, 2000.0, 1000.0),
    ]
    assert both[0] == both[1]


def test_break_even_time_is_at_the_pace_of_the_demand() -> None:
    # 180,000 tokens at 2 × 100 a second, then at 0.5 × 1000 a second, which is less than 20 × 100
    assert amortisation.break_even_time(180_000.0, 2.0, 100.0, 1000.0, 0.5) == 900
    assert amortisation.break_even_time(180_000.0, 20.0, 100.0, 1000.0, 0.5) == 360


def test_break_even_time_at_utilisation_is_short_at_full_load_alone() -> None:
    assert amortisation.break_even_time_at_utilisation(180_000.0, 1000.0, 1.0) == 180
    assert amortisation.break_even_time_at_utilisation(180_000.0, 1000.0, 0.01) == pytest.approx(5 * HOUR)


def test_scenarios_take_their_own_inputs() -> None:
    # A start of 10 s; 1 h assumed of the conservative scenario, 24 h and 168 h of the others, at 20, 50 and 80 %.
    frame = analysed(economic_round({"a": SOON, "b": LATE}, {"a": 1000.0, "b": 2000.0})).frame
    shares = [frame.of_series("startup_share", "a", one).value for one in ("conservative", None, "aggressive")]
    assert shares == pytest.approx([10 / 3610, 10 / 86410, 10 / 604810])
    served = [frame.of_series("tokens_served", "a", one).value for one in ("conservative", None, "aggressive")]
    assert served == pytest.approx([200 * 3600, 500 * 86400, 800 * 604800])


def test_without_a_start_there_is_a_reason() -> None:
    value = analysed(without_demand()).frame.of_series("startup_tokens", "c")
    assert value.value is None
    assert value.reason is not None
    assert "cold start" in value.reason.en


def test_no_number_is_nothing_in_the_limit() -> None:
    # As a start goes to 0, a life serves ever more times its tokens, and the life that it takes to ignore it goes to 0.
    ratios = [amortisation.startup_ratio(1e6, start * 1000.0) for start in (1.0, 1e-3, 1e-6)]
    assert ratios == pytest.approx([1e3, 1e6, 1e9])
    assert all(isinstance(one, float) and math.isfinite(one) for one in ratios)
    assert amortisation.lifetime_to_ignore(10.0, 1e-6 * 1000, HOUR, 1e6) == pytest.approx(10e-3 / 1e6 * HOUR)


def test_a_start_and_the_concurrency_have_signs_of_their_own() -> None:
    metrics = catalogue().graph.metrics
    assert metrics["concurrency", None].symbol == "C"
    assert metrics["startup_tokens", None].symbol == "Z × T"
    of_starts = [one for one in metrics.values() if one.key in AMORTISED]
    assert len(of_starts) >= len(AMORTISED)
    assert not [one.symbol for one in of_starts if re.search(r"(?<![A-Za-z])C(?![A-Za-z])", one.symbol)]


AMORTISED: Final = {"startup_tokens", "startup_share", "startup_ratio", "elasticity_startup", "break_even_tokens"}
