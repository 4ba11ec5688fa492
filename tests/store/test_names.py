from __future__ import annotations

from pathlib import Path

import pytest

from generator.store.names import folders_beside, objection, objection_to_round, objection_to_series, pair_name


@pytest.mark.parametrize("name", ["CON", "con", "nul.v2", "Com1", "lpt9.a.b"])
def test_names_of_devices_are_refused(name: str) -> None:
    assert objection(name, []) == f"the name '{name}' is kept for a device on some systems"


@pytest.mark.parametrize("name", ["console", "com", "com10", "round-2", "a.con", "v1.0"])
def test_names_that_only_resemble_them_are_fine(name: str) -> None:
    assert objection(name, [name, "other"]) is None


def test_a_dot_at_the_end_is_refused() -> None:
    assert objection("a.", []) == "the name 'a.' ends in a dot, which some systems drop"


def test_names_that_differ_in_case_alone_are_refused() -> None:
    assert objection("round-A", ["x", "round-A", "round-a"]) == "'round-A' and 'round-a' differ in case alone"


def test_only_folders_lie_beside(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "c").touch()
    assert sorted(folders_beside(tmp_path / "a")) == ["a", "b"]
    assert folders_beside(tmp_path / "nowhere" / "a") == []


@pytest.mark.parametrize("name", ["prose", "Prose"])
def test_the_folder_of_the_text_is_none_of_a_series(name: str) -> None:
    assert objection(name, []) is None
    assert objection_to_series(name, []) == "prose is the folder of the round's text"
    assert objection_to_series("con", []) == objection("con", [])


def test_a_pair_is_named_by_both_rounds() -> None:
    assert pair_name("one", "other") == "one...other"


@pytest.mark.parametrize("name", ["a...b", "v1....2", "x..."])
def test_what_stands_between_two_rounds_is_in_the_name_of_none(name: str) -> None:
    """``a...b`` against ``c`` would share the folder of ``a`` against ``b...c``."""
    told = f"the name '{name}' has ... in it, which stands between two rounds that are compared"
    assert objection_to_round(name, []) == told


@pytest.mark.parametrize("name", ["diff", "DIFF"])
def test_the_folder_of_the_comparisons_is_none_of_a_round(name: str) -> None:
    assert objection_to_round(name, []) == "diff is the folder of the comparisons on the site"
    assert objection_to_round("con", []) == objection("con", [])


@pytest.mark.parametrize("name", ["a..b", "diff-2", "v1.0", "history", "rounds", "figures"])
def test_names_that_no_folder_of_the_site_needs_are_fine(name: str) -> None:
    assert objection_to_round(name, [name]) is None
