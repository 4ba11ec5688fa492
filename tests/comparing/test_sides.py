from __future__ import annotations

from dataclasses import replace

import numpy as np

from generator.comparing.exact import Failures
from generator.comparing.sides import Reported, Side, are_identical, are_one, share_runs
from generator.frame import Analysis
from tests.comparing.two_rounds import a_run, analysed, of_runs

THREE = {"output_throughput": (100.0, 102.0, 104.0)}


def side(analysis: Analysis) -> Side:
    return Side(analysis, "a", analysis.round.series[0].levels[0])


def test_a_side_has_the_value_of_each_trial() -> None:
    assert side(analysed({"c8": THREE})).values("output_throughput") == (100.0, 102.0, 104.0)
    assert side(analysed({"c8": THREE})).values("ttft_p50") == ()


def test_a_level_that_was_run_once_has_one_value() -> None:
    once = side(analysed({"c8": {"output_throughput": (100.0,)}}))
    assert once.is_single
    assert once.values("output_throughput") == (100.0,)


def test_copies_of_a_run_count_once() -> None:
    run = a_run(1)
    found = side(of_runs({("a", "c1", 1): run, ("a", "c1", 2): a_run(2), ("a", "c1", 3): run}))
    assert found.runs == (1, 2)
    assert found.has_copies
    assert len(found.values("ttft_p50")) == 2


def test_a_run_that_is_there_twice_is_a_single_run() -> None:
    run = a_run(1)
    found = side(of_runs({("a", "c1", 1): run, ("a", "c1", 2): run}))
    assert found.is_single
    assert found.requests() is run


def test_several_runs_have_no_requests_in_common() -> None:
    assert side(of_runs({("a", "c1", 1): a_run(1), ("a", "c1", 2): a_run(2)})).requests() is None


def test_trials_that_agree_in_every_number_are_copies() -> None:
    copied = {"output_throughput": (100.0, 100.0), "ttft_p50": (0.1, 0.1), "itl_p50": (0.01, 0.01)}
    assert side(analysed({"c8": copied})).runs == (1,)


def test_two_numbers_may_agree_by_chance() -> None:
    assert side(analysed({"c8": {"output_throughput": (100.0, 100.0), "ttft_p50": (0.1, 0.1)}})).runs == (1, 2)


def test_failures_are_counted_by_trial() -> None:
    counted = {"requests": (320.0, 300.0), "completed": (312.0, 300.0)}
    assert side(analysed({"c8": counted})).failures() == (Failures(8, 320), Failures(0, 300))
    assert side(analysed({"c8": THREE})).failures() == ()
    # More answers than requests: that is no count of failures
    assert side(analysed({"c8": {"requests": (10.0,), "completed": (12.0,)}})).failures() == ()


def test_the_same_runs_in_another_order_are_the_same_data() -> None:
    one, other = a_run(1), a_run(2)
    base = side(of_runs({("a", "c1", 1): one, ("a", "c1", 2): other}))
    assert are_identical(base, side(of_runs({("a", "c1", 1): other, ("a", "c1", 2): one})))
    assert not are_identical(base, side(of_runs({("a", "c1", 1): one, ("a", "c1", 2): a_run(3)})))


def test_of_too_few_numbers_it_is_not_said_that_they_are_the_same_data() -> None:
    once = side(analysed({"c8": {"output_throughput": (100.0,)}}))
    assert not are_identical(once, once)


def test_a_run_in_another_order_or_at_another_hour_is_a_copy() -> None:
    run = a_run(1)
    order = np.arange(len(run))[::-1]
    gaps = run.gaps.reshape(len(run), -1)[order].ravel()  # 19 gaps a request
    columns = ("answered", "start", "ttft", "e2el", "input_tokens", "output_tokens", "gap_counts")
    turned = replace(run, gaps=gaps, **{name: getattr(run, name)[order] for name in columns})
    later = replace(run, start=run.start + 1.7e9)
    assert side(of_runs({("a", "c1", 1): run, ("a", "c1", 2): turned, ("a", "c1", 3): later})).runs == (1,)


def test_one_run_in_several_details_counts_once() -> None:
    # 151.10789 and 1.1912018 are 151.108 and 1.191 to the digits that the second trial writes.
    rounded = {
        "output_throughput": (151.10789, 151.108),
        "ttft_p50": (0.1302193, 0.13022),
        "duration": (1.1912018, 1.191),
    }
    assert side(analysed({"c8": rounded})).runs == (1,)


def test_runs_that_differ_in_one_number_are_two() -> None:
    other = {
        "output_throughput": (151.10789, 151.108),
        "ttft_p50": (0.1302193, 0.13022),
        "duration": (1.1912018, 1.192),  # would be 1.191
    }
    assert side(analysed({"c8": other})).runs == (1, 2)


def test_round_numbers_may_agree_by_chance() -> None:
    rough = {"output_throughput": (151.2, 151.0), "ttft_p50": (0.13, 0.1), "duration": (1.2, 1.0)}
    assert side(analysed({"c8": rough})).runs == (1, 2)


def test_what_a_client_reports_is_held_against_the_summary_of_the_same_run() -> None:
    detailed: Reported = {
        ("ttft_p50", "reported"): 0.1302,
        ("ttft_p50", None): 0.1299,
        ("output_throughput", "reported"): 151.1,
    }
    summary: Reported = {("ttft_p50", None): 0.1302, ("output_throughput", None): 151.1}
    assert not are_one(detailed, summary)  # two numbers are too few to tell
    duration: Reported = {("duration", None): 1.1912}
    assert are_one({**detailed, **duration}, {**summary, **duration})


def test_a_run_on_both_sides_is_found() -> None:
    one, other, third = a_run(1), a_run(2), a_run(3)
    base = side(of_runs({("a", "c1", 1): one, ("a", "c1", 2): other}))
    assert share_runs(base, side(of_runs({("a", "c1", 1): one, ("a", "c1", 2): third})))
    assert not share_runs(base, side(of_runs({("a", "c1", 1): third, ("a", "c1", 2): a_run(4)})))
    assert not share_runs(base, base)  # the same data is told as that
