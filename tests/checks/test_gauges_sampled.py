from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.gauged_rounds import gauged_round, readings
from tests.support.run_rounds import two_series
from tests.support.telling import found_by, said


def examine(round_: Round) -> Finding:
    return found_by("gauges_sampled", round_)[0]


def every(seconds: float, count: int) -> Round:
    """A request of these rounds takes 2 s."""
    times = [n * seconds for n in range(count)]
    return gauged_round({"c1": readings(times, running=[1] * count)})


def test_five_samples_in_the_time_of_a_request_are_enough() -> None:
    assert examine(every(0.4, 20)).status == "pass"


def test_fewer_are_a_note_that_names_the_key() -> None:
    finding = examine(every(0.5, 20))

    assert (finding.status, finding.levels) == ("note", ("c1",))
    assert finding.remedy is not None
    assert "sample_every_s" in said(finding.remedy, every(0.5, 20))


def test_a_run_of_few_samples_is_a_note() -> None:
    assert examine(every(0.1, 19)).status == "note"
    assert examine(every(0.1, 20)).status == "pass"


def test_without_samples_there_is_nothing_to_examine() -> None:
    finding = examine(two_series())

    assert (finding.status, finding.is_empty) == ("pass", True)


def test_an_engine_that_was_asked_only_once_is_a_note() -> None:
    assert examine(every(0.1, 1)).status == "note"
