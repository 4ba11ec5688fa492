from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.model import Level, Round
from generator.store.level_file import LEVEL_FILE, Original, level_json
from generator.store.reading import read_round
from generator.store.recognition import recognise
from generator.store.request_columns import pack
from generator.store.runs import why_not
from generator.values import Address
from tests.support.rounds import ALPHA_CSV, places
from tests.support.toy_runs import TOY, TOYS, toy_file

TOML = """\
schema = 1

[round]
title.zh = "导入"
title.en = "Imported"

[model]
name = "Model"

[[series]]
id = "alpha"
"""
RUN: dict[str, Any] = {"concurrency": 2, "duration": 2.0, "completed": 3, "ttft_p50": 250.0}
ROWS = [(0.0, 0.2, [50, 50]), (0.1, 0.3, []), (0.4, 0.1, [20])]
SOURCE = Original(file="x.json", sha256="00" * 32, bytes=1)


def write(folder: Path, trials: Mapping[str, Mapping[str, Any]], toml: str = TOML) -> Path:
    """Write a round whose one series has the given runs, by ``level/trial``."""
    folder.mkdir()
    (folder / "round.toml").write_text(toml, encoding="utf-8")
    for place, run in trials.items():
        toy_file(folder / "alpha" / "levels" / place / "result.json", run)
    return folder


def read(folder: Path) -> Round:
    return read_round(folder, places(), importers=TOYS)


def seen(round_: Round) -> dict[Address, tuple[float, str, str]]:
    """Return what was found: all but what is assumed where nobody declares it."""
    found = (one for one in round_.observations if one.origin != "assumed")
    return {one.address: (one.value, one.origin, str(one.source)) for one in found}


def refusal(folder: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read(folder)
    return caught.value


def test_a_file_put_into_the_folder_of_a_trial_is_read(tmp_path: Path) -> None:
    round_ = read(write(tmp_path / "r", {"c2/1": RUN}))

    assert round_.series_by_id("alpha").levels == (Level("c2", 2.0, from_runs=True),)
    source = "alpha/levels/c2/1/result.json"
    assert seen(round_) == {
        Address("concurrency", "level", "alpha", "c2"): (2.0, "reported", f"{source}, concurrency"),
        Address("duration", "level", "alpha", "c2"): (2.0, "reported", f"{source}, duration"),
        Address("completed", "level", "alpha", "c2"): (3.0, "reported", f"{source}, completed"),
        Address("ttft_p50", "level", "alpha", "c2"): (0.25, "reported", f"{source}, ttft_p50"),  # 250 ms
    }


def test_beside_requests_the_statistics_of_the_client_are_what_it_reports(tmp_path: Path) -> None:
    round_ = read(write(tmp_path / "r", {"c2/1": RUN | {"rows": ROWS}}))
    addresses = {(one.metric, one.basis) for one in seen(round_)}

    # The duration cannot be taken from requests: it stays the client's.
    assert addresses == {
        ("concurrency", None), ("duration", None), ("completed", "reported"), ("ttft_p50", "reported"),
    }  # fmt: skip
    requests = round_.requests["alpha", "c2", None]
    assert len(requests) == 3
    assert requests.source.file == "alpha/levels/c2/1/result.json"


def test_several_trials_are_numbered_in_the_order_of_their_names(tmp_path: Path) -> None:
    trials = {f"c2/{name}": RUN | {"duration": float(name)} for name in ("10", "2", "1")}
    round_ = read(write(tmp_path / "r", trials))

    assert round_.series_by_id("alpha").levels == (Level("c2", 2.0, trials=3, from_runs=True),)
    durations = {o.address.trial: o.value for o in round_.observations if o.address.metric == "duration"}
    assert durations == {1: 1.0, 2: 2.0, 3: 10.0}


def test_levels_stand_by_rising_load(tmp_path: Path) -> None:
    runs = {f"c{n}/1": RUN | {"concurrency": n} for n in (16, 2, 8)}
    levels = read(write(tmp_path / "r", runs)).series_by_id("alpha").levels
    assert [level.id for level in levels] == ["c2", "c8", "c16"]


def test_what_was_imported_is_read_from_its_own_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN | {"rows": ROWS, "failed": 1}})
    trial = folder / "alpha" / "levels" / "c2" / "1"
    run = TOYS["toy"].read(trial / "result.json", lambda _: None)[0]
    (trial / "result.json").unlink()
    assert run.requests is not None
    for name, data in {LEVEL_FILE: level_json(run, SOURCE), **pack(run.requests)}.items():
        (trial / name).write_bytes(data)

    round_ = read(folder)
    requests = round_.requests["alpha", "c2", None]
    assert requests.kinds_of_error == {"ClientOSError": 1}
    assert requests.source.file == "alpha/levels/c2/1/requests.parquet"
    assert (0.25, "reported", "alpha/levels/c2/1/level.json, ttft_p50") in seen(round_).values()


def test_a_level_entry_gives_the_load_that_a_file_does_not_tell(tmp_path: Path) -> None:
    toml = TOML + '\n[[level]]\nid = "c4"\nconcurrency = 4\n'
    run = {key: value for key, value in RUN.items() if key != "concurrency"}

    assert read(write(tmp_path / "r", {"c4/1": run}, toml)).series[0].levels[0].concurrency == 4


# What cannot be read


def test_trials_of_different_loads_are_refused(tmp_path: Path) -> None:
    error = refusal(write(tmp_path / "r", {"c2/1": RUN, "c2/2": RUN | {"concurrency": 4, "rate": 1.5}}))
    assert error.file.endswith("alpha/levels/c2")
    assert error.problem == "the trials have different loads: concurrency 2 and concurrency 4 at 1.5 req/s"


def test_a_trial_without_a_result_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    (folder / "alpha" / "levels" / "c2" / "1" / "result.json").write_text("hello", encoding="utf-8")

    error = refusal(folder)
    assert error.file.endswith("alpha/levels/c2/1/result.json")
    assert error.problem == "is not JSON"  # the importer's own reason


def test_a_trial_without_any_file_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    (folder / "alpha" / "levels" / "c2" / "1" / "result.json").unlink()

    error = refusal(folder)
    assert error.file.endswith("alpha/levels/c2/1")
    assert error.problem == "has no result that can be read (known formats: toy)"


def test_a_file_that_only_its_beginning_does_not_give_away_is_named_with_its_format(tmp_path: Path) -> None:
    odd = tmp_path / "odd.json"
    odd.write_text(json.dumps([{"completed": 3}]), encoding="utf-8")

    error = why_not(odd, TOYS)
    assert (error.problem, error.remedy) == (
        "does not begin like a file of 'toy', though it can be read as one", "import it with --format toy",
    )  # fmt: skip


def test_of_several_formats_what_the_file_looks_like_is_said(tmp_path: Path) -> None:
    odd = tmp_path / "odd.txt"
    odd.write_text("hello", encoding="utf-8")

    error = why_not(odd, {"toy": TOY, "other": replace(TOY, key="other")})
    assert error.problem == "is of no known format; it is text without a table that is known"
    assert error.remedy == "name a result file, or its format with --format (toy, other)"


def test_a_result_beside_the_levels_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    toy_file(folder / "alpha" / "result.json", RUN)

    error = refusal(folder)
    assert error.file.endswith("alpha/result.json")
    assert error.problem == "is a result that does not lie in the folder of a trial"
    assert error.remedy.endswith("or move it to alpha/levels/<level>/1/")


def test_what_is_no_result_may_lie_beside_the_levels(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    (folder / "alpha" / "config.json").write_text("{}", encoding="utf-8")
    toy_file(folder / "alpha" / "notes.md", RUN)  # quotes a result

    assert len(read(folder).series) == 1


def test_a_result_may_lie_beside_the_table_that_was_made_from_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {})
    toy_file(folder / "alpha" / "result.json", RUN)
    (folder / "alpha" / "published.csv").write_text(ALPHA_CSV, encoding="utf-8")

    assert len(read(folder).series[0].levels) == 3


def test_what_runs_say_of_themselves_is_kept(tmp_path: Path) -> None:
    round_ = read(write(tmp_path / "r", {"c2/1": RUN | {"model": "acme/M", "engine": "vllm"}}))

    assert round_.described == {("alpha", "c2", None): {"tool": "toy", "model": "acme/M", "engine": "vllm"}}


def test_two_results_in_one_trial_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    toy_file(folder / "alpha" / "levels" / "c2" / "1" / "other.json", RUN)

    assert refusal(folder).problem == "has several results: 'other.json' and 'result.json'"


def test_a_file_of_several_runs_is_refused_in_the_folder_of_one(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    toy_file(folder / "alpha" / "levels" / "c2" / "1" / "result.json", RUN, RUN)

    error = refusal(folder)
    assert (error.problem, error.remedy[:20]) == ("holds 2 runs, and a trial is one", "import it with `roun")


def test_a_file_among_the_levels_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    toy_file(folder / "alpha" / "levels" / "stray.json", RUN)

    assert refusal(folder).problem == "is not a folder of levels"


def test_a_level_without_trials_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    (folder / "alpha" / "levels" / "c4").mkdir()

    assert refusal(folder).problem == "has no trial"


def test_a_trial_that_leads_out_of_the_round_is_refused(tmp_path: Path) -> None:
    elsewhere = toy_file(tmp_path / "elsewhere" / "result.json", RUN).parent
    folder = write(tmp_path / "r", {"c2/1": RUN})
    (folder / "alpha" / "levels" / "c2" / "2").symlink_to(elsewhere)

    assert refusal(folder).problem == "is not a folder of trials"


def test_a_result_that_leads_out_of_the_round_is_not_read(tmp_path: Path) -> None:
    elsewhere = toy_file(tmp_path / "elsewhere" / "result.json", RUN)
    folder = write(tmp_path / "r", {"c2/1": RUN})
    trial = folder / "alpha" / "levels" / "c2" / "1"
    (trial / "result.json").unlink()
    (trial / "result.json").symlink_to(elsewhere)

    assert refusal(folder).problem == "has no result that can be read (known formats: toy)"


@pytest.mark.parametrize("name", ["c 2", "ä", "-c2"])
def test_a_level_whose_name_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    error = refusal(write(tmp_path / "r", {f"{name}/1": RUN}))
    assert error.problem == f"the name '{name}' cannot be an id"


def test_a_series_has_runs_or_a_table(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    (folder / "alpha" / "published.csv").write_text(ALPHA_CSV, encoding="utf-8")

    assert refusal(folder).problem == "stands beside levels/: a series has runs or a table of results"


def test_a_metric_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {"c2/1": RUN})
    trial = folder / "alpha" / "levels" / "c2" / "1"
    run = TOYS["toy"].read(trial / "result.json", lambda _: None)[0]
    (trial / LEVEL_FILE).write_bytes(level_json(run, SOURCE).replace(b'"metric": "ttft_p50"', b'"metric": "ttfb"'))

    error = refusal(folder)
    assert (error.place, error.problem) == (LEVEL_FILE, "there is no metric 'ttfb'")


def test_a_number_in_a_unit_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {})
    trial = folder / "alpha" / "levels" / "c2" / "1"
    trial.mkdir(parents=True)
    [run] = TOY.read(toy_file(tmp_path / "x.json", RUN), lambda _: None)
    [odd] = [replace(one, unit="tok") for one in run.reported if one.metric == "ttft_p50"]
    (trial / LEVEL_FILE).write_bytes(level_json(replace(run, reported=(odd,)), SOURCE))

    assert refusal(folder).problem == "ttft_p50 is in ms, and cannot be given in 'tok'"


def test_requests_that_a_link_leads_nowhere_to_are_missed(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", {})
    trial = folder / "alpha" / "levels" / "c2" / "1"
    trial.mkdir(parents=True)
    [run] = TOY.read(toy_file(tmp_path / "x.json", RUN), lambda _: None)
    (trial / LEVEL_FILE).write_bytes(level_json(run, SOURCE))
    (trial / "requests.parquet").symlink_to(tmp_path / "gone.parquet")

    assert refusal(folder).problem == "is missing"


def test_a_pipe_is_recognised_as_nothing_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a file"):
        recognise(tmp_path / "pipe", TOYS)
