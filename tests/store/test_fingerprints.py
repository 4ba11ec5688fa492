from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from generator.errors import InputError
from generator.machines.records import Machine
from generator.store.fingerprints import LONGEST, MOST_FACTS
from tests.support.collected_rounds import planned, put_json, put_run, read

TOML: Final = """\
schema = 1
[round]
title.zh = "机器"
title.en = "Machines"
date = 2026-01-02
[model]
name = "m"
[hardware]
gpu = "RTX 4090"
driver = "570.86"
[[series]]
id = "s"
kind = "llamacpp"
engine = "llama.cpp"
endpoint = "http://127.0.0.1:1"
SERIES
[[level]]
id = "c1"
concurrency = 1
"""
GPUS: Final = {
    "schema": 1,
    "gpu": {
        "driver": "580.95",
        "gpus": [
            {"index": "0", "name": "NVIDIA L40S", "ecc": True, "power_limit_w": 350.0, "unknown": {"mig": "No"}},
            {"index": "1", "name": "NVIDIA L40S", "ecc": True, "power_limit_w": 300.0, "mig": None},
        ],
    },
    "python": {"packages": {"torch": "2.9.0"}},
    "argv": ["llama-server", "-c", "4096", "--api-key", "abcdefghijk"],
    "environment": {"OMP_NUM_THREADS": "8"},
}  # fmt: skip


def made(folder: Path, series: str = "") -> Path:
    return planned(folder, TOML.replace("SERIES", series))


def machine_of(folder: Path) -> Machine:
    return read(folder).machines["s"]


def by_hand(folder: Path, told: object, series: str = "") -> Machine:
    put_json(made(folder, series) / "s" / "fingerprint.json", told)
    return machine_of(folder)


def refused(folder: Path, data: bytes) -> str:
    path = made(folder) / "s" / "fingerprint.json"
    path.parent.mkdir()
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(folder)
    return str(caught.value)


# What is read


def test_a_fingerprint_becomes_facts_by_path(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", GPUS)
    told = {
        path: known.text(path) for path in ("gpu.count", "gpu.gpus.ecc", "python.packages.torch", "flag.--ctx-size")
    }
    assert told == {
        "gpu.count": "2",
        "gpu.gpus.ecc": "true",
        "python.packages.torch": "2.9.0",
        "flag.--ctx-size": "4096",
    }
    assert known.text("env.OMP_NUM_THREADS") == "8"
    assert str(known.facts["gpu.driver"].source) == "s/fingerprint.json, gpu.driver"


def test_gpus_of_one_kind_are_one_fact_and_others_stand_side_by_side(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", GPUS)
    assert known.text("gpu.gpus.name") == "NVIDIA L40S"
    assert known.text("gpu.gpus.power_limit_w") == "350 / 300"


def test_what_is_null_is_not_known(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", GPUS)
    assert known.text("gpu.gpus.mig") is None
    assert not [path for path in known.facts if "unknown" in path]


def test_all_keys_are_optional(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", {"machine": {"system": {"kernel": "Linux 6.1"}}})
    assert known.text("machine.system.kernel") == "Linux 6.1"
    assert not known.has_flags


def test_the_hardware_of_the_round_is_that_of_a_series_that_does_not_say(tmp_path: Path) -> None:
    known = machine_of(made(tmp_path / "r"))
    assert (known.text("gpu.gpus.name"), known.text("gpu.driver")) == ("RTX 4090", "570.86")
    assert known.text("date") == "2026-01-02"
    assert str(known.facts["gpu.driver"].source) == "round.toml, [hardware] driver"


def test_a_series_overrides_the_round_and_a_file_both(tmp_path: Path) -> None:
    series = 'driver = "575"\ncuda = "12.9"\nhost = "A"\ndate = 2026-02-03'
    known = machine_of(made(tmp_path / "r", series))
    assert [known.text(path) for path in ("gpu.driver", "gpu.cuda", "host", "date")] == [
        "575",
        "12.9",
        "A",
        "2026-02-03",
    ]
    put_json(tmp_path / "r" / "s" / "fingerprint.json", GPUS)
    assert machine_of(tmp_path / "r").text("gpu.driver") == "580.95"


def test_a_machine_may_be_told_in_both_languages(tmp_path: Path) -> None:
    both = 'gpu = {zh = "无（双核 CPU）", en = "none (two-core CPU)"}\ndate = {zh = "八月", en = "August"}'
    known = machine_of(made(tmp_path / "r", both))
    gpu, date = known.facts["gpu.gpus.name"], known.facts["date"]
    assert known.has_no_gpu
    assert (gpu.text, gpu.chinese, str(gpu.source)) == (
        "none (two-core CPU)",
        "无（双核 CPU）",
        "round.toml, [[series]] s, gpu",
    )
    assert (date.text, date.chinese) == ("August", "八月")


def test_what_is_struck_out_of_one_language_is_not_told_in_the_other(tmp_path: Path) -> None:
    known = machine_of(made(tmp_path / "r", 'gpu = {zh = "sk-abcdefghijklmnopqrstuvwxyz012345", en = "a card"}'))
    assert known.text("gpu.gpus.name") == "RTX 4090"  # that of [hardware]


def test_sessions_are_kept_apart_and_the_first_is_believed(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    for name, driver in (("10", "580"), ("2", "570")):
        put_json(folder / "s" / "sessions" / name / "fingerprint.json", {"schema": 1, "gpu": {"driver": driver}})
    (folder / "s" / "sessions" / "11").mkdir()
    known = machine_of(folder)
    assert [one.name for one in known.sessions] == ["2", "10"]
    assert known.text("gpu.driver") == "570"


def test_flags_are_those_of_one_place(tmp_path: Path) -> None:
    # The file knows -c only; what round.toml says of --parallel may be of another start.
    known = by_hand(tmp_path / "r", GPUS, 'argv = ["--parallel", "4"]')
    assert known.text("flag.--ctx-size") == "4096"
    assert known.text("flag.--parallel") is None


def test_no_flags_at_all_are_known_to_be_none(tmp_path: Path) -> None:
    assert machine_of(made(tmp_path / "r", "argv = []")).has_flags
    assert not machine_of(made(tmp_path / "q")).has_flags


def test_runs_say_what_client_and_when(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    put_run(
        folder / "s" / "levels" / "c1" / "1", {}, summary={"client_clock_steps": 2, "ended": "2026-01-01T00:00:00Z"}
    )
    known = machine_of(folder)
    (run,) = known.runs
    assert known.text("run.tool") == "rounds collect"
    assert (run.level, run.trial, run.ended, run.clock_steps) == ("c1", None, "2026-01-01T00:00:00Z", 2.0)
    assert run.source.file == "s/levels/c1/1/level.json"


@pytest.mark.parametrize(
    ("summary", "seed"),
    [
        ({"seed": "18446744073709551615"}, "18446744073709551615"),  # longer than a float holds
        ({"args.seed": 42.0}, "42"),
        ({"seed": "none of yours"}, None),
        ({"seed": None, "seeds": 3}, None),
    ],
)
def test_runs_say_with_which_seed(tmp_path: Path, summary: dict[str, str | float | bool | None], seed: str) -> None:
    folder = made(tmp_path / "r")
    put_run(folder / "s" / "levels" / "c1" / "1", {}, summary=summary)

    assert [run.seed for run in machine_of(folder).runs] == [seed]


# What is hostile


def test_secrets_and_folders_of_users_are_struck_out(tmp_path: Path) -> None:
    told = {
        **GPUS,
        "argv": ["x", "--model", "/home/somebody/m.gguf", "--api-key", "abcdefghijk"],
        "environment": {"HF_TOKEN": "hf_AbCdEfGhIjKl", "CACHE": "/home/somebody/cache"},
        "machine": {"system": {"kernel": "built by someone@box.example.com"}},
    }
    known = by_hand(tmp_path / "r", told)
    text = json.dumps([[path, fact.text] for path, fact in known.facts.items()])
    assert "somebody" not in text
    assert "abcdefghijk" not in text
    assert "AbCdEf" not in text
    assert "someone" not in text


def test_what_was_struck_out_is_not_known(tmp_path: Path) -> None:
    # Two different addresses would both be ***, and so the same.
    assert by_hand(tmp_path / "r", {"host": "10.1.2.3"}).text("host") is None


def test_a_machine_goes_by_a_word_and_not_by_its_address(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="host"):
        read(made(tmp_path / "r", 'host = "gpu1.example.com"'))


def test_long_texts_keep_their_difference(tmp_path: Path) -> None:
    long = "x" * 5000
    one = by_hand(tmp_path / "r", {"machine": {"cpu": {"model": f"{long}1"}}}).text("machine.cpu.model")
    other = by_hand(tmp_path / "q", {"machine": {"cpu": {"model": f"{long}2"}}}).text("machine.cpu.model")
    assert one is not None
    assert one != other
    assert len(one) <= LONGEST


def test_no_more_facts_are_kept_than_are_asked_for(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", {"python": {"packages": {f"p{number}": "1" for number in range(3 * MOST_FACTS)}}})
    assert len(known.facts) < MOST_FACTS + 20


def test_control_characters_do_not_reach_a_page(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", {"machine": {"cpu": {"model": "a\u0000b\u202ec\nd"}}})
    assert known.text("machine.cpu.model") == "a\\x00b\\u202ec\\nd"


@pytest.mark.parametrize(
    ("told", "path"),
    [
        ({"gpu": "RTX"}, "gpu"),
        ({"gpu": {"gpus": "RTX"}}, "gpu.gpus"),
        ({"gpu": {"gpus": []}}, None),
        ({"argv": "x"}, None),
        ({"environment": ["A=1"]}, None),
        ({"environment": {"A": 1}}, None),
    ],
)
def test_odd_shapes_are_read_as_far_as_they_go(tmp_path: Path, told: Any, path: str | None) -> None:
    known = by_hand(tmp_path / "r", told)
    assert path is None or known.text(path) == "RTX"


def test_deep_nesting_ends_somewhere(tmp_path: Path) -> None:
    deep: dict[str, object] = {"x": 1}
    for _ in range(50):
        deep = {"x": deep}
    assert not [path for path in by_hand(tmp_path / "r", deep).facts if path.startswith("x.")]
    assert "is not JSON" in refused(tmp_path / "q", b"[" * 200_000)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[1]", "is not a table of facts"),
        (b'{"schema": 99}', "written by a newer Rounds"),
        (b'{"schema": "1"}', "expected a whole number"),
        (b'{"gpu": {"name": "A", "memory": 1, "name": "B"}}', "has the entry 'name' twice; keep one of them"),
    ],
)
def test_files_that_are_none_are_refused_in_one_line(tmp_path: Path, data: bytes, words: str) -> None:
    line = refused(tmp_path / "r", data)
    assert words in line
    assert "fingerprint.json" in line
    assert "\n" not in line


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.json").write_text("{}", encoding="utf-8")
    folder = made(tmp_path / "r")
    (folder / "s").mkdir()
    (folder / "s" / "fingerprint.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(InputError, match="leads out of the round's folder"):
        read(folder)


def test_numbers_beyond_all_bounds_are_no_facts_to_count_with(tmp_path: Path) -> None:
    known = by_hand(tmp_path / "r", {"machine": {"memory": {"total_bytes": 10**400}}})
    assert known.text("machine.memory.total_bytes") == "too large"


def test_a_version_that_is_unknown_says_nothing(tmp_path: Path) -> None:
    machine = by_hand(tmp_path / "round", {"engine": {"version": "b0-unknown", "commit": "abc"}}, 'version = "2026.10"')

    assert machine.text("engine.version") == "2026.10"
    assert machine.text("engine.commit") == "abc"


def test_no_gpu_was_found(tmp_path: Path) -> None:
    found = {"gpu": {"source": "nvml", "gpus": []}}
    toml = TOML.replace('gpu = "RTX 4090"\n', "").replace("SERIES", "")
    put_json(planned(tmp_path / "round", toml) / "s" / "fingerprint.json", found)

    assert machine_of(tmp_path / "round").has_no_gpu
