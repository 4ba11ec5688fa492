from __future__ import annotations

import math
from dataclasses import replace

import pytest

from generator.comparing import telling
from generator.comparing.estimating import Found, Row, find
from generator.comparing.sides import Side
from generator.frame import Analysis
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.comparing.two_rounds import a_run, analysed, of_runs, throughputs


def found(base: Analysis, head: Analysis, metric: str = "output_throughput", history: tuple[float, ...] = ()) -> Found:
    before, after = (Side(one, "a", one.round.series[0].levels[0]) for one in (base, head))
    return find(Row(metric, before, after, margin=0.05, histories=(history,) if history else ()))


def failing(*runs: tuple[int, int]) -> Analysis:
    """Return a round of which each run has so many failed requests, of so many."""
    sent = tuple(float(n) for _, n in runs)
    return analysed({"c8": {"requests": sent, "completed": tuple(float(n - failed) for failed, n in runs)}})


def test_several_trials_are_tested_as_trials() -> None:
    one = found(throughputs(100, 102, 104), throughputs(110, 112, 114, 116))
    assert (one.method, one.grade, one.is_firm) == ("welch", "A", True)
    assert (one.base.n, one.head.n) == (3, 4)
    # The geometric mean of 100, 102 and 104: 1060800 ^ ⅓.
    assert one.base.value == pytest.approx(101.987, abs=1e-3)
    assert one.estimate is not None
    assert one.head.value is not None
    assert one.estimate.ratio == pytest.approx(one.head.value / 101.98692, rel=1e-5)


def test_two_trials_have_an_interval_but_bear_no_verdict() -> None:
    one = found(throughputs(100, 102), throughputs(110, 112, 114))
    assert (one.method, one.grade, one.is_firm) == ("welch", "C", False)
    assert one.estimate is not None
    assert one.estimate.interval is not None
    assert one.reasons == (telling.FEW_TRIALS,)


def test_trials_without_spread_fall_back_to_a_bound() -> None:
    one = found(throughputs(100, 100, 100), throughputs(110, 110, 110))
    assert (one.method, one.grade) == ("noise", "C")
    assert telling.NO_SPREAD in one.reasons


def test_one_trial_against_several_falls_back_to_a_bound() -> None:
    one = found(throughputs(100), throughputs(110, 112, 114))
    assert one.method == "noise"
    assert telling.UNEVEN_RUNS in one.reasons


def test_one_run_on_each_side_is_resampled_by_its_requests() -> None:
    base, head = of_runs({("a", "c1", None): a_run(1)}), of_runs({("a", "c1", None): a_run(2, pace=1.1)})
    one = found(base, head, "e2el_mean")
    assert (one.method, one.grade, one.is_firm, one.p) == ("blocks", "B", False, None)
    assert (one.base.n, one.head.n) == (200, 200)
    assert one.reasons == (telling.ONE_RUN,)
    assert one.estimate is not None
    assert one.estimate.interval is not None
    low, high = one.estimate.interval
    assert 1.05 < low < 1.1 < high < 1.15


def test_a_p99_of_too_few_requests_is_of_a_lower_grade() -> None:
    base, head = of_runs({("a", "c1", None): a_run(1, 90)}), of_runs({("a", "c1", None): a_run(2, 90)})
    assert found(base, head, "ttft_p50").grade == "B"
    tail = found(base, head, "ttft_p99")
    assert tail.grade == "C"
    assert telling.FEW_SAMPLES in tail.reasons


def test_summaries_are_held_against_the_default_bound() -> None:
    one = found(throughputs(100), throughputs(110))
    assert (one.method, one.grade, one.is_firm) == ("noise", "C", False)
    assert one.log_bound == pytest.approx(math.log(1.05))
    assert one.reasons == (telling.ONE_RUN, telling.DEFAULT_BOUND)


def test_summaries_with_a_history_are_held_against_that() -> None:
    # Eleven rounds that alternate by 1 %: every change is ln 1.01, and so is the fence.
    history = (100.0, 101.0) * 5 + (100.0,)
    one = found(throughputs(100), throughputs(110), history=history)
    assert one.log_bound == pytest.approx(math.log(1.01))
    assert one.reasons == (telling.ONE_RUN, telling.HISTORY_BOUND)


def test_failures_are_tested_as_counts() -> None:
    one = found(failing((8, 320)), failing((1, 320)), "failed")
    assert (one.method, one.grade, one.is_firm) == ("exact", "B", False)
    assert one.p == pytest.approx(0.0377, abs=5e-5)
    assert ((one.base.value, one.base.n), (one.head.value, one.head.n)) == ((8.0, 320), (1.0, 320))
    assert one.estimate is not None
    assert one.estimate.ratio == pytest.approx(1 / 8)


def test_failures_of_three_trials_are_added_up() -> None:
    one = found(failing((0, 100), (1, 100), (0, 100)), failing((9, 100), (10, 100), (11, 100)), "failed")
    assert (one.grade, one.is_firm) == ("A", True)
    assert ((one.base.value, one.base.n), (one.head.value, one.head.n)) == ((1.0, 300), (30.0, 300))


def test_failures_that_come_in_a_burst_bear_no_verdict() -> None:
    one = found(failing((0, 100), (0, 100), (1, 100)), failing((0, 100), (0, 100), (30, 100)), "failed")
    assert not one.is_firm
    assert telling.UNEVEN_FAILURES in one.reasons


def test_no_failure_on_one_side_has_a_p_but_no_ratio() -> None:
    one = found(failing((0, 320)), failing((8, 320)), "failed")
    assert one.estimate is None
    assert one.p is not None


def test_of_a_side_of_which_everything_failed_only_the_failures_are_compared() -> None:
    lost = analysed({"c8": {"requests": (320.0,), "completed": (0.0,), "output_throughput": (0.1,)}})
    fine = analysed({"c8": {"requests": (320.0,), "completed": (319.0,), "output_throughput": (100.0,)}})
    assert (found(lost, fine).method, found(lost, fine).reasons) == ("none", (telling.ALL_FAILED,))
    assert found(lost, fine, "failed").p == pytest.approx(0.0, abs=1e-12)


def test_failures_of_a_spoilt_level_are_counted_but_bear_no_verdict() -> None:
    base = failing((8, 320), (8, 320), (8, 320))
    finding = Finding("x", "fail", say(zh="坏", en="bad"), "a", ("c8",), spoils=("c8",))
    one = found(replace(base, spoilt={("a", "c8"): finding}), failing((1, 320), (1, 320), (1, 320)), "failed")
    assert one.p is not None
    assert one.p < 0.001
    assert (one.is_firm, one.reasons) == (False, (telling.SPOILT,))


def test_of_nought_there_is_no_ratio() -> None:
    one = found(throughputs(0.0), throughputs(10.0))
    assert (one.method, one.estimate, one.reasons) == ("none", None, (telling.ZERO_BASE,))
    assert (one.base.value, one.head.value) == (0.0, 10.0)


def test_what_one_side_lacks_is_not_compared() -> None:
    one = found(throughputs(100), analysed({"c8": {"ttft_p50": (0.1,)}}))
    assert (one.method, one.head.value, one.reasons) == ("none", None, (telling.ONE_SIDED,))


def test_the_same_run_on_both_sides_is_identical_and_no_evidence() -> None:
    base = of_runs({("a", "c1", None): a_run(1)})
    one = found(base, base, "e2el_mean")
    assert (one.method, one.grade, one.reasons) == ("identical", None, (telling.IDENTICAL,))


def test_copies_passed_off_as_trials_count_once() -> None:
    run = a_run(1)
    base = of_runs({("a", "c1", trial): run for trial in (1, 2, 3)})
    head = of_runs({("a", "c1", trial): a_run(5) for trial in (1, 2, 3)})
    one = found(base, head, "e2el_mean")
    assert (one.method, one.base.trials, one.is_firm) == ("blocks", 1, False)
    assert one.reasons == (telling.COPIES, telling.ONE_RUN)


def test_a_threshold_that_was_set_is_the_bound_of_the_noise() -> None:
    before, after = (Side(one, "a", one.round.series[0].levels[0]) for one in (throughputs(100.0), throughputs(90.0)))
    learnt = tuple(100.0 + number % 2 for number in range(12))
    row = find(Row("output_throughput", before, after, margin=0.05, histories=(learnt,), threshold=0.2))
    assert row.log_bound == pytest.approx(math.log(1.2))
    assert telling.SET_BOUND in row.reasons
    assert telling.HISTORY_BOUND in find(replace(_row(before, after), histories=(learnt,))).reasons


def _row(before: Side, after: Side) -> Row:
    return Row("output_throughput", before, after, margin=0.05)


def test_where_nothing_was_sent_nothing_failed() -> None:
    idle = {"requests": (0.0,), "completed": (0.0,), "output_throughput": (30.0,)}
    assert not found(analysed({"c8": idle}), analysed({"c8": idle})).head.all_failed


def test_a_round_that_failed_is_still_identical_with_itself() -> None:
    lost = {"requests": (10.0,), "completed": (0.0,), "output_throughput": (0.1,), "ttft_p50": (0.1,)}
    lost["duration"] = (10.0,)  # three numbers, of which fewer could agree by chance
    assert found(analysed({"c8": lost}), analysed({"c8": lost})).method == "identical"
