"""Results of GenAI-Perf: an ITL that is the TPOT, a TTFT that is none without a stream, and a profile beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.aiperf import aiperf
from generator.importers.genai_perf import genai_perf
from generator.runs.imported import Run
from tests.importers.test_aiperf import block
from tests.importers.test_perf_analyzer import profile, request
from tests.support.mutated import survives

RESULT: dict[str, Any] = {
    "request_throughput": block("requests/sec", 2.0),
    "request_latency": block("ms", 1160.0, p50=1150.0),
    "time_to_first_token": block("ms", 120.0, p99=170.0),
    "inter_token_latency": block("ms", 20.0),
    "output_token_throughput": block("tokens/sec", 106.0),
    "output_token_throughput_per_user": block("tokens/sec/user", 50.0),
    "output_sequence_length": block("tokens", 53.0),
    "request_count": block("count", 2.0),
    "telemetry_stats": {"gpu_power_usage": {"unit": "W", "gpu0": {"avg": 22.5}}},
    "input_config": {
        "model_names": ["acme/Toy-8B"],
        "input": {"synthetic_tokens": {"mean": 550, "stddev": 0}},
        "endpoint": {"url": "node7:8001", "streaming": True},
        "perf_analyzer": {"path": "/home/ada/bin/perf_analyzer", "stimulus": {"concurrency": 4}},
    },
}
OLDER: dict[str, Any] = {
    "model": ["acme/Toy-8B"], "formatted_model_name": "acme_Toy-8B", "streaming": True, "u": "node7:8001",
    "concurrency": None, "request_rate": 2.5, "synthetic_input_tokens_mean": 200,
}  # fmt: skip
"""What ``input_config`` was in older versions: the arguments, flat."""


def read(tmp_path: Path, result: dict[str, Any], beside: dict[str, Any] | None = None) -> Run:
    path = tmp_path / "profile_export_genai_perf.json"
    path.write_text(json.dumps(result), encoding="utf-8")
    if beside is not None:
        (tmp_path / "profile_export.json").write_text(json.dumps(beside), encoding="utf-8")
    [run] = genai_perf.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_a_result_becomes_a_run(tmp_path: Path) -> None:
    run = read(tmp_path, RESULT)
    assert (run.tool, run.model, run.concurrency, run.rate) == ("GenAI-Perf", "acme/Toy-8B", 4.0, None)
    assert reported(run) == {
        "completed": 2, "request_throughput": 2, "output_throughput": 106, "e2el_mean": 1160, "e2el_p50": 1150,
        "ttft_mean": 120, "ttft_p99": 170, "tpot_mean": 20, "output_tokens_mean": 53, "asked_input_tokens": 550,
    }  # fmt: skip
    assert run.summary["output_token_throughput_per_user.avg"] == 50.0


def test_older_versions_give_their_arguments_flat(tmp_path: Path) -> None:
    run = read(tmp_path, RESULT | {"input_config": OLDER})
    assert (run.model, run.concurrency, run.rate) == ("acme/Toy-8B", None, 2.5)
    assert reported(run)["asked_input_tokens"] == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"input_config": OLDER | {"streaming": False}},
        {"time_to_first_token": block("ms", 1160.0)},  # as late as the last token
    ],
)
def test_without_a_stream_there_is_no_first_token(tmp_path: Path, changed: dict[str, Any]) -> None:
    run = read(tmp_path, RESULT | changed)
    assert not [metric for metric in reported(run) if metric.startswith(("ttft", "tpot"))]
    assert reported(run)["e2el_mean"] == 1160


def test_the_profile_beside_it_gives_the_requests(tmp_path: Path) -> None:
    run = read(tmp_path, RESULT, profile([request(0.0), request(1.0)]))
    assert run.requests is not None
    assert run.requests.sample("request_ttft") == pytest.approx([0.1, 0.1])
    assert run.started == "2026-03-01T10:00:00.000+00:00"


def test_a_profile_of_other_requests_is_left_alone(tmp_path: Path) -> None:
    run = read(tmp_path, RESULT, profile([request(0.0)]))
    assert (run.requests, run.summary["records_beside"]) == (None, 1)


def test_hosts_and_homes_stay_outside(tmp_path: Path) -> None:
    run = read(tmp_path, RESULT)
    assert "input_config.endpoint.url" in run.struck_out
    assert not [secret for secret in ("node7", "ada") if secret in repr(run)]


def test_another_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`request_throughput` is missing"):
        read(tmp_path, {"perf_analyzer": {}})


def test_results_are_told_from_those_of_the_tool_after_it() -> None:
    for config in (RESULT["input_config"], OLDER):
        head = json.dumps(RESULT | {"input_config": config}).encode()
        assert genai_perf.recognises(head) > 0
        assert aiperf.recognises(head) == 0


@pytest.mark.fuzz
def test_damaged_results_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    assert survives(genai_perf, json.dumps(RESULT).encode(), tmp_path, "damaged.json") > 20
