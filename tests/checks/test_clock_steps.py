from __future__ import annotations

from generator.machines.records import Machine, RunTime
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on, run
from tests.support.telling import found_by, said

CHECK = "clock_steps"
STARTED = "2026-01-01T06:00:00Z"
LEVELS = {"c1": {"concurrency": 1.0}, "c8": {"concurrency": 8.0}}


def found(**machines: Machine) -> list[Finding]:
    return found_by(CHECK, ran_on(machines, levels=dict.fromkeys(machines, LEVELS)))


def of(*runs: RunTime) -> Machine:
    return machine(runs=runs)


def test_a_clock_that_was_watched_and_stood() -> None:
    assert [one.status for one in found(a=of(run(started=STARTED, steps=0)))] == ["pass"]


def test_a_clock_that_was_set_during_a_run() -> None:
    round_ = ran_on({"a": of(run("c1", STARTED, steps=0), run("c8", STARTED, steps=2))}, levels={"a": LEVELS})
    (finding,) = found_by(CHECK, round_)
    assert (finding.status, finding.levels) == ("warn", ("c8",))
    text = said(finding, round_)
    assert "The wall clock was set while a was measured at C=8." in text
    assert "those of the wall clock do not" in text


def test_a_run_that_ended_before_it_started() -> None:
    back = run("c8", "2026-01-01T06:00:00", "2026-01-01T05:00:01")
    (finding,) = found(a=of(back))
    assert (finding.status, finding.levels, finding.spoils) == ("fail", ("c8",), ())


def test_times_of_which_one_lacks_its_zone_are_not_compared() -> None:
    assert [one.status for one in found(a=of(run("c8", "2026-01-01T06:00:00", "2026-01-01T05:00:01Z")))] == ["note"]


def test_zones_that_differ() -> None:
    here, there = (
        machine({"machine.clock.utc_offset_s": ahead}, runs=[run(started=STARTED, steps=0)]) for ahead in ("0", "28800")
    )
    round_ = ran_on({"a": here, "b": there})
    (finding,) = found_by(CHECK, round_)
    assert finding.status == "note"
    assert "seconds ahead of UTC (0 for a; 28800 for b)" in said(finding, round_)


def test_zones_that_only_some_times_name() -> None:
    round_ = ran_on({"a": of(run(started=STARTED, steps=0)), "b": of(run(started="2026-01-01T06:00:00", steps=0))})
    (finding,) = found_by(CHECK, round_)
    assert finding.status == "note"
    assert "The times of b name no zone" in said(finding, round_)


def test_a_clock_that_nobody_watched() -> None:
    assert [one.status for one in found(a=of(run(started=STARTED, ended="20260101-070000")))] == ["note"]


def test_without_runs_it_is_unknown() -> None:
    assert [one.status for one in found_by(CHECK, published("round-2"))] == ["unknown"]
