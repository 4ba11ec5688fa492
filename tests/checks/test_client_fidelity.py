from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.telling import found_by, said

CHECK: Final = "client_fidelity"
GOOD: Final[Mapping[str, float]] = {
    "client_cpu_share": 0.4,
    "client_schedule_lag_p99": 0.0005,
    "client_kernel_stamps": 1.0,
    "client_chunks_per_read": 1.0,
    "itl_p50": 0.020,
}
"""A client at ease: under a gap of 20 ms, sending may be late by 5 % of it, 1 ms."""
CALIBRATED: Final = {
    "client_stamp_error_p99": 5e-5,
    "calibration_lost_chunks": 0.0,
    "calibration_chunks": 1024.0,
    "calibration_failed": 0.0,
}


def driven(measures: Mapping[str, float] = MappingProxyType({}), calibrated: Mapping[str, float] = CALIBRATED) -> Round:
    return memory_round({"s": {"c8": {"concurrency": 8, **GOOD, **measures}}}, of_round=calibrated)


def of_level(round_: Round) -> Finding:
    (finding,) = [one for one in found_by(CHECK, round_) if one.series is not None]
    return finding


def of_calibration(round_: Round) -> list[Finding]:
    return [one for one in found_by(CHECK, round_) if one.series is None]


def test_a_client_at_ease_passes() -> None:
    finding = of_level(driven())

    assert (finding.status, finding.levels) == ("pass", ("c8",))
    assert {one.metric for one in finding.evidence} == set(GOOD) - {"itl_p50"}


@pytest.mark.parametrize(
    ("metric", "good", "bad", "words"),
    [
        ("client_cpu_share", 0.7, 0.71, "the client took up to 71.0% of a core"),
        # 5 % of 20 ms is 1 ms
        ("client_schedule_lag_p99", 0.00099, 0.00101, "later than they were due (in single runs by up to 1.01 ms"),
        ("client_chunks_per_read", 1.2, 1.25, "a read brought up to 1.25 chunks"),
        ("client_kernel_stamps", 0.99, 0.5, "the kernel took only 50.0% of the times"),
    ],
)
def test_what_falls_short_is_a_warning(metric: str, good: float, bad: float, words: str) -> None:
    assert of_level(driven({metric: good})).status == "pass"

    finding = of_level(driven({metric: bad}))

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert [one.metric for one in finding.evidence] == [metric]
    text = said(finding, driven({metric: bad}))
    assert words in text
    assert "C=8" in text


def test_a_lag_is_long_by_itself_where_gaps_are_long() -> None:
    # 5 % of 200 ms would be 10 ms; more than 5 ms is a warning all the same.
    assert of_level(driven({"itl_p50": 0.2, "client_schedule_lag_p99": 0.0049})).status == "pass"
    assert of_level(driven({"itl_p50": 0.2, "client_schedule_lag_p99": 0.0051})).status == "warn"


def test_joined_chunks_put_the_gaps_in_doubt() -> None:
    finding = of_level(driven({"client_chunks_per_read": 3}))

    assert [(one.metric, one.level) for one in finding.doubts] == [("itl_p50", "c8"), ("itl_p99", "c8")]


def test_a_trial_that_went_wrong_is_not_hidden_by_the_others() -> None:
    # The median of the three is 40 %.
    shares = {1: 0.4, 2: 0.4, 3: 0.9}
    further = [
        observation(address("client_cpu_share", "level", "s", "c8", trial=trial), share)
        for trial, share in shares.items()
    ]
    runs: dict[Trial, Requests | None] = {("s", "c8", trial): None for trial in shares}
    round_ = memory_round({"s": {"c8": {"concurrency": 8}}}, further=further, runs=runs)

    finding = of_level(round_)

    assert finding.status == "warn"
    assert [one.trial for one in finding.evidence] == [3]
    assert "up to 90.0% of a core" in said(finding, round_)


def test_each_fault_of_a_series_is_a_finding_of_its_own() -> None:
    found = found_by(CHECK, driven({"client_cpu_share": 0.9, "client_chunks_per_read": 2}))

    assert [(one.status, one.series) for one in found] == [("warn", "s"), ("warn", "s"), ("pass", None)]


def test_a_calibration_that_holds_passes() -> None:
    (finding,) = of_calibration(driven())

    assert finding.status == "pass"
    assert "off by 50.0 µs at the p99" in said(finding, driven())


def test_a_late_stamp_is_a_warning() -> None:
    assert of_calibration(driven(calibrated={**CALIBRATED, "client_stamp_error_p99": 0.001}))[0].status == "pass"
    round_ = driven(calibrated={**CALIBRATED, "client_stamp_error_p99": 0.0012})

    (finding,) = of_calibration(round_)

    assert finding.status == "warn"
    # 0.0012 s are 1200 µs
    assert "late by 1,200 µs at the p99" in said(finding, round_)


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        ({"calibration_lost_chunks": 3.0}, "3 of 1,024 chunks were lost and 0 requests failed"),
        ({"calibration_failed": 2.0}, "0 of 1,024 chunks were lost and 2 requests failed"),
    ],
)
def test_a_calibration_that_lost_anything_is_a_warning(lacking: Mapping[str, float], words: str) -> None:
    round_ = driven(calibrated={**CALIBRATED, **lacking})

    (finding,) = of_calibration(round_)

    assert finding.status == "warn"
    assert words in said(finding, round_)


def test_without_a_calibration_the_error_is_unknown() -> None:
    (finding,) = of_calibration(driven(calibrated={}))

    assert finding.status == "unknown"


def test_a_round_that_another_client_drove_has_nothing_to_examine() -> None:
    (finding,) = found_by(CHECK, memory_round({"s": {"c8": {"concurrency": 8, "itl_p50": 0.02}}}))

    assert (finding.status, finding.series, finding.evidence) == ("pass", None, ())


def late(measures: Mapping[str, float]) -> Round:
    """Make a round that another client drove, which says of itself how late it sent and nothing else."""
    return memory_round({"s": {"r2": {"rate": 2, "e2el_p50": 1.5, **measures}}})


def test_another_client_that_tells_its_lag_is_examined() -> None:
    (finding,) = found_by(CHECK, late({"client_schedule_lag_p99": 0.003, "client_schedule_lag_mean": 0.001}))

    assert (finding.status, finding.series, finding.levels) == ("pass", "s", ("r2",))


def test_of_another_client_no_calibration_is_asked() -> None:
    assert [one.series for one in found_by(CHECK, late({"client_schedule_lag_p99": 0.003}))] == ["s"]


def test_a_lag_longer_than_an_answer_is_a_failure() -> None:
    # An answer takes 1.5 s: late by 1.4 s is a warning, late by 2 s a load that the plan never had.
    (warned,) = found_by(CHECK, late({"client_schedule_lag_p99": 1.4}))
    (failed,) = found_by(CHECK, late({"client_schedule_lag_p99": 2.0, "client_schedule_lag_mean": 0.8}))

    assert (warned.status, failed.status) == ("warn", "fail")
    assert "by up to 2,000 ms at the p99" in said(failed, late({"client_schedule_lag_p99": 2.0}))


def test_the_mean_lag_counts_where_there_is_no_p99() -> None:
    round_ = late({"client_schedule_lag_mean": 12.6})

    (finding,) = found_by(CHECK, round_)

    assert finding.status == "fail"
    assert "by up to 12,600 ms on average" in said(finding, round_)


@pytest.mark.parametrize(("share", "words"), [(0.03, "Free a core for the client"), (0.6, "more client processes")])
def test_a_client_that_was_kept_waiting_needs_no_more_processes(share: float, words: str) -> None:
    round_ = driven({"client_cpu_share": share, "client_schedule_lag_p99": 0.0131})

    assert words in said(of_level(round_).remedy, round_)
