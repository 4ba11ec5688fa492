from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.intake.mixing import Mixed
from generator.intake.notes import notes
from generator.intake.placing import Arrived, Placed
from generator.intake.taking_in import Outcome
from generator.runs.imported import Reported, Run
from generator.store.level_file import Original

INTO = Path("/data/runs/mine")
PLACED = [Placed(Arrived(Run("toy", concurrency=1), Original(file="x", sha256="", bytes=1), Path("x")), "a", "c1", 1)]


def test_a_run_that_is_there_already_is_named_with_its_place() -> None:
    outcome = Outcome(repeated={"a.json, object 2": "is there already as a/levels/c1/1"})
    assert list(notes(outcome, INTO)) == ["a.json, object 2 is there already as a/levels/c1/1; it counts once"]


def test_what_mixed_trials_differ_in_is_told() -> None:
    told = {"engine": ("sglang", "vllm"), "spec_drafts": ()}
    [said] = notes(Outcome(mixed=[Mixed("a", ("c1", "c2"), told)]), INTO)
    assert said == (
        "a: trials of c1 and c2 differ in 'engine' ('sglang' / 'vllm') and 'spec_drafts' (not in all); "
        "where they are different configurations, import each with a --series of its own"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("records_beside", "beside it lie 7 single requests, not as many as it counts: its totals alone were taken"),
        ("requests_in_a_sample", "it holds 7 of its requests, and not all: its totals alone were taken"),
        ("entries_left_out", "7 of its entries were not kept, for there are too many"),
        ("requests_with_impossible_times", "a time of 7 of its requests cannot be, and is taken for unknown"),
        ("batches_taken_together", "its 7 batches are too many for a run each, and are taken together"),
    ],
)
def test_what_was_not_taken_of_results_is_told_in_one_line(name: str, said: str) -> None:
    placed = [
        Placed(
            Arrived(
                Run("toy", concurrency=1, summary={name: 7.0}), Original(file=file, sha256="", bytes=1), Path(file)
            ),
            "a", "c1", nth,
        )
        for nth, file in enumerate(("x", "y"), start=1)
    ]  # fmt: skip
    assert list(notes(Outcome(placed=placed), INTO)) == [f"x and y: {said}"]


def test_texts_of_files_cannot_write_to_the_terminal() -> None:
    [said] = notes(Outcome(mixed=[Mixed("a", ("c1",), {"label": ("\x1b[31m", "b")})]), INTO)
    assert "\x1b" not in said


def test_many_new_series_are_counted() -> None:
    [said] = notes(Outcome(new_series=[f"s{n}" for n in range(1, 10)]), INTO)
    assert said == "/data/runs/mine/round.toml now has s1, s2, s3, s4 and 5 more; complete it (docs/rounds.md)"


def test_tables_are_told_of_where_runs_were_put_beside_them() -> None:
    assert list(notes(Outcome(placed=PLACED, tables=["old"]), INTO)) == [
        "beside what was imported, the round has tables of results that no run backs: old"
    ]
    assert list(notes(Outcome(tables=["old"]), INTO)) == []


def test_files_that_look_alike_are_passed_over_in_one_line() -> None:
    log, samples = "is of no known format; it looks like the log of a server", "is of no known format; it has 'a'"
    passed = [InputError(name, "", log, "x") for name in ("a.log", "b.log")] + [InputError("c.json", "", samples, "x")]
    assert list(notes(Outcome(passed=passed), INTO)) == [
        f"passed over: a.log and b.log: {log}",
        f"passed over: c.json: {samples}",
    ]


def test_many_looks_are_counted() -> None:
    passed = [InputError(f"{n}.json", "", f"it has '{n}'", "x") for n in range(13)]
    said = list(notes(Outcome(passed=passed), INTO))
    assert len(said) == 11
    assert said[-1] == "passed over: 3 more files of no known format"


def unplaced(run: Run) -> list[str]:
    placed = [
        Placed(Arrived(run, Original(file="x", sha256="", bytes=1), Path("x")), "a", "all-at-once", n) for n in (1, 2)
    ]
    return list(notes(Outcome(placed=placed), INTO))


def test_a_run_that_says_nothing_of_its_load_is_given_the_lines_to_add() -> None:
    silent = Run("toy", summary={"request_throughput": 2.0}, reported=(Reported("x", "request_throughput", "1", 2.0),))
    [said] = unplaced(silent)
    assert said == (
        "a/all-at-once: the files say nothing of the load; where it is known, add to round.toml: "
        '[[level]], series = ["a"], id = "all-at-once" and concurrency = … or rate = …, a line each'
    )


@pytest.mark.parametrize(
    "run",
    [
        Run("toy", rate=2.0),
        Run("toy", concurrency=2.0),
        Run("toy", test="pp512"),
        Run("toy", summary={"request_rate": "inf", "max_concurrency": None}),
    ],
    ids=["a rate", "a cap", "no server", "no limit"],
)
def test_a_load_that_is_told_needs_no_line(run: Run) -> None:
    assert unplaced(run) == []
