from __future__ import annotations

from pathlib import Path

from generator.told.findings import Finding
from tests.support.collected_rounds import TOML, planned, put_run, read
from tests.support.telling import found_by, said

CHECK = "plan_fulfilled"


def examine(folder: Path) -> tuple[Finding, str]:
    round_ = read(folder)
    (finding,) = found_by(CHECK, round_)
    return finding, said(finding, round_)


def with_runs(folder: Path, *places: str) -> Path:
    for place in places:
        put_run(folder / "s" / "levels" / place, {})
    return folder


def test_a_plan_that_has_not_begun_says_how_much_is_to_come(tmp_path: Path) -> None:
    finding, text = examine(planned(tmp_path / "r"))

    assert (finding.status, finding.series, finding.levels) == ("warn", "s", ())
    # c1 twice and c4 once
    assert "none of its 3 planned runs has been collected" in text


def test_levels_and_trials_that_are_missing_are_named(tmp_path: Path) -> None:
    finding, text = examine(with_runs(planned(tmp_path / "r"), "c1/1"))

    assert (finding.status, finding.levels) == ("warn", ("c1",))
    # One of two at C=1, and the one at C=4
    assert "Missing of the 3 planned runs of s: 2, at C=1 and C=4" in text


def test_a_plan_that_is_fulfilled_passes(tmp_path: Path) -> None:
    toml = TOML.replace("concurrency = 4", "concurrency = 1")  # the runs at hand are all at C=1
    finding, text = examine(with_runs(planned(tmp_path / "r", toml), "c1/1", "c1/2", "c4/1"))

    assert (finding.status, finding.levels) == ("pass", ("c1", "c4"))
    assert "All 3 planned runs of s are there" in text


def test_more_runs_than_planned_do_not_make_up_for_others(tmp_path: Path) -> None:
    finding, text = examine(with_runs(planned(tmp_path / "r"), "c1/1", "c1/2", "c1/3"))

    assert finding.status == "warn"
    assert ": 1, at C=4" in text


def test_an_entry_of_another_series_is_none_of_its_plan(tmp_path: Path) -> None:
    other = '\n[[series]]\nid = "t"\nkind = "reference"\n[[level]]\nid = "c9"\nconcurrency = 9\nseries = ["t"]\n'
    round_ = read(with_runs(planned(tmp_path / "r", TOML + other), "c1/1", "c1/2"))

    found = {finding.series: said(finding, round_) for finding in found_by(CHECK, round_)}

    assert ": 1, at C=4" in found["s"]
    assert "none of its 4 planned runs" in found["t"]


def test_a_table_of_results_is_whole_as_it_is(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    (folder / "s").mkdir()
    (folder / "s" / "published.csv").write_text("concurrency,requests\n1,40\n4,40\n", encoding="utf-8")

    finding, _ = examine(folder)

    assert (finding.status, finding.series) == ("pass", None)


def test_runs_without_a_plan_are_short_of_none(tmp_path: Path) -> None:
    finding, _ = examine(with_runs(planned(tmp_path / "r", TOML.partition("[[level]]")[0]), "c1/1"))

    assert (finding.status, finding.series) == ("pass", None)
