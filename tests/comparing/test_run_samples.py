from __future__ import annotations

import math

import numpy as np
import pytest

from generator.comparing.blocks import Means, Ranks
from generator.comparing.run_samples import MOST_BINS, MOST_UNITS, SLICES, source_of, statistics_of
from generator.runs.requests import Requests
from tests.comparing.two_rounds import a_run
from tests.support.request_rows import answer, failure, requests_of

ROWS = (
    answer(0.3, 0.02, 0.04, start=1.0),
    answer(0.1, 0.01, start=0.0),
    failure(start=0.5),
    answer(0.2, start=2.0),
)
RUN = requests_of(*ROWS)
"""Sent at 0, 0.5, 1 and 2 s; the second failed."""


def ranks(source: str, run: Requests = RUN) -> Ranks:
    found = statistics_of(source, run)
    assert isinstance(found, Ranks)
    return found


def means(source: str, run: Requests = RUN) -> Means:
    found = statistics_of(source, run)
    assert isinstance(found, Means)
    return found


def test_latencies_are_taken_in_the_order_of_sending() -> None:
    found = ranks("ttft")
    assert found.means.sums.tolist() == [0.1, 0.3, 0.2]
    assert found.means.counts.tolist() == [1.0, 1.0, 1.0]
    assert found.values.tolist() == [0.1, 0.2, 0.3]
    assert found.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_gaps_stay_with_their_request() -> None:
    # The first sent has one gap of 10 ms, the third gaps of 20 and 40 ms; the last has none and is no unit.
    found = ranks("itl")
    assert found.means.sums == pytest.approx([0.01, 0.06])
    assert found.means.counts.tolist() == [1.0, 2.0]
    assert found.counts.tolist() == [[1, 0, 0], [0, 1, 1]]
    assert found.of(np.ones((1, 2)))["p50"] == pytest.approx([0.02])


def test_time_per_token_leaves_answers_of_one_token_out() -> None:
    # (0.11 − 0.1) ÷ 1 and (0.36 − 0.3) ÷ 2.
    assert ranks("tpot").means.sums == pytest.approx([0.01, 0.03])


def test_an_answer_delivers_its_tokens_from_the_first_to_the_last() -> None:
    # Steady from the end of the first answer, 0.11 s, to the last sending at 2 s, in 200 slices of 9.45 ms. In it three
    # tokens come from 1.3 to 1.36 s: from slice 125 (1.19 ÷ 0.00945 = 125.9) to slice 132 (1.25 ÷ 0.00945 = 132.3).
    found = means("output_throughput")
    assert len(found) == SLICES
    assert found.sums.sum() == pytest.approx(3.0)
    assert found.sums[125:133].sum() == pytest.approx(3.0)


def test_throughputs_differ_in_what_an_answer_delivers() -> None:
    # The one answer of the steady part has ten input tokens beside three of output.
    assert means("total_token_throughput").sums.sum() == pytest.approx(13.0)
    assert means("request_throughput").sums.sum() == pytest.approx(1.0)


def test_a_run_without_a_steady_part_is_taken_whole() -> None:
    # Both sent at once: two tokens up to 0.11 s and three up to 0.36 s, the end.
    burst = requests_of(answer(0.1, 0.01, start=0.0), answer(0.3, 0.02, 0.04, start=0.0))
    assert means("output_throughput", burst).sums.sum() == pytest.approx(5.0)
    # A single chunk comes at the end itself, and counts.
    single = requests_of(answer(0.1, start=0.0), answer(0.3, start=0.0))
    assert means("output_throughput", single).sums.sum() == pytest.approx(2.0)


def test_of_many_requests_neighbours_are_one_unit() -> None:
    found = ranks("e2el", a_run(1, count=MOST_UNITS + 1))
    assert len(found) == math.ceil((MOST_UNITS + 1) / 2)
    assert found.means.counts[:3].tolist() == [2.0, 2.0, 2.0]


def test_of_many_values_each_bin_holds_as_many() -> None:
    run = a_run(1, count=400)  # 7600 gaps
    found = ranks("itl", run)
    assert found.counts.sum() == 7600
    assert len(found.values) <= MOST_BINS
    exact = float(np.quantile(run.gaps * 1e-6, 0.99, method="inverted_cdf"))
    assert float(found.of(np.ones((1, 400)))["p99"][0]) == pytest.approx(exact, rel=1e-3)


def test_metrics_say_what_they_are_statistics_of() -> None:
    assert source_of("itl_p99") == ("itl", "p99")
    assert source_of("e2el_mean") == ("e2el", "mean")
    assert source_of("output_throughput") == ("output_throughput", "mean")


@pytest.mark.parametrize("metric", ["failed", "mbu", "floor_ratio", "ttft_p99_over_p50", "request_goodput"])
def test_what_is_no_statistic_of_requests_has_no_source(metric: str) -> None:
    assert source_of(metric) is None


def test_without_times_there_is_no_order() -> None:
    assert statistics_of("ttft", requests_of(answer(0.1), answer(0.2))) is None


def test_where_nothing_was_answered_there_is_nothing_to_resample() -> None:
    assert statistics_of("ttft", requests_of(failure(start=0.0), failure(start=1.0))) is None
    assert statistics_of("itl", requests_of(answer(0.1, start=0.0))) is None
