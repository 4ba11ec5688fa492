from __future__ import annotations

import hashlib
import json
import os
import shutil
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.intake import writing
from generator.intake.mixing import Mixed
from generator.intake.taking_in import Outcome, take_in
from generator.store.reading import read_round
from tests.support.rounds import places, write_round
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
    os.utime(file, (1772360100, 1772360100))  # 2026-03-01 10:15:00 UTC
    imported(tmp_path / "r", file)

    original = json.loads((tmp_path / "r/alpha/levels/c2/1/level.json").read_text(encoding="utf-8"))["original"]
    data = file.read_bytes()
    assert original == {
        "file": "a.json", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "place": "", "path": "",
        "written": "2026-03-01T10:15:00+00:00",
    }  # fmt: skip


def test_of_the_name_of_a_file_what_must_not_be_published_is_struck_out(tmp_path: Path) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "c2-sk-geheim1234.json", RUN))

    text = (tmp_path / "r/alpha/levels/c2/1/level.json").read_text(encoding="utf-8")
    assert json.loads(text)["original"]["file"] == "c2-***.json"


def test_a_run_that_two_files_describe_counts_once(tmp_path: Path) -> None:
    single, summary = toy_file(tmp_path / "run0.json", RUN), toy_file(tmp_path / "summary.json", RUN)
    outcome = imported(tmp_path / "r", single, summary)

    assert len(outcome.placed) == 1
    assert outcome.repeated == {"summary.json": "is the same run as run0.json"}


def test_importing_again_adds_nothing(tmp_path: Path) -> None:
    file = toy_file(tmp_path / "a.json", RUN)
    imported(tmp_path / "r", file)
    before = {name: (tmp_path / "r" / name).read_bytes() for name in tree(tmp_path / "r")}
    outcome = imported(tmp_path / "r", file)

    assert (outcome.placed, outcome.repeated) == ([], {"a.json": "is there already as alpha/levels/c2/1"})
    assert {name: (tmp_path / "r" / name).read_bytes() for name in tree(tmp_path / "r")} == before


def test_a_run_is_found_again_in_another_series(tmp_path: Path) -> None:
    file = toy_file(tmp_path / "a.json", RUN)
    imported(tmp_path / "r", file)
    outcome = imported(tmp_path / "r", file, series="beta")

    assert (outcome.placed, outcome.repeated) == ([], {"a.json": "is there already as alpha/levels/c2/1"})


def test_a_trial_put_there_by_hand_keeps_its_number(tmp_path: Path) -> None:
    toy_file(tmp_path / "r/alpha/levels/c2/3/result.json", RUN | {"duration": 9.0})
    [placed] = imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN)).placed

    assert placed.folder == "alpha/levels/c2/4"


def test_trials_that_differ_are_told_of_also_against_those_that_are_there(tmp_path: Path) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    outcome = imported(tmp_path / "r", toy_file(tmp_path / "b.json", RUN | {"engine": "sglang", "duration": 3.0}))

    assert outcome.mixed == [Mixed("alpha", ("c2",), {"engine": ("sglang", "vllm")})]


def test_tables_of_results_in_the_round_are_told_of(tmp_path: Path) -> None:
    folder = write_round(tmp_path / "r")
    outcome = imported(folder, toy_file(tmp_path / "a.json", RUN), series="gamma")

    assert outcome.tables == ["alpha", "beta"]
    assert [series.id for series in read_round(folder, places()).series] == ["alpha", "beta", "gamma"]


def test_runs_do_not_go_into_a_series_that_is_a_table(tmp_path: Path) -> None:
    folder = write_round(tmp_path / "r")
    with pytest.raises(InputError, match=r"alpha/published\.csv: the series is this table.*with --series"):
        imported(folder, toy_file(tmp_path / "a.json", RUN), series="alpha")

    assert not (folder / "alpha" / "levels").exists()


def test_a_round_in_the_current_folder_is_named_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    imported(Path(), toy_file(tmp_path / "a.json", RUN))

    assert read_round(tmp_path / "here", places()).title.en == "here"


def test_another_run_of_the_load_is_the_next_trial(tmp_path: Path) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    imported(tmp_path / "r", toy_file(tmp_path / "b.json", RUN | {"started": "2026-01-02"}))

    assert read_round(tmp_path / "r", places()).series[0].levels[0].trials == 2


def test_a_file_of_a_folder_can_be_found_again_below_it(tmp_path: Path) -> None:
    toy_file(tmp_path / "in" / "jo@gpu7.example.com" / "c2" / "a.json", RUN)
    outcome = imported(tmp_path / "r", tmp_path / "in")

    [placed] = outcome.placed
    assert placed.arrived.original.path == "***/c2"
    assert placed.arrived.original.file == "a.json"


def test_what_a_folder_holds_besides_is_passed_over(tmp_path: Path) -> None:
    toy_file(tmp_path / "in" / "a.json", RUN)
    (tmp_path / "in" / "notes.txt").write_text("hello", encoding="utf-8")
    outcome = imported(tmp_path / "r", tmp_path / "in")
    assert (len(outcome.placed), len(outcome.refused), len(outcome.passed)) == (1, 0, 1)


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
    empty = tmp_path / "empty"
    empty.mkdir()
    outcome = imported(tmp_path / "r", broken, odd, tmp_path / "gone.json", empty, toy_file(tmp_path / "a.json", RUN))

    assert len(outcome.placed) == 1
    assert [(error.problem, error.remedy) for error in outcome.refused] == [
        ("is not JSON", "look at it"),  # what the one importer there is says of a file that it does not recognise
        ("there is no such file", "name a result file"),
        ("is a folder without a result that can be read", "name a result file"),
        ("is not JSON", "look at it"),  # what the importer says that recognised it
    ]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    [error] = imported(tmp_path / "r", tmp_path / "pipe").refused

    assert error.problem == "is not a file"


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
        killed.setattr(writing, "_move", lambda *_: None)
        imported(tmp_path / "r", file)
    outcome = imported(tmp_path / "r", file)

    assert (len(outcome.placed), outcome.new_series) == (1, [])
    assert read_round(tmp_path / "r", places()).series[0].levels[0].id == "c2"


def test_a_run_that_was_interrupted_leaves_no_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "level_json", interrupted)
    with pytest.raises(KeyboardInterrupt):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    assert tree(tmp_path / "r") == []


@pytest.mark.parametrize("name", ['a "quoted" \\ name', "line\nbreak", "\x7f\x00", "小模型", "'''"])
def test_names_of_models_make_no_other_toml(tmp_path: Path, name: str) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN | {"model": name}))

    assert tomllib.loads((tmp_path / "r/round.toml").read_text(encoding="utf-8"))["model"]["name"] == name


def test_a_file_put_there_by_hand_is_not_imported_again(tmp_path: Path) -> None:
    file = toy_file(tmp_path / "r/alpha/levels/c2/1/result.json", RUN)
    outcome = imported(tmp_path / "r", file)

    assert (outcome.placed, outcome.repeated) == ([], {"result.json": "is there already as alpha/levels/c2/1"})


def test_the_number_of_a_trial_that_was_removed_is_not_given_again(tmp_path: Path) -> None:
    days = [toy_file(tmp_path / f"{n}.json", RUN | {"started": f"2026-01-0{n}"}) for n in (1, 2, 3)]
    imported(tmp_path / "r", *days[:2])
    shutil.rmtree(tmp_path / "r/alpha/levels/c2/1")
    [placed] = imported(tmp_path / "r", days[2]).placed

    assert placed.folder == "alpha/levels/c2/3"


def test_what_a_killed_import_left_is_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / "r" / ".import-abc" / "alpha"
    left.mkdir(parents=True)
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))

    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == ["alpha", "round.toml"]


def test_an_import_waits_for_another(tmp_path: Path) -> None:
    with ThreadPoolExecutor() as pool:
        files = [toy_file(tmp_path / f"{n}.json", RUN | {"duration": 1.0 + n}) for n in range(4)]
        outcomes = list(pool.map(lambda n: imported(tmp_path / "r", files[n], series=f"s{n}"), range(4)))

    assert [len(outcome.placed) for outcome in outcomes] == [1] * 4
    assert sorted(series.id for series in read_round(tmp_path / "r", places()).series) == ["s0", "s1", "s2", "s3"]


def test_series_written_in_one_line_cannot_be_added_to(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    text = 'schema = 1\nseries = [{id = "alpha"}]\n[round]\ntitle = {zh = "一", en = "one"}\n[model]\nname = "M"\n'
    (folder / "round.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"r/round\.toml: no \[\[series\]\] can be added at its end"):
        imported(folder, toy_file(tmp_path / "a.json", RUN), series="beta")

    assert tree(folder) == ["round.toml"]
    assert (folder / "round.toml").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("con", "is kept for a device"),
        ("prose", "is the folder of the round's text"),
        ("ALPHA", "differ in case alone"),
    ],
)
def test_a_series_that_cannot_be_a_folder_everywhere_is_refused(tmp_path: Path, name: str, said: str) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))
    with pytest.raises(InputError, match=said):
        imported(tmp_path / "r", toy_file(tmp_path / "b.json", RUN | {"duration": 3.0}), series=name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my round", "cannot be a round's id"),
        ("aux", "is kept for a device"),
        ("a...b", "stands between two rounds that are compared"),
    ],
)
def test_a_folder_that_can_be_no_round_is_refused(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        imported(tmp_path / name, toy_file(tmp_path / "a.json", RUN))

    assert not (tmp_path / name).exists()


def test_nothing_is_written_through_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "alpha").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="leads out of the round's folder"):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN))

    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ([RUN | {"concurrency": n} for n in range(1, 202)], "would have 201 levels, more than 200"),
        ([RUN | {"duration": 1.0 + n} for n in range(101)], "would have 101 trials, more than 100"),
    ],
    ids=["levels", "trials"],
)
def test_more_than_can_be_read_again_is_refused(tmp_path: Path, runs: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", *runs))

    assert not (tmp_path / "r").exists()


def test_a_run_whose_summary_is_too_large_to_be_read_again_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="more than 16 MiB"):
        imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN | {"model": "x" * 2**24}))


@pytest.mark.parametrize("name", ["D:\\models\\/Qwen", "a\\b", "/"])
def test_paths_of_models_are_written_as_they_are(tmp_path: Path, name: str) -> None:
    imported(tmp_path / "r", toy_file(tmp_path / "a.json", RUN | {"model": name}))

    assert tomllib.loads((tmp_path / "r/round.toml").read_text(encoding="utf-8"))["model"]["name"] == name
