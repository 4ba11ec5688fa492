"""Exports of AIPerf: whose ITL is the TPOT, counts of successes alone, and records that lie beside the totals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.aiperf import aiperf
from generator.runs.imported import Run
from tests.support.mutated import survives


def block(unit: str, average: float, **more: float) -> dict[str, Any]:
    return {"unit": unit, "avg": average, **more}


EXPORT: dict[str, Any] = {
    "request_throughput": block("requests/sec", 2.0),
    "request_latency": block("ms", 1160.0, p50=1150.0, p99=1300.0),
    "request_count": block("requests", 40.0),
    "time_to_first_token": block("ms", 120.0, p50=110.0, p90=150.0, p95=160.0, p99=170.0),
    "time_to_second_token": block("ms", 18.0),
    "inter_token_latency": block("ms", 20.0, p99=22.0),
    "inter_chunk_latency": block("ms", 25.0, p50=24.0),
    "output_token_throughput": block("tokens/sec", 106.0),
    "output_token_throughput_per_user": block("tokens/sec/user", 50.0),
    "output_sequence_length": block("tokens", 53.0),
    "total_isl": block("tokens", 20000.0),
    "total_osl": block("tokens", 2120.0),
    "goodput": None,
    "error_request_count": None,
    "benchmark_duration": block("sec", 20.0),
    "telemetry_data": {
        "endpoints": {
            "node7:9400": {
                "gpus": {
                    "gpu_0": {
                        "gpu_name": "Toy GPU", "gpu_uuid": "GPU-secret", "hostname": "node7",
                        "metrics": {
                            "energy_consumption": block("MJ", 32.5),
                            "gpu_memory_used": block("GB", 49.5),
                        },
                    }
                }
            }
        }
    },
    "input_config": {
        "endpoint": {"model_names": ["acme/Toy-8B"], "streaming": True, "url": "node7:8000"},
        "loadgen": {"concurrency": 4, "request_count": 40},
        "input": {"prompt": {"input_tokens": {"mean": 500}, "output_tokens": {"mean": 200}}},
        "cli_command": "aiperf profile --url node7:8000 --api-key sk-toy-0123456789",
    },
    "start_time": "2026-03-01T10:15:00.5",
    "end_time": "2026-03-01T10:15:22.5",
}  # fmt: skip


def record(start_s: float, latency_ms: float, *, error: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a record; one that failed ends as it starts."""
    start = 1_772_359_200_000_000_000 + int(start_s * 1e9)
    end = start if error else start + int(latency_ms * 1e6)
    return {
        "metadata": {"request_start_ns": start, "request_end_ns": end, "benchmark_phase": "profiling"},
        "metrics": {} if error else {"request_latency": {"value": latency_ms, "unit": "ms"}},
        "error": error,
    }


def read(tmp_path: Path, export: dict[str, Any], *records: dict[str, Any]) -> Run:
    path = tmp_path / "profile_export_aiperf.json"
    path.write_text(json.dumps(export), encoding="utf-8")
    if records:
        lines = "".join(json.dumps(one) + "\n" for one in records)
        (tmp_path / "profile_export.jsonl").write_text(lines, encoding="utf-8")
    [run] = aiperf.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_an_export_becomes_a_run(tmp_path: Path) -> None:
    run = read(tmp_path, EXPORT)
    assert (run.tool, run.model, run.concurrency, run.rate) == ("AIPerf", "acme/Toy-8B", 4.0, None)
    assert (run.started, run.summary["end_time"]) == ("2026-03-01T10:15:00.5", "2026-03-01T10:15:22.5")
    assert reported(run) == {
        "completed": 40, "requests": 40, "duration": 20, "input_tokens_counted": 20000, "output_tokens_counted": 2120,
        "request_throughput": 2, "output_throughput": 106, "e2el_mean": 1160, "e2el_p50": 1150, "e2el_p99": 1300,
        "ttft_mean": 120, "ttft_p50": 110, "ttft_p90": 150, "ttft_p95": 160, "ttft_p99": 170,
        "tpot_mean": 20, "tpot_p99": 22, "itl_mean": 25, "itl_p50": 24, "output_tokens_mean": 53,
        "asked_input_tokens": 500, "asked_output_tokens": 200,
    }  # fmt: skip


def test_its_inter_token_latency_is_the_tpot_and_its_inter_chunk_latency_the_itl(tmp_path: Path) -> None:
    # (1160 − 120) ÷ (53 − 1) = 20 ms.
    keys = {one.metric: one.key for one in read(tmp_path, EXPORT).reported}
    assert keys["tpot_mean"] == "inter_token_latency.avg"
    assert keys["itl_mean"] == "inter_chunk_latency.avg"


def test_the_pace_of_a_stream_and_the_first_gap_stay_under_their_own_names(tmp_path: Path) -> None:
    run = read(tmp_path, EXPORT)
    assert run.summary["output_token_throughput_per_user.avg"] == 50.0
    assert run.summary["time_to_second_token.avg"] == 18.0
    assert not [one for one in run.reported if "per_user" in one.key or "second" in one.key]


def test_failed_requests_are_counted_beside_the_answered_ones(tmp_path: Path) -> None:
    run = read(tmp_path, EXPORT | {"error_request_count": block("requests", 10.0)})
    assert (reported(run)["completed"], reported(run)["requests"]) == (40, 50)


def test_where_all_failed_there_is_no_count_of_answers_and_no_latency(tmp_path: Path) -> None:
    run = read(tmp_path, {"error_request_count": block("requests", 5.0), "input_config": {}, "request_count": None})
    assert reported(run) == {"completed": 0, "requests": 5}


def test_a_number_in_another_unit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'request_latency' is in 'us', where ms is known"):
        read(tmp_path, EXPORT | {"request_latency": block("us", 1_160_000.0)})


def test_samples_of_gpus_keep_their_units_and_not_their_hosts(tmp_path: Path) -> None:
    run = read(tmp_path, EXPORT)
    assert run.summary["telemetry.1.gpu_0.energy_consumption.unit"] == "MJ"
    assert run.summary["telemetry.1.gpu_0.gpu_memory_used.avg"] == 49.5
    assert "input_config.cli_command" in run.struck_out
    assert not [secret for secret in ("node7", "sk-toy", "GPU-secret") if secret in repr(run)]


def test_records_beside_the_export_give_the_requests(tmp_path: Path) -> None:
    export = EXPORT | {"request_count": block("requests", 2.0), "error_request_count": block("requests", 1.0)}
    failed = record(2.0, 0.0, error={"code": 503, "type": "TimeoutError", "message": "node7"})
    run = read(tmp_path, export, record(0.0, 500.0), record(1.0, 700.0), failed)
    assert run.requests is not None
    assert run.requests.sample("request_e2el") == pytest.approx([0.5, 0.7])
    assert run.requests.answered.tolist() == [True, True, False]
    assert "profile_export.jsonl" in aiperf.beside


def test_the_tokens_of_reasoning_are_told_and_their_mean_and_the_servers_count_are_not(tmp_path: Path) -> None:
    more = {
        "reasoning_token_count": block("tokens", 20.0),
        "total_reasoning_tokens": block("tokens", 800.0),
        "total_usage_reasoning_tokens": block("tokens", 790.0),
    }
    run = read(tmp_path, EXPORT | more)
    told = [(one.key, one.unit, one.value) for one in run.reported if one.metric == "reasoning_tokens"]
    assert told == [("total_reasoning_tokens.avg", "tok", 800)]
    assert run.summary["total_usage_reasoning_tokens.avg"] == 790
    assert not [one for one in read(tmp_path, EXPORT).reported if one.metric == "reasoning_tokens"]


def test_records_of_some_requests_only_give_no_statistics(tmp_path: Path) -> None:
    run = read(tmp_path, EXPORT, record(0.0, 500.0), record(1.0, 700.0))
    assert run.requests is None
    assert run.summary["records_beside"] == 2


def test_an_export_without_a_count_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`request_count` is missing"):
        read(tmp_path, {"request_latency": block("ms", 1.0), "input_config": {}})


def test_exports_are_told_from_those_of_the_tool_before_it() -> None:
    assert aiperf.recognises(json.dumps(EXPORT).encode()) > 0
    older = {**EXPORT, "input_config": {"perf_analyzer": {"stimulus": {"concurrency": 1}}}}
    assert aiperf.recognises(json.dumps(older).encode()) == 0


@pytest.mark.fuzz
def test_damaged_exports_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    assert survives(aiperf, json.dumps(EXPORT).encode(), tmp_path, "damaged.json") > 20
