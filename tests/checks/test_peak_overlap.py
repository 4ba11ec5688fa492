from __future__ import annotations

from generator.model import Round
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "peak_overlap"

# Two at 0 s and two at 0.5 s, of 0.5 s each: 2 in flight at any moment, 4 that touch the first second.
TWO_AND_TWO = requests_of(*(answer(0.1, 0.4, start=start) for start in (0, 0, 0.5, 0.5)))


def peaks(cap: float | None, told: float | None, requests: Requests | None = TWO_AND_TWO) -> Round:
    level = {} if cap is None else {"concurrency": cap}
    basis = "reported" if requests is not None else None
    where = address("peak_concurrency", "level", "s", "c1", basis)
    further = [] if told is None else [observation(where, told, "reported")]
    return memory_round({"s": {"c1": level}}, further=further, runs={("s", "c1", None): requests})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_a_count_by_seconds_is_explained_and_breaks_no_limit() -> None:
    finding = examine(peaks(2, 4))

    assert (finding.status, finding.levels) == ("note", ("c1",))
    assert [(one.metric, one.basis) for one in finding.doubts] == [("peak_concurrency", "reported")]
    text = said(finding, peaks(2, 4))
    assert "overstates the peak of s at C=2: 4, where the times of the requests give 2" in text
    assert "in one-second bins" in text
    assert "它给出 4，按请求的时刻算是 2" in text
    assert "does not mean that the limit was broken" in text


def test_more_in_flight_than_allowed_is_a_warning() -> None:
    finding = examine(peaks(1, 2))

    assert finding.status == "warn"
    text = said(finding, peaks(1, 2))
    assert "more requests to s were in flight than allowed: by their times 2 at C=1, with a limit of 1" in text
    assert "under a heavier load" in text


def test_a_client_that_says_the_truth_passes() -> None:
    assert examine(peaks(2, 2)).status == "pass"


def test_without_a_limit_none_is_broken() -> None:
    assert examine(peaks(None, 2)).status == "pass"


def test_without_times_the_limit_stands_in_for_the_true_peak() -> None:
    finding = examine(peaks(2, 4, None))

    assert finding.status == "note"
    assert "4 with a limit of 2" in said(finding, peaks(2, 4, None))


def test_the_level_with_the_largest_overstatement_is_named() -> None:
    levels = {"c1": {"concurrency": 1, "peak_concurrency": 2}, "c2": {"concurrency": 2, "peak_concurrency": 9}}
    round_ = memory_round({"s": levels})

    assert examine(round_).levels == ("c1", "c2")
    assert "most of all at C=2, 9 with a limit of 2" in said(examine(round_), round_)


def test_a_round_without_peaks_has_none_to_examine() -> None:
    finding = examine(peaks(2, None, None))

    assert (finding.status, finding.series) == ("pass", None)


def test_a_peak_below_the_mean_cannot_be() -> None:
    # 8 s × 100 ÷ 100 s = 8 in flight on average, with 4 at most
    seen = {"concurrency": 16, "peak_concurrency": 4, "e2el_mean": 8, "completed": 100, "duration": 100}
    round_ = memory_round({"s": {"c16": seen}})
    finding = examine(round_)

    assert (finding.status, finding.levels, finding.spoils) == ("fail", ("c16",), ())
    assert "mean_concurrency" in {one.metric for one in finding.doubts}
    text = said(finding, round_)
    assert "the peak of s is below the mean number in flight: 4 at C=16, with a mean of 8" in text
    assert "C=16 的峰值是 4，平均是 8" in text


def test_a_peak_at_its_mean_passes() -> None:
    # 4.03 on average is within one in a hundred of 4
    seen = {"concurrency": 4, "peak_concurrency": 4, "e2el_mean": 4.03, "completed": 100, "duration": 100}

    assert examine(memory_round({"s": {"c4": seen}})).status == "pass"
