from __future__ import annotations

import pytest

from generator.collect.reference.histograms import Histogram, Times

MS = 1_000_000


def test_times_are_counted_up_to_each_bound() -> None:
    histogram = Histogram()
    for ms in (3, 10, 11, 90_000):
        histogram.add(ms * MS)
    # 3 and 10 are not above 0.01; 11 is below 0.05; 90 s are above all bounds
    assert list(histogram.below())[:2] == [("0.01", 2), ("0.05", 3)]
    assert list(histogram.below())[-2:] == [("60.0", 3), ("+Inf", 4)]
    assert (histogram.count, histogram.sum) == (4, 90_024 * MS)


def test_a_first_token_counts_before_the_request_has_ended() -> None:
    times = Times()
    times.begun(15 * MS)
    assert (times.first_token.count, times.queue.count, times.whole.count) == (1, 0, 0)
    times.ended(2 * MS, 13 * MS, 30 * MS)
    parts = [times.first_token, times.whole, times.queue, times.prefill, times.decode]
    # the whole is 2 + 13 + 30
    assert [part.sum // MS for part in parts] == [15, 45, 2, 13, 30]


@pytest.mark.parametrize("ns", [0, 1])
def test_no_time_is_in_the_first_bucket(ns: int) -> None:
    histogram = Histogram()
    histogram.add(ns)
    assert histogram.counts[0] == 1
