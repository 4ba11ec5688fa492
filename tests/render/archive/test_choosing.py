"""Which files of a round go into its archive, and why others do not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.render.archive.choosing import FOREIGN, LARGE, LINK, ODD, PRIVATE, Takes, candidates
from generator.text import Text
from tests.support.rounds import write_round


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_round(tmp_path / "ours")


def put(folder: Path, name: str, text: str = "x") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def why(folder: Path, takes: Takes = "own", most: int = 10_000) -> dict[str, Text | None]:
    return {one.name: one.why_not for one in candidates(folder, takes, most)}


def test_what_a_round_is_made_of_goes_in(folder: Path) -> None:
    put(folder, "prose/verdict.zh.md")
    put(folder, "alpha/levels/c8/1/requests.parquet")
    put(folder, "gpu.csv", "timestamp, power.draw [W]\n")
    told = why(folder)
    assert list(told) == [
        "alpha/levels/c8/1/requests.parquet", "alpha/published.csv", "alpha/published.toml", "beta/published.csv",
        "gpu.csv", "prose/verdict.zh.md", "round.toml",
    ]  # fmt: skip
    assert set(told.values()) == {None}


def test_files_of_other_forms_stay_out_unless_the_author_says_all(folder: Path) -> None:
    put(folder, "alpha/levels/c8/1/result.json", '{"generated_texts": ["private"]}')
    put(folder, "notes/prose.md")
    put(folder, "prose/below/verdict.md")
    assert [name for name, one in why(folder).items() if one is FOREIGN] == [
        "alpha/levels/c8/1/result.json", "notes/prose.md", "prose/below/verdict.md",
    ]  # fmt: skip
    assert set(why(folder, "all").values()) == {None}


def test_hidden_files_are_not_even_named(folder: Path) -> None:
    put(folder, ".env", "KEY=secret")
    put(folder, ".git/config")
    assert set(why(folder, "all")) == {
        "alpha/published.csv", "alpha/published.toml", "beta/published.csv", "round.toml",
    }  # fmt: skip


def test_links_are_not_followed_to_files_or_folders(folder: Path, tmp_path: Path) -> None:
    put(tmp_path, "elsewhere/published.csv", "secret")
    (folder / "gamma").symlink_to(tmp_path / "elsewhere")
    (folder / "gpu.csv").symlink_to(tmp_path / "elsewhere" / "published.csv")
    told = why(folder, "all")
    assert (told["gamma"], told["gpu.csv"]) == (LINK, LINK)
    assert not [name for name in told if name.startswith("gamma/")]


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "gpu.csv")
    assert why(folder)["gpu.csv"] is ODD


def test_a_file_that_tells_a_host_or_a_key_stays_out(folder: Path) -> None:
    put(folder, "alpha/fingerprint.json", '{"started_by": "http://host.example.com:8000"}')
    assert why(folder)["alpha/fingerprint.json"] is PRIVATE
    assert why(folder, "all")["alpha/fingerprint.json"] is None


def test_the_largest_stay_out_where_not_all_have_room(folder: Path) -> None:
    put(folder, "alpha/levels/c8/1/chunks.parquet", "x" * 900)
    put(folder, "alpha/levels/c8/1/requests.parquet", "x" * 100)
    sizes = {one.name: one.size for one in candidates(folder, "own")}
    room = sum(sizes.values()) - 900
    assert [name for name, one in why(folder, most=room).items() if one is LARGE] == [
        "alpha/levels/c8/1/chunks.parquet"
    ]
    assert LARGE not in why(folder, most=room + 900).values()


def test_a_name_that_leads_elsewhere_on_another_system_stays_out(tmp_path: Path) -> None:
    for name in ("back\\..\\..\\out.txt", "C:out.txt", "two\nlines.txt", "dot.", "plain.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert [one.name for one in candidates(tmp_path, "all") if one.why_not is None] == ["plain.txt"]
