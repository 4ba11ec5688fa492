from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.errors import InputError
from generator.importers.inferencex import inferencex
from generator.importers.llmperf import llmperf
from generator.runs.imported import Run
from tests.support.mutated import survives

STATISTICS = ("quantiles_p50", "quantiles_p90", "quantiles_p95", "quantiles_p99", "mean", "min", "max", "stddev")


def block(name: str, value: Any) -> dict[str, Any]:
    return {f"results_{name}_{statistic}": value for statistic in STATISTICS}


# Two of three requests were answered: 100 tokens each in 4 s, the first after 2 s, in a test of 10 s.
SUMMARY: dict[str, Any] = {
    "version": "2023-08-31", "name": "toy_summary", "model": "toy-1b", "framework": "acme",
    "mean_input_tokens": 50, "mean_output_tokens": 100, "num_concurrent_requests": 2,
    **block("inter_token_latency_s", 0.04), **block("ttft_s", 2.0), **block("end_to_end_latency_s", 4.0),
    **block("request_output_throughput_token_per_s", 25.0), **block("number_input_tokens", "50"),
    **block("number_output_tokens", 100.0),
    "results_num_requests_started": 3, "results_error_rate": 1 / 3, "results_number_errors": 1,
    "results_error_code_frequency": "{429.0: 1}", "results_mean_output_throughput_token_per_s": 20.0,
    "results_num_completed_requests": 2, "results_num_completed_requests_per_min": 12.0,
    "api": "https://toy.acme.example/v1", "timestamp": 1703638453,
}  # fmt: skip
ANSWERED = {
    "error_code": None, "error_msg": "", "ttft_s": 2.0, "end_to_end_latency_s": 4.0, "inter_token_latency_s": 0.04,
    "number_input_tokens": 50, "number_output_tokens": 100,
}  # fmt: skip
REFUSED = {"error_code": 429, "error_msg": "slow down, ann@acme.example", "ttft_s": 0, "end_to_end_latency_s": 0}


def read(folder: Path, summary: Any = SUMMARY, responses: Any = None) -> Run:
    path = folder / "toy_summary.json"
    path.write_text(json.dumps(summary))
    if responses is not None:
        (folder / "toy_individual_responses.json").write_text(json.dumps(responses))
    [run] = llmperf.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_its_summaries_are_recognised_and_no_other() -> None:
    assert llmperf.recognises(json.dumps(SUMMARY).encode()) == 3
    assert not llmperf.recognises(json.dumps([ANSWERED]).encode())
    assert not inferencex.recognises(json.dumps(SUMMARY).encode())


def test_numbers_are_told_with_their_meaning(tmp_path: Path) -> None:
    run = read(tmp_path)

    assert (run.model, run.engine, run.concurrency, run.rate) == ("toy-1b", "acme", 2, None)
    told = reported(run)
    assert (told["requests"], told["completed"]) == (3, 2)
    assert (told["ttft_p50"], told["e2el_p99"], told["output_throughput"]) == (2.0, 4.0, 20.0)
    # 12 a minute are 0.2 a second: 2 ÷ 0.2 = 10 s; 2 × 50 tokens of prompts
    assert told["duration"] == pytest.approx(10)
    assert told["input_tokens_counted"] == 100


def test_its_inter_token_latency_holds_the_first_token(tmp_path: Path) -> None:
    # 4 s ÷ 100 tokens are its 40 ms; TPOT is (4 − 2) ÷ 99 = 20.2 ms
    run = read(tmp_path)

    assert not [metric for metric in reported(run) if metric.startswith(("itl", "tpot"))]
    assert run.summary["results_inter_token_latency_s_mean"] == 0.04


def test_the_responses_beside_a_summary_are_read(tmp_path: Path) -> None:
    run = read(tmp_path, responses=[ANSWERED, REFUSED, ANSWERED])

    assert run.requests is not None
    assert run.requests.answered.tolist() == [True, False, True]
    np.testing.assert_allclose(run.requests.ttft, [2, np.nan, 2])
    np.testing.assert_allclose(run.requests.e2el, [4, np.nan, 4])
    np.testing.assert_allclose(run.requests.output_tokens, [100, np.nan, 100])
    assert run.requests.kinds_of_error == {"Too Many Requests": 1}


def test_responses_of_another_run_are_not(tmp_path: Path) -> None:
    run = read(tmp_path, responses=[ANSWERED])
    assert (run.requests, run.summary["records_beside"]) == (None, 1)


def test_hosts_do_not_get_through(tmp_path: Path) -> None:
    told = str(read(tmp_path, responses=[ANSWERED, REFUSED, ANSWERED]))
    assert "acme.example" not in told
    assert "ann" not in told


def test_a_run_of_failures_has_no_latency(tmp_path: Path) -> None:
    failed = {
        name: float("nan") if "_latency_s_" in name or "ttft" in name else value for name, value in SUMMARY.items()
    }
    run = read(tmp_path, failed | {"results_num_completed_requests": 0, "results_num_completed_requests_per_min": 0.0})

    assert not [metric for metric in reported(run) if metric.startswith(("ttft", "e2el", "duration"))]
    assert reported(run)["completed"] == 0


def test_what_is_no_summary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no result of llmperf: `results_num_requests_started` and"):
        read(tmp_path, {"results_num_completed_requests": "N/A"})


@pytest.mark.fuzz
def test_damaged_files_end_in_runs_or_an_error(tmp_path: Path) -> None:
    assert survives(llmperf, json.dumps(SUMMARY, indent=1).encode(), tmp_path)
