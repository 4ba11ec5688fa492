from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from generator.intake import finding
from generator.intake.finding import Sorted, sort_out
from generator.kinds import Importer
from tests.support.toy_runs import TOY, TOYS, toy_file

RUN = {"concurrency": 2, "completed": 3}
SEVERAL: Mapping[str, Importer] = {
    "toy": replace(TOY, beside=frozenset({"args.json", "copy.csv"})),
    "other": replace(TOY, key="other", recognises=lambda head: 9 * head.startswith(b"other")),
}


def names(sorted_out: Sorted) -> list[str]:
    return [named.path.name for named, _ in sorted_out.taken]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_its_files_and_those_below(tmp_path: Path) -> None:
    toy_file(tmp_path / "in" / "b.json", RUN)
    toy_file(tmp_path / "in" / "c2" / "a.json", RUN)
    toy_file(tmp_path / "in" / ".hidden" / "a.json", RUN)
    toy_file(tmp_path / "in" / ".b.json", RUN)
    found = sort_out([tmp_path / "in"], TOYS)

    assert names(found) == ["b.json", "a.json"]
    assert [named.below for named, _ in found.taken] == ["", "c2"]
    assert (found.refused, found.passed) == ([], [])


def test_links_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = toy_file(tmp_path / "secret" / "a.json", RUN)
    toy_file(tmp_path / "in" / "b.json", RUN)
    (tmp_path / "in" / "link.json").symlink_to(outside)
    (tmp_path / "in" / "folder").symlink_to(outside.parent)
    os.mkfifo(tmp_path / "in" / "pipe")
    assert names(sort_out([tmp_path / "in"], TOYS)) == ["b.json"]


def test_what_nobody_reads_is_passed_over_in_a_folder_and_refused_by_name(tmp_path: Path) -> None:
    toy_file(tmp_path / "in" / "a.json", RUN)
    log = write(tmp_path / "in" / "server.log", "Uvicorn running on somewhere\n")
    [passed] = sort_out([tmp_path / "in"], SEVERAL).passed
    assert passed.problem == "is of no known format; it looks like the log of a server"
    [refused] = sort_out([log], SEVERAL).refused
    assert refused.problem == passed.problem


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    file = toy_file(tmp_path / "a.json", RUN)
    assert names(sort_out([file, tmp_path, file], TOYS)) == ["a.json"]


def test_what_belongs_to_a_result_in_the_same_folder_is_no_result_of_its_own(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write(tmp_path / folder / "args.json", "{}")
        write(tmp_path / folder / "copy.csv", "other")
    toy_file(tmp_path / "one" / "a.json", RUN)
    found = sort_out([tmp_path], SEVERAL)

    # In the folder two there is no result that they belong to.
    assert [(named.below, named.path.name) for named, _ in found.taken] == [("one", "a.json"), ("two", "copy.csv")]
    assert [Path(error.file).name for error in found.passed] == ["args.json"]


def test_a_folder_without_a_result_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "texts" / "a.txt", "hello")
    found = sort_out([tmp_path / "empty", tmp_path / "texts"], TOYS)
    assert [error.problem for error in found.refused] == ["is a folder without a result that can be read"] * 2


def test_a_folder_of_too_many_files_is_refused_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MOST_FILES", 2)
    for name in "abc":
        toy_file(tmp_path / f"{name}.json", RUN)
    [refused] = sort_out([tmp_path], TOYS).refused
    assert refused.problem == "has more than 2 files"


def test_folders_are_gone_into_to_a_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "DEEPEST", 2)
    for below in ("a", "a/b", "a/b/c"):
        toy_file(tmp_path / below / "x.json", RUN)
    found = sort_out([tmp_path], TOYS)
    assert [named.below for named, _ in found.taken] == ["a", "a/b"]
    assert found.refused == []
    [passed] = found.passed
    assert (passed.file, passed.problem) == (
        str(tmp_path / "a/b/c"), "is a folder below 2 others, and was not looked into",
    )  # fmt: skip


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = sort_out([tmp_path / "pipe", tmp_path / "gone"], TOYS)
    assert [error.problem for error in found.refused] == ["is not a file", "there is no such file"]


def test_a_damaged_archive_is_refused_in_a_folder_too(tmp_path: Path) -> None:
    toy_file(tmp_path / "a.json", RUN)
    (tmp_path / "b.json.gz").write_bytes(b"\x1f\x8b\x08broken")
    [refused] = sort_out([tmp_path], TOYS).refused
    assert refused.problem.startswith("is packed, and cannot be unpacked")
