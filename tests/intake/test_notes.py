from __future__ import annotations

from pathlib import Path

from generator.imported import Run
from generator.intake.mixing import Mixed
from generator.intake.notes import notes
from generator.intake.placing import Arrived, Placed
from generator.intake.taking_in import Outcome
from generator.store.level_file import Original

INTO = Path("/data/runs/mine")
PLACED = [Placed(Arrived(Run("toy"), Original(file="x", sha256="", bytes=1), Path("x")), "a", "c1", 1)]


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
