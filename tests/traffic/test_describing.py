from __future__ import annotations

from pathlib import Path

import pytest

from generator.declared.profiles import REASONS
from tests.support.loads import ACCESS, BURSTY, EVEN, LLAMA, MOONCAKE, SHAREGPT, VLLM, profiled, put, trace_of


def test_a_trace_with_all_there_is(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, trace_of(EVEN)), window=2.0)

    assert (found.requests, found.unanswered, found.bad) == (41, 0, 0)
    assert found.input is not None
    assert found.output is not None
    assert (found.input.mean, found.output.mean) == pytest.approx((1100, 120))
    assert found.arrivals is not None
    # 41 requests over 20 s; in each window of 2 s there are 4
    assert (found.arrivals.span_s, found.arrivals.rate) == (20.0, 41 / 20)
    assert found.arrivals.window is not None
    assert (found.arrivals.window.n, found.arrivals.window.peak_over_mean) == (10, 1.0)
    assert found.correlation == pytest.approx(1.0)
    assert found.notes == ("since_start",)


def test_bursts_are_told_from_even_arrivals(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, trace_of(BURSTY)), window=1.0)

    assert found.arrivals is not None
    assert found.arrivals.window is not None
    # 12 in every fourth of 20 windows: mean 3, peak 12; (5 × 81 + 15 × 9) ÷ 19 ÷ 3
    assert found.arrivals.window.peak_over_mean == 4.0
    assert found.arrivals.window.dispersion == pytest.approx(540 / 19 / 3)


def test_what_is_not_known_has_a_reason(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, SHAREGPT))

    assert found.input is None
    assert found.arrivals is None
    assert found.why_unknown("input.p50") == REASONS["texts_only"]
    assert found.why_unknown("output") == REASONS["no_outputs"]
    assert found.why_unknown("arrivals.window.peak") == REASONS["no_times"]
    assert found.why_unknown("service.mean_s") == REASONS["no_durations"]
    assert found.why_unknown("requests") is None
    assert found.input_characters is not None
    assert found.input_characters.p50 == 15.0  # between 6 and 24


def test_an_access_log_knows_when_and_how_long_and_nothing_of_tokens(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, ACCESS))

    assert found.arrivals is not None
    assert found.arrivals.span_s == pytest.approx(5.25)
    assert found.service is not None
    assert found.service.mean_s == pytest.approx(0.875)
    assert found.why_unknown("input") == REASONS["no_lengths"]
    assert (found.left_out, found.notes) == (1, ("as_nginx",))


def test_an_access_log_without_durations_says_that_its_times_are_ends(tmp_path: Path) -> None:
    text = ACCESS.replace(" 1.500", "").replace(" rt=0.250", "")
    assert set(profiled(put(tmp_path, text)).notes) == {"as_nginx", "ends_not_arrivals", "whole_seconds"}


def test_requests_of_one_moment_have_no_rate(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, trace_of([(5.0, 10, 1), (5.0, 20, 2)])))

    assert found.arrivals is None
    assert found.why_unknown("arrivals") == REASONS["one_moment"]


def test_requests_without_an_answer_are_arrivals_and_no_lengths(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, trace_of([(0.0, 10, 0), (5.0, 20, 2)])))

    assert (found.requests, found.unanswered) == (2, 1)
    assert found.output is not None
    assert found.output.n == 1


def test_logs_of_engines_say_how_long_requests_took(tmp_path: Path) -> None:
    llama, vllm = (profiled(put(tmp_path, text)) for text in (LLAMA, VLLM))

    assert llama.service is not None
    assert (llama.service.mean_s, llama.service.in_flight_most) == (1.25, 1)
    assert vllm.service is not None
    assert (vllm.service.n, vllm.service.mean_s) == (1, 5.0)
    assert "whole_seconds" in vllm.notes


def test_a_span_of_a_day_has_hours(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, trace_of([(hour * 3600.0, 10, 1) for hour in range(49)])))

    assert found.arrivals is not None
    # the last request comes as the third day begins: 3 in the first hour, of two days
    assert found.arrivals.hours[0] == pytest.approx(3 / 7200)
    assert found.arrivals.hours[7] == pytest.approx(2 / 7200)
    assert set(found.arrivals.windows) == {"w60", "w600", "w3600", "w1", "w10"}
    assert "no_spread" in found.unknown.values()  # all gaps are an hour


def test_lengths_alone_make_a_profile(tmp_path: Path) -> None:
    text = "".join(line[: line.index(", ")].replace("timestamp", "x") + line[line.index(", ") :] + "\n"
                   for line in MOONCAKE.splitlines())  # fmt: skip
    found = profiled(put(tmp_path, text))

    assert found.arrivals is None
    assert found.input is not None
    assert found.why_unknown("gap_fit") == REASONS["no_times"]


def test_requests_at_equal_gaps_of_a_tenth_have_no_spread(tmp_path: Path) -> None:
    # 0.1 × 3 − 0.1 × 2 is not 0.1 of a float; 49 gaps of 0.1 s
    found = profiled(put(tmp_path, trace_of([(n / 10, 100 + n, 5) for n in range(50)])))

    assert found.arrivals is not None
    assert found.arrivals.gap_mean_s == pytest.approx(0.1)
    assert found.arrivals.gap_cv == 0.0
    assert (found.gap_fit, found.unknown["gap_fit"]) == (None, "no_spread")


def test_requests_closer_than_any_clock_tells_came_at_one_moment(tmp_path: Path) -> None:
    found = profiled(put(tmp_path, trace_of([(0.0, 10, 1), (5e-324, 10, 1), (1e-10, 10, 1)])))

    assert (found.arrivals, found.unknown["arrivals"]) == (None, "one_moment")


@pytest.mark.parametrize("at", [1e308, -1e308, 1e16])
def test_a_time_beyond_all_times_costs_its_line_alone(tmp_path: Path, at: float) -> None:
    found = profiled(put(tmp_path, trace_of([*EVEN, (at, 10, 1)])))

    # EVEN alone: 41 requests over 20 s
    assert (found.requests, found.bad) == (41, 1)
    assert found.arrivals is not None
    assert found.arrivals.span_s == 20.0
