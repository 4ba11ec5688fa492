from __future__ import annotations

from collections.abc import Mapping

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.telling import found_by, said

CHECK = "repeated_runs"

ONE: Mapping[str, float] = {"duration": 33.3091, "output_throughput": 461.2, "request_throughput": 7.205}
OTHER: Mapping[str, float] = {"duration": 33.3092, "output_throughput": 461.2, "request_throughput": 7.205}


def trials(*runs: Mapping[str, float]) -> Round:
    """Return a level that was run so often, with what each run reports."""
    further = [
        observation(address(key, "level", "s", "c8", trial=trial if len(runs) > 1 else None), number, "reported")
        for trial, numbers in enumerate(runs, 1)
        for key, number in {"concurrency": 8.0, "requests": 240.0, "completed": 240.0, **numbers}.items()
    ]
    numbered = range(1, len(runs) + 1) if len(runs) > 1 else (None,)
    return memory_round(
        {"s": {"c8": {"concurrency": 8}}}, further=further, runs={("s", "c8", trial): None for trial in numbered}
    )


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_copies_of_one_run_are_no_trials() -> None:
    finding = examine(trials(ONE, OTHER, ONE))

    assert (finding.status, finding.levels, finding.spoils) == ("fail", ("c8",), ())
    assert finding.looks == "better"
    text = said(finding, trials(ONE, OTHER, ONE))
    assert "Runs 1 and 3 of s at C=8 give the same numbers to the last digit" in text
    assert "第 1、3 次运行" in text
    assert "look steadier than it is" in text


def test_runs_that_differ_in_the_last_digit_are_trials() -> None:
    assert examine(trials(ONE, OTHER)).status == "pass"


def test_equal_counts_alone_make_no_copy() -> None:
    # 240 of 240 completed in each, as should be, and no more is reported.
    assert examine(trials({}, {})).status == "pass"


def test_a_level_that_was_run_once_has_no_copies() -> None:
    finding = examine(trials(ONE))

    assert (finding.status, finding.series) == ("pass", None)
    assert "several runs" in said(finding, trials(ONE))
