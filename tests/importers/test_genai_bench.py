from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.errors import InputError
from generator.importers.genai_bench import genai_bench
from generator.runs.imported import Run
from tests.support.mutated import survives


def statistics(value: float) -> dict[str, float]:
    return dict.fromkeys(("min", "max", "mean", "stddev", "p25", "p50", "p75", "p90", "p95", "p99"), value)


# Two answers of 11 tokens in 1.5 s, the first token after 0.5 s: TPOT (1.5 − 0.5) ÷ 10 = 0.1 s. One request failed.
TOTALS: dict[str, Any] = {
    "scenario": "D(100,11)", "num_concurrency": 2, "batch_size": 1, "iteration_type": "num_concurrency",
    "run_duration": 2.0, "mean_output_throughput_tokens_per_s": 11.0,
    "mean_total_tokens_throughput_tokens_per_s": 111.0, "requests_per_second": 1.0,
    "error_codes_frequency": {"429": 1}, "error_rate": 0.333, "num_error_requests": 1, "num_completed_requests": 2,
    "num_requests": 3,
    "stats": {
        "ttft": statistics(0.5), "tpot": statistics(0.1), "e2e_latency": statistics(1.5),
        "output_latency": statistics(1.0), "output_inference_speed": statistics(10.0),
        "num_input_tokens": statistics(100) | {"sum": 200}, "num_output_tokens": statistics(11) | {"sum": 22},
        "input_throughput": statistics(200.0),
    },
}  # fmt: skip
ANSWERED = {"ttft": 0.5, "tpot": 0.1, "e2e_latency": 1.5, "num_input_tokens": 100, "num_output_tokens": 11,
            "error_code": None, "error_message": None}  # fmt: skip
REFUSED = dict.fromkeys(ANSWERED) | {"error_code": 429, "error_message": "no more, key sk-abcdefghijkl"}
RESULT: dict[str, Any] = {
    "aggregated_metrics": TOTALS, "individual_request_metrics": [ANSWERED, REFUSED, ANSWERED], "_time_unit": "s",
}  # fmt: skip
EXPERIMENT = {
    "cmd": "genai-bench benchmark --api-key sk-abcdefghijkl --api-base http://gpu7.acme.example",
    "benchmark_version": "0.0.5", "server_engine": "SGLang", "server_version": "0.5.1", "server_gpu_type": "H100",
    "server_gpu_count": "8", "model": "acme/Toy-1B", "user": "ann",
}  # fmt: skip


def read(folder: Path, result: Any = RESULT, experiment: Any = None) -> Run:
    if experiment is not None:
        (folder / "experiment_metadata.json").write_text(json.dumps(experiment))
    path = folder / "D_100_11_concurrency_2.json"
    path.write_text(json.dumps(result))
    [run] = genai_bench.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_its_files_are_recognised_and_no_other() -> None:
    assert genai_bench.recognises(json.dumps(RESULT).encode()) == 3
    assert not genai_bench.recognises(json.dumps(EXPERIMENT).encode())


def test_numbers_are_told_with_their_meaning(tmp_path: Path) -> None:
    run = read(tmp_path)

    assert (run.concurrency, run.rate) == (2, None)
    told = reported(run)
    assert (told["requests"], told["completed"], told["duration"]) == (3, 2, 2.0)
    assert (told["output_throughput"], told["total_token_throughput"]) == (22 / 2, 222 / 2)
    assert (told["input_tokens_counted"], told["output_tokens_counted"]) == (200, 22)
    assert (told["asked_input_tokens"], told["asked_output_tokens"]) == (100, 11)
    assert (told["ttft_p50"], told["tpot_p99"], told["e2el_mean"]) == (0.5, 0.1, 1.5)


def test_each_request_is_read(tmp_path: Path) -> None:
    requests = read(tmp_path).requests

    assert requests is not None
    assert requests.answered.tolist() == [True, False, True]
    np.testing.assert_allclose(requests.ttft, [0.5, np.nan, 0.5])
    np.testing.assert_allclose(requests.e2el, [1.5, np.nan, 1.5])
    np.testing.assert_allclose(requests.output_tokens, [11, np.nan, 11])
    assert requests.kinds_of_error == {"Too Many Requests": 1}


def test_milliseconds_are_milliseconds(tmp_path: Path) -> None:
    slow = {
        name: statistics(value["mean"] * 1e3)
        for name, value in TOTALS["stats"].items()
        if "latency" in name or name in ("ttft", "tpot")
    }
    one = ANSWERED | {"ttft": 500.0, "e2e_latency": 1500.0}
    totals = TOTALS | {"stats": TOTALS["stats"] | slow}
    run = read(tmp_path, {"aggregated_metrics": totals, "individual_request_metrics": [one], "_time_unit": "ms"})

    assert [(one.value, one.unit) for one in run.reported if one.metric == "ttft_mean"] == [(500.0, "ms")]
    # the duration stays in seconds
    assert [(one.value, one.unit) for one in run.reported if one.metric == "duration"] == [(2.0, "s")]
    assert run.requests is not None
    np.testing.assert_allclose(run.requests.e2el, [1.5])


def test_what_is_called_a_concurrency_may_be_a_rate(tmp_path: Path) -> None:
    totals = TOTALS | {"arrival_requests_per_second": 2.1, "num_concurrency": 2}

    run = read(tmp_path, RESULT | {"aggregated_metrics": totals})

    assert (run.concurrency, run.rate) == (None, 2)


def test_the_experiment_beside_it_is_read_without_its_command(tmp_path: Path) -> None:
    run = read(tmp_path, experiment=EXPERIMENT)

    assert (run.model, run.engine, run.tool_version) == ("acme/Toy-1B", "SGLang", "0.0.5")
    assert run.summary["server_gpu_type"] == "H100"
    assert "sk-abc" not in str(run)
    assert "gpu7" not in str(run)
    assert "ann" not in str(run.summary)


def test_lengths_of_a_distribution_are_not_asked_of_every_request(tmp_path: Path) -> None:
    totals = TOTALS | {"scenario": "N(480,240)/(300,150)"}

    assert "asked_input_tokens" not in reported(read(tmp_path, RESULT | {"aggregated_metrics": totals}))


def test_an_embedding_has_no_tpot(tmp_path: Path) -> None:
    totals = TOTALS | {"stats": TOTALS["stats"] | {"tpot": statistics(0)}}

    assert "tpot_mean" not in reported(read(tmp_path, RESULT | {"aggregated_metrics": totals}))


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no result of genai-bench"):
        read(tmp_path, {"aggregated_metrics": {"num_completed_requests": None, "run_duration": None}})


@pytest.mark.fuzz
def test_damaged_files_end_in_runs_or_an_error(tmp_path: Path) -> None:
    assert survives(genai_bench, json.dumps(RESULT, indent=1).encode(), tmp_path)
