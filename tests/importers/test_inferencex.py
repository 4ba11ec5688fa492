from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.inferencex import inferencex
from generator.importers.vllm import vllm
from generator.runs.imported import Run
from tests.support.mutated import survives

# 800 tokens a second on 8 GPUs; a TPOT of 20 ms is an "interactivity" of 50 tokens a second.
POINT: dict[str, Any] = {
    "hw": "h200", "conc": 16, "image": "acme/vllm:1", "model": "acme/Toy-1B", "infmax_model_prefix": "toy",
    "framework": "vllm", "precision": "fp8", "spec_decoding": "none", "disagg": False, "isl": 1024, "osl": 128,
    "is_multinode": False, "tp": 8, "ep": 1, "dp_attention": "false", "tput_per_gpu": 100.0,
    "output_tput_per_gpu": 12.5, "input_tput_per_gpu": 87.5, "mean_ttft": 0.5, "median_ttft": 0.4, "p99_ttft": 2.0,
    "mean_tpot": 0.02, "median_tpot": 0.02, "std_tpot": 0.001, "mean_intvty": 50.0, "std_intvty": 1000.0,
    "median_e2el": 3.0, "median_itl": 0.019, "power_valid": True, "avg_power_w": 400.0,
}  # fmt: skip


def read(folder: Path, *points: Any) -> Sequence[Run]:
    path = folder / "agg_toy.json"
    path.write_text(json.dumps(points[0] if len(points) == 1 else points))
    return inferencex.read(path, lambda _: None)


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_its_aggregates_are_recognised_and_no_other() -> None:
    assert inferencex.recognises(json.dumps(POINT).encode()) == 3
    assert inferencex.recognises(json.dumps([POINT, POINT]).encode()) == 3
    assert not vllm.recognises(json.dumps(POINT).encode())
    assert not inferencex.recognises(b'{"hw": "h200", "conc": 3}')


def test_latencies_are_seconds(tmp_path: Path) -> None:
    [run] = read(tmp_path, POINT)

    assert {one.unit for one in run.reported if one.metric.startswith(("ttft", "tpot", "itl", "e2el"))} == {"s"}
    told = reported(run)
    assert (told["ttft_mean"], told["ttft_p50"], told["ttft_p99"]) == (0.5, 0.4, 2.0)
    assert (told["tpot_p50"], told["itl_p50"], told["e2el_p50"]) == (0.02, 0.019, 3.0)


def test_the_load_and_the_machine_tell_runs_apart(tmp_path: Path) -> None:
    [run] = read(tmp_path, POINT)

    assert (run.model, run.engine, run.concurrency) == ("acme/Toy-1B", "vllm", 16)
    assert (run.swept["hw"], run.swept["tp"], run.swept["disagg"]) == ("h200", "8", "false")
    assert (reported(run)["asked_input_tokens"], reported(run)["asked_output_tokens"]) == (1024, 128)


def test_shares_of_a_gpu_become_the_server_s_where_the_gpus_are_known(tmp_path: Path) -> None:
    told = reported(read(tmp_path, POINT)[0])

    assert (told["total_token_throughput"], told["output_throughput"]) == (8 * 100, 8 * 12.5)


@pytest.mark.parametrize("apart", [{"disagg": True}, {"is_multinode": "true"}, {"pp": 2}, {"tp": None}])
def test_and_stay_shares_where_they_are_not(apart: dict[str, Any], tmp_path: Path) -> None:
    run = read(tmp_path, POINT | apart)[0]

    assert "output_throughput" not in reported(run)
    assert run.summary["output_tput_per_gpu"] == 12.5


def test_inverses_are_no_latencies(tmp_path: Path) -> None:
    [run] = read(tmp_path, POINT)

    assert run.summary["std_intvty"] == 1000.0
    assert not [one.key for one in run.reported if "intvty" in one.key]


def test_a_gathered_file_has_a_run_a_point(tmp_path: Path) -> None:
    runs = read(tmp_path, POINT, POINT | {"conc": 32})

    assert [(run.place, run.concurrency) for run in runs] == [("object 1", 16), ("object 2", 32)]


@pytest.mark.parametrize("broken", [{"conc": None}, {"conc": "N/A"}, {"tput_per_gpu": float("nan")}])
def test_what_lacks_load_or_throughput_is_refused(broken: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no result of InferenceX"):
        read(tmp_path, POINT | broken)


def test_a_latency_of_nothing_is_missing(tmp_path: Path) -> None:
    assert "ttft_p50" not in reported(read(tmp_path, POINT | {"median_ttft": 0.0})[0])


@pytest.mark.fuzz
def test_damaged_files_end_in_runs_or_an_error(tmp_path: Path) -> None:
    assert survives(inferencex, json.dumps([POINT, POINT], indent=1).encode(), tmp_path)
