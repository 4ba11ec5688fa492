from __future__ import annotations

from pathlib import Path

import pytest

from generator.store.names import folders_beside, objection, objection_to_series


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
