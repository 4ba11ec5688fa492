from __future__ import annotations

from dataclasses import replace

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on, run
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "repeated_prompts"
LEVELS = {"c1": {"concurrency": 1.0}, "c8": {"concurrency": 8.0}}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def seeded(*seeds: tuple[str, str | None]) -> Round:
    runs = [replace(run(level), seed=seed) for level, seed in seeds]
    return ran_on({"a": machine(runs=runs)}, levels={"a": LEVELS})


def test_prompts_that_were_sent_again_are_counted() -> None:
    again = {"c1": {"concurrency": 1.0, "prompts_repeated": 2.0}, "c8": {"concurrency": 8.0, "prompts_repeated": 16.0}}
    round_ = memory_round({"a": again})
    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c1", "c8"), "better")
    assert "prompts of a were sent again: most of all at C=8, 16 of them." in said(finding, round_)


def test_prompts_that_are_all_new() -> None:
    finding = examine(memory_round({"a": {"c1": {"concurrency": 1.0, "prompts_repeated": 0.0}}}))

    assert (finding.status, finding.is_empty) == ("pass", False)


def test_one_seed_at_two_levels() -> None:
    round_ = seeded(("c1", "0"), ("c8", "0"))
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1", "c8"))
    assert "Runs of a at C=1 and C=8 had the same seed" in said(finding, round_)


def test_the_seed_of_an_earlier_trial() -> None:
    assert examine(seeded(("c1", "7"), ("c1", "7"), ("c8", "8"))).levels == ("c1",)


def test_another_seed_each_time() -> None:
    assert examine(seeded(("c1", "7"), ("c8", "8"))).status == "pass"


def test_series_may_share_their_seeds() -> None:
    # So they are asked the same, each by a server of its own.
    one = machine(runs=[replace(run("c1"), seed="7"), replace(run("c8"), seed="8")])

    assert [finding.status for finding in found_by(CHECK, ran_on({"a": one, "b": one}))] == ["pass", "pass"]


def test_one_seed_alone_or_none_is_nothing_to_compare() -> None:
    assert examine(seeded(("c1", "7"), ("c8", None))).is_empty
    assert examine(published("round-2")).is_empty
