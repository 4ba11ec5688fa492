from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from generator.errors import InputError
from generator.importers.inference_perf import inference_perf
from generator.importers.vllm import vllm
from generator.runs.imported import Run
from tests.support.mutated import survives


def spread(value: float) -> dict[str, float]:
    return dict.fromkeys(("mean", "min", "median", "p90", "p95", "p99", "max"), value)


# Three of four requests in 2 s; an answer of 11 tokens takes 1.5 s, 0.5 s of it to the first.
STAGE: dict[str, Any] = {
    "benchmark_time_seconds": 2.0,
    "load_summary": {
        "count": 4, "schedule_delay": spread(0.25) | {"min": -0.1}, "send_duration": 1.0, "requested_rate": 3.0,
        "achieved_rate": 4.0,
    },
    "successes": {
        "count": 3,
        "latency": {
            "request_latency": spread(1.5), "normalized_time_per_output_token": spread(1.5 / 11),
            "time_per_output_token": spread(0.1), "time_to_first_token": spread(0.5),
            "inter_token_latency": spread(0.05),
        },
        "throughput": {
            "input_tokens_per_sec": 150.0, "output_tokens_per_sec": 16.5, "total_tokens_per_sec": 166.5,
            "requests_per_sec": 1.5,
        },
        "prompt_tokens": {"total": 300, "cached": 0, "mean": 100.0}, "output_len": spread(11),
        "output_tokens": {"total": 33},
    },
    "failures": {
        "count": 1, "request_latency": None, "by_label": {"500 - other": {"messages": ["at gpu7.acme.example"]}},
    },
}  # fmt: skip
SUMMARY = STAGE | {"load_summary": {"count": 4, "schedule_delay": spread(0.25)}}
OLD = {name: value for name, value in STAGE.items() if name != "benchmark_time_seconds"}
ENTRY: dict[str, Any] = {
    "start_time": 100.0, "end_time": 101.5, "request": "tell me a secret", "response": "no",
    # two tokens in the first chunk, one in each of the next two
    "info": {
        "request_metrics": {"text": {"input_tokens": 100}},
        "response_metrics": {"output_tokens": 4, "output_token_times": [100.5, 100.5, 101.0, 101.5],
                             "server_usage": {"completion_tokens": 5}},
    },
    "error": None,
}  # fmt: skip
REFUSED = ENTRY | {
    "start_time": 101.0,
    "error": {"error_type": "TimeoutError", "error_msg": "http://gpu7.acme.example"},
}


def read(folder: Path, document: Any, name: str = "stage_0_lifecycle_metrics.json") -> Run:
    path = folder / name
    path.write_text(json.dumps(document))
    [run] = inference_perf.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_its_reports_are_recognised_and_no_other() -> None:
    assert inference_perf.recognises(json.dumps(STAGE).encode()) == 3
    assert inference_perf.recognises(yaml.safe_dump(STAGE).encode()) == 3
    assert inference_perf.recognises(json.dumps([ENTRY]).encode()) == 3
    assert not vllm.recognises(json.dumps(STAGE).encode())
    assert not inference_perf.recognises(b'{"load_summary": {}}')


def test_a_stage_is_a_rate(tmp_path: Path) -> None:
    run = read(tmp_path, STAGE)

    assert (run.rate, run.concurrency, run.test) == (3.0, None, None)
    told = reported(run)
    assert (told["requests"], told["completed"], told["duration"]) == (4, 3, 2.0)
    assert (told["input_tokens_counted"], told["output_tokens_counted"], told["output_tokens_mean"]) == (300, 33, 11)
    assert (told["output_throughput"], told["total_token_throughput"]) == (33 / 2, 333 / 2)


def test_latencies_are_seconds(tmp_path: Path) -> None:
    run = read(tmp_path, STAGE)

    assert {one.unit for one in run.reported if one.metric.startswith(("ttft", "tpot", "e2el"))} == {"s"}
    assert (reported(run)["ttft_p50"], reported(run)["tpot_p99"], reported(run)["e2el_mean"]) == (0.5, 0.1, 1.5)


def test_gaps_of_packets_are_no_gaps_of_chunks(tmp_path: Path) -> None:
    run = read(tmp_path, STAGE)

    assert not [metric for metric in reported(run) if metric.startswith("itl")]
    assert run.summary["successes.latency.inter_token_latency.median"] == 0.05
    assert run.summary["successes.latency.normalized_time_per_output_token.mean"] == pytest.approx(0.13636, rel=1e-4)


def test_the_lag_of_the_client_is_told(tmp_path: Path) -> None:
    told = reported(read(tmp_path, STAGE))

    assert (told["client_schedule_lag_mean"], told["client_schedule_lag_p99"]) == (0.25, 0.25)


def test_what_was_sent_early_was_not_late(tmp_path: Path) -> None:
    early = STAGE | {"load_summary": STAGE["load_summary"] | {"schedule_delay": spread(-0.001)}}

    run = read(tmp_path, early)

    assert "client_schedule_lag_p99" not in reported(run)
    assert run.summary["load_summary.schedule_delay.p99"] == -0.001


def test_a_load_by_concurrency_has_no_rate(tmp_path: Path) -> None:
    run = read(tmp_path, STAGE | {"load_summary": STAGE["load_summary"] | {"concurrency": 8}})

    assert (run.rate, run.concurrency) == (None, 8)


def test_the_sum_of_all_stages_has_no_load_of_its_own(tmp_path: Path) -> None:
    run = read(tmp_path, SUMMARY, "summary_lifecycle_metrics.json")

    assert (run.rate, run.concurrency, run.test) == (None, None, "all-stages")


def test_what_was_not_streamed_has_no_ttft(tmp_path: Path) -> None:
    latency = STAGE["successes"]["latency"] | dict.fromkeys(
        ("time_to_first_token", "time_per_output_token", "inter_token_latency")
    )
    run = read(tmp_path, STAGE | {"successes": STAGE["successes"] | {"latency": latency}})

    assert {metric.partition("_")[0] for metric in reported(run)} & {"ttft", "tpot", "itl", "e2el"} == {"e2el"}
    assert reported(run)["e2el_mean"] == 1.5


def test_an_older_report_tells_span_and_prompts_in_other_terms(tmp_path: Path) -> None:
    successes = {
        name: value for name, value in STAGE["successes"].items() if name not in ("prompt_tokens", "output_tokens")
    }
    told = reported(read(tmp_path, OLD | {"successes": successes | {"prompt_len": spread(100)}}))

    # 3 answers at 1.5 a second are 2 s; 3 × 100 tokens
    assert (told["duration"], told["input_tokens_counted"]) == (2.0, 300)


def test_the_tpot_of_an_older_report_is_of_events_not_tokens(tmp_path: Path) -> None:
    run = read(tmp_path, OLD)

    assert not [metric for metric in reported(run) if metric.startswith("tpot")]
    assert run.summary["successes.latency.time_per_output_token.mean"] == 0.1


def test_yaml_is_read_like_json(tmp_path: Path) -> None:
    path = tmp_path / "report.yaml"
    path.write_text(yaml.safe_dump(STAGE))

    [run] = inference_perf.read(path, lambda _: None)

    assert reported(run) == reported(read(tmp_path, STAGE))


def test_single_requests_are_read(tmp_path: Path) -> None:
    run = read(tmp_path, [ENTRY, REFUSED], "per_request_lifecycle_metrics.json")

    assert run.requests is not None
    np.testing.assert_allclose(run.requests.start, [0.0, 1.0])
    np.testing.assert_allclose(run.requests.ttft, [0.5, np.nan])
    np.testing.assert_allclose(run.requests.e2el, [1.5, np.nan])
    np.testing.assert_allclose(run.requests.output_tokens, [5, np.nan])
    # gaps between chunks: 0.5 s and 0.5 s, none within the first
    assert run.requests.gaps.tolist()[:2] == [500_000, 500_000]
    assert run.requests.kinds_of_error == {"TimeoutError": 1}
    assert "secret" not in str(run)


def test_a_request_in_one_piece_has_no_first_token(tmp_path: Path) -> None:
    whole = ENTRY | {
        "info": {"request_metrics": {"text": {"input_tokens": 3}}, "response_metrics": {"output_tokens": 4}}
    }

    run = read(tmp_path, [whole], "per_request_lifecycle_metrics.json")

    assert run.requests is not None
    assert np.isnan(run.requests.ttft).all()
    np.testing.assert_allclose(run.requests.e2el, [1.5])


def test_a_summary_takes_the_requests_beside_it(tmp_path: Path) -> None:
    (tmp_path / "per_request_lifecycle_metrics.json").write_text(json.dumps([ENTRY, ENTRY, ENTRY, REFUSED]))
    (tmp_path / "config.yaml").write_text("server: {type: vllm, model_name: acme/Toy-1B, api_key: sk-abcdefghijkl}\n")

    run = read(tmp_path, SUMMARY, "summary_lifecycle_metrics.json")

    assert run.requests is not None
    assert run.requests.answered.tolist() == [True, True, True, False]
    assert (run.model, run.engine) == ("acme/Toy-1B", "vllm")
    assert "sk-abc" not in str(run)


def test_requests_that_are_not_as_many_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "per_request_lifecycle_metrics.json").write_text(json.dumps([ENTRY, ENTRY, REFUSED]))

    run = read(tmp_path, SUMMARY, "summary_lifecycle_metrics.json")

    assert (run.requests, run.summary["records_beside"]) == (None, 3)


def test_a_stage_does_not_take_the_requests_of_all(tmp_path: Path) -> None:
    (tmp_path / "per_request_lifecycle_metrics.json").write_text(json.dumps([ENTRY, ENTRY, ENTRY, REFUSED]))

    assert read(tmp_path, STAGE).requests is None


def test_the_metrics_of_the_server_are_refused(tmp_path: Path) -> None:
    of_server = {"load_summary": {}, "successes": {"count": 9, "rate": 3.0}, "failures": {}}

    with pytest.raises(InputError, match="is what the metrics of the server say"):
        read(tmp_path, of_server)


@pytest.mark.parametrize("broken", [{"successes": {}}, {"successes": []}, {"successes": {"count": "N/A"}}])
def test_what_is_no_report_is_refused(broken: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no result of inference-perf"):
        read(tmp_path, STAGE | broken)


def test_hosts_do_not_get_through(tmp_path: Path) -> None:
    assert "gpu7" not in str(read(tmp_path, STAGE))


@pytest.mark.fuzz
def test_damaged_files_end_in_runs_or_an_error(tmp_path: Path) -> None:
    assert survives(inference_perf, json.dumps(STAGE, indent=1).encode(), tmp_path)
    assert survives(inference_perf, json.dumps([ENTRY, REFUSED], indent=1).encode(), tmp_path)
    assert survives(inference_perf, yaml.safe_dump(STAGE).encode(), tmp_path)
