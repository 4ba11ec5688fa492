from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.intake import taking_in
from generator.intake.taking_in import Outcome, take_in
from generator.store.reading import read_round
from tests.support.rounds import places
from tests.support.toy_runs import TOYS, toy_file

RUN: dict[str, Any] = {"started": "2026-01-01", "concurrency": 2, "duration": 2.0, "completed": 3, "engine": "vllm",
                       "model": "acme/M"}  # fmt: skip


def imported(into: Path, *files: Path, series: str | None = "alpha") -> Outcome:
    return take_in(files, into, TOYS, series, lambda *_: None)


def tree(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_new_round_can_be_read_at_once(tmp_path: Path) -> None:
    into = tmp_path / "runs" / "mine"
    outcome = imported(into, toy_file(tmp_path / "a.json", RUN | {"rows": [(0.0, 0.2, [50])]}))

    assert tree(into) == [
        f"alpha/levels/c2/1/{name}" for name in ("chunks.parquet", "level.json", "requests.parquet")
    ] + ["round.toml"]
    round_ = read_round(into, places())
    assert (round_.title.en, round_.file.model.name, round_.series[0].id) == ("mine", "acme/M", "alpha")
    assert len(round_.requests["alpha", "c2", None]) == 1
    assert outcome.new_series == ["alpha"]


def test_the_file_can_be_found_again(tmp_path: Path) -> None:
    file = toy_file(tmp_path / "a.json", RUN)
    imported(tmp_path / "r", file)

    original = json.loads((tmp_path / "r/alpha/levels/c2/1/level.json").read_text(encoding="utf-8"))["original"]
    data = file.read_bytes()
    assert original == {
        "file": "a.json", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "place": "",
    }  # fmt: skip


def test_a_run_that_two_files_describe_counts_once(tmp_path: Path) -> None:
    single, summary = toy_file(tmp_path / "run0.json", RUN), toy_file(tmp_path / "summary.json", RUN)
    outcome = imported(tmp_path / "r", single, summary)

    assert len(outcome.placed) == 1
    assert outcome.repeated == ["summary.json"]


def test_importing_again_adds_nothing(tmp_path: Path) -> None:
    file = toy_file(tmp_path / "a.json", RUN)
    imported(tmp_path / "r", file)
    before = {name: (tmp_path / "r" / name).read_bytes() for name in tree(tmp_path / "r")}
    outcome = imported(tmp_path / "r", file)

    assert (outcome.placed, outcome.repeated) == ([], ["a.json"])
    assert {name: (tmp_path / "r" / name).read_bytes() for name in tree(tmp_path / "r")} == before


def test_another_run_of_the_load_is_the_next_trial(tmp_path: Path) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    imported(tmp_path / "r", toy_file(tmp_path / "b.json", RUN | {"started": "2026-01-02"}))

    assert read_round(tmp_path / "r", places()).series[0].levels[0].trials == 2


def test_a_further_series_is_added_below_what_the_author_wrote(tmp_path: Path) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    toml = tmp_path / "r" / "round.toml"
    written = toml.read_text(encoding="utf-8").replace('title.en = "r"', 'title.en = "Mine"  # my words')
    toml.write_text(written, encoding="utf-8")
    outcome = imported(tmp_path / "r", toy_file(tmp_path / "b.json", RUN | {"duration": 3.0}), series="beta")

    assert outcome.new_series == ["beta"]
    assert toml.read_text(encoding="utf-8").startswith(written)
    assert [series.id for series in read_round(tmp_path / "r", places()).series] == ["alpha", "beta"]


def test_a_file_that_cannot_be_used_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('[{"toy"', encoding="utf-8")
    odd = tmp_path / "odd.txt"
    odd.write_text("hello", encoding="utf-8")
    outcome = imported(tmp_path / "r", broken, odd, tmp_path / "gone.json", toy_file(tmp_path / "a.json", RUN))

    assert len(outcome.placed) == 1
    assert [error.problem for error in outcome.refused] == [
        "is not JSON", "is of no known format (toy)", "cannot be read (No such file or directory)",
    ]  # fmt: skip


def test_where_nothing_can_be_used_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("hello", encoding="utf-8")
    imported(tmp_path / "r", tmp_path / "odd.txt")

    assert not (tmp_path / "r").exists()


def test_a_round_that_cannot_be_read_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "round.toml").write_text("schema = ", encoding="utf-8")

    with pytest.raises(InputError, match=r"round\.toml"):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    assert tree(tmp_path / "r") == ["round.toml"]


@pytest.mark.parametrize("first", [None, RUN | {"started": "2025-12-31"}], ids=["new round", "further series"])
def test_what_fails_half_way_leaves_nothing(tmp_path: Path, first: dict[str, Any] | None) -> None:
    # The place of the second of two runs is taken by a file.
    if first is not None:
        imported(tmp_path / "r", toy_file(tmp_path / "first.json", first), series="beta")
    (tmp_path / "r" / "alpha" / "levels").mkdir(parents=True)
    (tmp_path / "r" / "alpha" / "levels" / "c4").write_text("in the way", encoding="utf-8")
    before = {name: (tmp_path / "r" / name).read_bytes() for name in tree(tmp_path / "r")}

    with pytest.raises(InputError, match="cannot be written"):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN, RUN | {"concurrency": 4}))
    assert {name: (tmp_path / "r" / name).read_bytes() for name in tree(tmp_path / "r")} == before


def test_what_was_killed_between_its_two_steps_is_completed_by_importing_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = toy_file(tmp_path / "a.json", RUN)
    with monkeypatch.context() as killed:  # as kill -9 leaves it: nothing is moved, nothing is put back
        killed.setattr(taking_in, "_move", lambda *_: None)
        imported(tmp_path / "r", file)
    outcome = imported(tmp_path / "r", file)

    assert (len(outcome.placed), outcome.new_series) == (1, [])
    assert read_round(tmp_path / "r", places()).series[0].levels[0].id == "c2"


def test_a_run_that_was_interrupted_leaves_no_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(taking_in, "level_json", interrupted)
    with pytest.raises(KeyboardInterrupt):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    assert tree(tmp_path / "r") == []


@pytest.mark.parametrize("name", ['a "quoted" \\ name', "line\nbreak", "\x7f\x00", "小模型", "'''"])
def test_names_of_models_make_no_other_toml(tmp_path: Path, name: str) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN | {"model": name}))

    assert tomllib.loads((tmp_path / "r/round.toml").read_text(encoding="utf-8"))["model"]["name"] == name
