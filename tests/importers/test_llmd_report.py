from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.errors import InputError
from generator.importers.llmd_report import llmd_report
from generator.runs.imported import Run
from tests.support.mutated import survives

OLD: dict[str, Any] = {
    "version": "0.1",
    "scenario": {
        "host": {"type": ["replica"], "accelerator": [{"model": "H100", "count": 1}]},
        "platform": {"engine": [{"name": "vllm", "version": "0.9.0", "args": {"--address": "10.1.2.3"}}]},
        "model": {"name": "acme/Small-1B"},
        "load": {"name": "inference-perf", "args": {
            "base_url": "http://gw.acme.internal:80/x", "api_key": "sk-abcdefghijk"}},
    },
    "metrics": {
        "time": {"duration": 20.0, "start": 1767225600.5, "stop": 1767225620.5},
        "requests": {"total": 10, "failures": 1, "incomplete": 2,
                     "input_length": {"units": "count", "mean": 100.0},
                     "output_length": {"units": "count", "mean": 30.0}},
        "latency": {
            "time_to_first_token": {"units": "ms", "mean": 80.0, "p50": 75.0, "p90": 120.0},
            "request_latency": {"units": "ms", "mean": 660.0},
            "time_per_output_token": {"units": "ms/token", "mean": 20.0},
            "inter_token_latency": {"units": "s/token", "mean": 0.02, "p99": 0.05},
            "normalized_time_per_output_token": {"units": "ms/token", "mean": 22.0},
        },
        "throughput": {"output_tokens_per_sec": 10.5, "total_tokens_per_sec": 45.5, "requests_per_sec": 0.35},
    },
}  # fmt: skip
NEW: dict[str, Any] = {
    "version": "0.2.1",
    "run": {"uid": "u1", "user": "ann", "time": {"start": "2026-01-01T00:00:00Z", "duration": "PT1M30.5S"}},
    "scenario": {
        "stack": [
            {"metadata": {"label": "epp"}, "standardized": {"kind": "generic", "tool": "router", "tool_version": "1"}},
            {"metadata": {"label": "vllm-0"}, "standardized": {
                "kind": "inference_engine", "tool": "vllm", "tool_version": "0.11",
                "model": {"name": "acme/Small-1B"}}},
        ],
        "load": {"standardized": {"tool": "vllm-benchmark", "tool_version": "1", "rate_qps": 4.0, "concurrency": 8}},
    },
    "results": {"request_performance": {"aggregate": {
        "requests": {"total": 50, "failures": 2, "output_length": {"units": "count", "mean": 64.0}},
        "latency": {
            "time_to_first_token": {"units": "s", "mean": 0.08, "p50": 0.075, "p99": 0.2},
            "inter_token_latency": {"units": "ms/token", "mean": 9.0},
            "time_per_output_token": {"units": "s/token", "mean": 0.0095},
        },
        "throughput": {"output_token_rate": {"units": "tokens/s", "mean": 34.0},
                       "request_rate": {"units": "queries/s", "mean": 0.53}},
    }}},
}  # fmt: skip


def read(folder: Path, report: Any, *, as_json: bool = False) -> Run:
    path = folder / "report"
    path.write_text(json.dumps(report) if as_json else yaml.safe_dump(report), encoding="utf-8")
    [run] = llmd_report.read(path, lambda _: None)
    return run


def numbers(run: Run) -> dict[str, tuple[float, str]]:
    return {one.metric: (one.value, one.unit) for one in run.reported}


def test_both_versions_are_recognised_in_yaml_and_json() -> None:
    assert llmd_report.recognises(yaml.safe_dump(OLD).encode()) == 6
    assert llmd_report.recognises(json.dumps(OLD).encode()) == 6
    assert llmd_report.recognises(yaml.safe_dump(NEW).encode()) == 5
    assert llmd_report.recognises(json.dumps(NEW).encode()) == 5
    assert not llmd_report.recognises(b"version: 1\nscenario: {}\nmetrics: {}\n")


@pytest.mark.parametrize("as_json", [True, False])
def test_each_block_is_read_in_its_own_unit(tmp_path: Path, *, as_json: bool) -> None:
    run = read(tmp_path, OLD, as_json=as_json)

    assert (run.model, run.engine, run.started) == ("acme/Small-1B", "vllm", "2026-01-01T00:00:00")
    assert numbers(run) == {
        "duration": (20, "s"), "requests": (10, "1"), "completed": (7, "1"),  # 10 − 1 − 2
        "request_throughput": (0.35, "req/s"), "output_throughput": (10.5, "tok/s"),
        "total_token_throughput": (45.5, "tok/s"), "output_tokens_mean": (30, "tok"),
        "ttft_mean": (80, "ms"), "ttft_p50": (75, "ms"), "ttft_p90": (120, "ms"), "e2el_mean": (660, "ms"),
        "tpot_mean": (20, "ms"), "itl_mean": (0.02, "s"), "itl_p99": (0.05, "s"),
    }  # fmt: skip


def test_version_0_2_is_read_with_its_load(tmp_path: Path) -> None:
    run = read(tmp_path, NEW)

    assert (run.model, run.engine, run.rate, run.concurrency) == ("acme/Small-1B", "vllm", 4, 8)
    assert numbers(run) == {
        "duration": (90.5, "s"),  # 60 + 30.5
        "requests": (50, "1"), "completed": (48, "1"), "output_tokens_mean": (64, "tok"),
        "request_throughput": (0.53, "req/s"), "output_throughput": (34, "tok/s"),
        "ttft_mean": (0.08, "s"), "ttft_p50": (0.075, "s"), "ttft_p99": (0.2, "s"),
        "tpot_mean": (0.0095, "s"), "itl_mean": (9, "ms"),
    }  # fmt: skip


@pytest.mark.parametrize("tool", ["aiperf", "guidellm", "nop"])
def test_words_that_a_tool_uses_otherwise_are_not_ours(tmp_path: Path, tool: str) -> None:
    # what AIPerf and GuideLLM call inter-token latency is the mean of a request, which is TPOT here
    report = deepcopy(NEW)
    report["scenario"]["load"]["standardized"]["tool"] = tool

    assert not {"tpot_mean", "itl_mean"} & numbers(read(tmp_path, report)).keys()


def test_a_concurrency_without_end_is_no_cap(tmp_path: Path) -> None:
    report = deepcopy(NEW)
    report["scenario"]["load"]["standardized"]["concurrency"] = float("inf")

    assert read(tmp_path, report).concurrency is None


def test_neither_addresses_nor_keys_nor_names_get_through(tmp_path: Path) -> None:
    told = repr(read(tmp_path, OLD)) + repr(read(tmp_path, NEW))

    assert not [word for word in ("gw.acme", "sk-abc", "10.1.2.3", "ann'") if word in told]


@pytest.mark.parametrize("unit", ["tokens/s", "minutes", 5])
def test_a_unit_that_is_none_of_it_is_refused(tmp_path: Path, unit: Any) -> None:
    report = deepcopy(OLD)
    report["metrics"]["latency"]["time_to_first_token"]["units"] = unit

    with pytest.raises(InputError, match="is no unit of it"):
        read(tmp_path, report)


def test_a_report_without_requests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"request_performance\.aggregate\.requests` is missing"):
        read(tmp_path, NEW | {"results": {"session_performance": {}}})


def test_more_failures_than_requests_are_refused(tmp_path: Path) -> None:
    report = deepcopy(NEW)
    report["results"]["request_performance"]["aggregate"]["requests"]["failures"] = 60

    with pytest.raises(InputError, match="count more requests than"):
        read(tmp_path, report)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    for report in (OLD, NEW):
        assert survives(llmd_report, yaml.safe_dump(report).encode(), tmp_path, part=2) > 10
        assert survives(llmd_report, json.dumps(report).encode(), tmp_path, part=2) > 10
