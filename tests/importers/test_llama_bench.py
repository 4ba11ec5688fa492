from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.llama_bench import llama_bench
from generator.importers.llama_benchy import llama_benchy
from generator.runs.imported import Run
from tests.support.mutated import survives

# 100 tokens in 0.5 s and 0.4 s are 200 and 250 tokens a second.
PP: dict[str, Any] = {
    "build_commit": "abc1234", "build_number": 9000, "cpu_info": "Toy CPU", "gpu_info": "Toy GPU", "backends": "CUDA",
    "model_filename": "/home/ann/models/toy-1b-q8-00001-of-00002.gguf", "model_type": "toy 1B Q8_0",
    "model_size": 1_000_000_000, "model_n_params": 1_000_000_000, "n_batch": 2048, "n_ubatch": 512, "n_gpu_layers": 99,
    "flash_attn": True, "n_prompt": 100, "n_gen": 0, "n_depth": 0, "test_time": "2026-03-01T10:00:00Z",
    "avg_ns": 450_000_000, "stddev_ns": 70_710_678, "avg_ts": 225.0, "stddev_ts": 35.355339,
    "samples_ns": [500_000_000, 400_000_000], "samples_ts": [200.0, 250.0],
}  # fmt: skip
TG = PP | {
    "n_prompt": 0,
    "n_gen": 10,
    "samples_ts": [50.0, 40.0],
    "samples_ns": [200_000_000, 250_000_000],
    "avg_ts": 45.0,
}
BOTH = PP | {"n_gen": 10, "n_depth": 4096, "samples_ts": [150.0, 151.0], "avg_ts": 150.5}
TABLE = """\
| model                | size     | params | backend | ngl | test         |            t/s |
| -------------------- | -------: | -----: | ------- | --: | -----------: | -------------: |
| toy 1B Q8_0          | 0.93 GiB | 1.00 B | CUDA    |  99 | pp100        | 225.00 ± 35.36 |
| toy 1B Q8_0          | 0.93 GiB | 1.00 B | CUDA    |  99 | tg10 @ d4096 |   45.00 ± 0.07 |

build: abc1234 (9000)
"""


def read(folder: Path, text: str) -> Sequence[Run]:
    path = folder / "bench.out"
    path.write_text(text)
    return llama_bench.read(path, lambda _: None)


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def as_csv(*records: dict[str, Any]) -> str:
    plain = [{name: value for name, value in one.items() if not name.startswith("samples")} for one in records]
    text = io.StringIO()
    writer = csv.DictWriter(text, plain[0], quoting=csv.QUOTE_ALL, lineterminator="\n")
    text.write(",".join(plain[0]) + "\n")
    writer.writerows({name: int(value) if value is True else value for name, value in one.items()} for one in plain)
    return text.getvalue()


def as_sql(*records: dict[str, Any]) -> str:
    lines = ["CREATE TABLE IF NOT EXISTS llama_bench (", "  build_commit TEXT,", "  avg_ts REAL", ");", ""]
    for one in records:
        plain = {name: int(value) if value is True else value for name, value in one.items() if "samples" not in name}
        values = ", ".join(f"'{value}'" for value in plain.values())
        lines.append(f"INSERT INTO llama_bench ({', '.join(plain)}) VALUES ({values});")  # noqa: S608 - never run
    return "\n".join(lines) + "\n"


FORMATS = {
    "json": json.dumps([PP, TG]),
    "jsonl": f"{json.dumps(PP)}\n{json.dumps(TG)}\n",
    "csv": as_csv(PP, TG),
    "sql": as_sql(PP, TG),
    "md": TABLE,
}


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS)
def test_its_formats_are_recognised_and_no_other(text: str) -> None:
    assert llama_bench.recognises(text.encode()) > 0
    assert llama_benchy.recognises(text.encode()) == 0


def test_each_repetition_is_a_run(tmp_path: Path) -> None:
    runs = read(tmp_path, FORMATS["json"])

    assert [run.place for run in runs] == [f"object {o}, repetition {r}" for o in (1, 2) for r in (1, 2)]
    assert [run.test for run in runs] == ["pp100", "pp100", "tg10", "tg10"]
    assert [reported(run)["prompt_throughput"] for run in runs[:2]] == [200, 250]
    assert [reported(run)["generation_throughput"] for run in runs[2:]] == [50, 40]
    # 500 ms and 400 ms in nanoseconds
    assert [(one.value, one.unit) for one in runs[0].reported if one.metric == "duration"] == [(5e8, "ns")]


def test_repetitions_follow_each_other(tmp_path: Path) -> None:
    started = [run.started for run in read(tmp_path, FORMATS["json"])]

    assert started[:2] == ["2026-03-01T10:00:00", "2026-03-01T10:00:00.500000"]


def test_prompt_and_generation_together_are_neither(tmp_path: Path) -> None:
    run = read(tmp_path, json.dumps([BOTH]))[0]

    assert run.test == "pp100+tg10-d4096"
    assert {name for name in reported(run) if name.endswith("throughput")} == {"mixed_throughput"}
    # 100 tokens of a prompt behind 4096 that are in the context
    assert (reported(run)["asked_input_tokens"], reported(run)["asked_output_tokens"]) == (4196, 10)


def test_its_own_statistics_stay_under_their_names(tmp_path: Path) -> None:
    run = read(tmp_path, FORMATS["json"])[0]

    assert (run.summary["avg_ts"], run.summary["stddev_ts"]) == (225.0, 35.355339)
    assert not [one for one in run.reported if one.key.startswith(("avg", "stddev"))]


def test_repetitions_that_are_all_the_same_are_one(tmp_path: Path) -> None:
    same = PP | {"samples_ts": [208.0] * 3, "samples_ns": [480_769_231] * 3, "avg_ts": 208.0}

    [run] = read(tmp_path, json.dumps([same]))

    assert (run.place, reported(run)["prompt_throughput"]) == ("", 208.0)


def test_nothing_is_asked_of_a_server(tmp_path: Path) -> None:
    run = read(tmp_path, FORMATS["json"])[0]

    assert (run.concurrency, run.rate, run.requests) == (None, None, None)
    assert (run.model, run.engine, run.tool_version) == ("toy-1b-q8", "llama.cpp", "b9000 abc1234")


@pytest.mark.parametrize(
    ("written", "told"), [(True, "on"), (1, "on"), ("1", "on"), (0, "off"), (False, "off"), (-1, "auto")]
)
def test_flash_attention_is_told_alike_by_every_build(written: object, told: str, tmp_path: Path) -> None:
    assert read(tmp_path, json.dumps([PP | {"flash_attn": written}]))[0].swept["flash_attn"] == told


def test_other_settings_are_another_configuration(tmp_path: Path) -> None:
    one, other = read(tmp_path, json.dumps([PP]))[0], read(tmp_path, json.dumps([PP | {"n_batch": 64}]))[0]

    assert {name for name in one.swept if one.swept[name] != other.swept[name]} == {"n_batch"}
    assert {name for name in one.swept if "prompt" in name or "ns" in name} == set()


@pytest.mark.parametrize("name", ["csv", "sql"])
def test_a_format_without_repetitions_has_their_mean(name: str, tmp_path: Path) -> None:
    pp, tg = read(tmp_path, FORMATS[name])

    assert (reported(pp)["prompt_throughput"], reported(tg)["generation_throughput"]) == (225.0, 45.0)
    # the same configuration as in JSON
    assert pp.swept == read(tmp_path, FORMATS["json"])[0].swept


def test_the_table_for_people_is_read(tmp_path: Path) -> None:
    pp, tg = read(tmp_path, f"ggml_cuda_init: found 1 CUDA devices\n{TABLE}")

    assert (pp.test, tg.test) == ("pp100", "tg10-d4096")
    assert (reported(pp)["prompt_throughput"], reported(tg)["generation_throughput"]) == (225.0, 45.0)
    assert (pp.model, pp.tool_version, pp.swept["n_gpu_layers"]) == ("toy 1B Q8_0", "b9000 abc1234", "99")
    assert pp.place == "line 4"


def test_a_record_in_another_program_s_object_is_found(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        json.dumps({"mode": "pp", "avg_power_w": 19.0, "bench_raw": PP}) + "\n" + json.dumps({"bench_raw": TG}),
    )[0]

    assert reported(run)["prompt_throughput"] == 200
    assert run.summary["around.avg_power_w"] == 19.0
    assert "around.mode" not in run.swept


def test_homes_and_hosts_do_not_get_through(tmp_path: Path) -> None:
    run = read(tmp_path, json.dumps([PP | {"backends": "RPC[10.1.2.3:50052]"}]))[0]

    assert "ann" not in str(run.summary["model_filename"])
    assert "10.1.2.3" not in str(run)


def test_a_row_that_was_cut_is_named(tmp_path: Path) -> None:
    *head, last = as_csv(PP, TG).splitlines()

    with pytest.raises(InputError, match=r"row 3: has 5 cells, and the header 21"):
        read(tmp_path, "\n".join([*head, ",".join(last.split(",")[:5])]))


@pytest.mark.parametrize("text", [as_csv(PP).splitlines()[0] + "\n", TABLE.splitlines()[0], as_sql(), "[]"])
def test_a_header_alone_is_no_result(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it ended before its first test"):
        read(tmp_path, text)


@pytest.mark.parametrize("samples", [[200.0, None], [200.0, "N/A"], [1.0] * 101])
def test_repetitions_that_cannot_be_are_refused(samples: list[Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="in `samples_ts`"):
        read(tmp_path, json.dumps([PP | {"samples_ts": samples}]))


@pytest.mark.fuzz
@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS)
def test_damaged_files_end_in_runs_or_an_error(text: str, tmp_path: Path) -> None:
    assert survives(llama_bench, text.encode(), tmp_path, part=2)
