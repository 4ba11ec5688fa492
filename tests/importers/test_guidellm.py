"""Reports of GuideLLM: seconds and milliseconds, a TPOT that is none, sweeps, and samples of requests."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.errors import InputError
from generator.importers.guidellm import guidellm
from generator.runs.imported import Run
from tests.support.mutated import survives


def block(mean: float, median: float | None = None, count: int = 2, **more: float) -> dict[str, Any]:
    """Return the statistics of one quantity; p999 is 99.9 %, p001 is 0.1 %."""
    percentiles = {"p001": mean / 2, "p50": mean, "p90": mean, "p95": mean, "p99": mean, "p999": 2 * mean, **more}
    return {"mean": mean, "median": mean if median is None else median, "count": count, "percentiles": percentiles}


def of_nothing() -> dict[str, Any]:
    return block(0.0, count=0)


METRICS: dict[str, Any] = {
    "requests_per_second": {"successful": block(9.0)},
    "request_concurrency": {"successful": block(1.5)},
    "request_latency": {"successful": block(2.0, p99=2.4), "errored": of_nothing()},
    "time_to_first_token_ms": {"successful": block(480.0)},
    "time_per_output_token_ms": {"successful": block(76.0)},
    "inter_token_latency_ms": {"successful": block(80.0)},
    "prompt_token_count": {"successful": {**block(100.0), "total_sum": 200.0}},
    "output_token_count": {"successful": {**block(20.0), "total_sum": 40.0}},
    "output_tokens_per_second": {"successful": block(99.0)},
}
BENCHMARK: dict[str, Any] = {
    "type_": "generative_benchmark",
    "args": {"strategy": {"type_": "concurrent", "streams": 2}},
    "run_stats": {"start_time": 1000.0, "end_time": 1010.0, "requests_made": {"successful": 1, "total": 1}},
    "worker": {"backend_target": "http://node7.example.org", "backend_model": "acme/Toy-1B"},
    "metrics": METRICS,
    "start_time": 1000.0,
    "end_time": 1010.0,
    "request_totals": {"successful": 2, "errored": 0, "incomplete": 1, "total": 3},
    "duration": 10.0,
}
REQUESTS: dict[str, Any] = {
    "successful": [
        {
            "prompt": "a private question", "output": "a private answer", "prompt_tokens": 100, "output_tokens": 20,
            "start_time": 1000.0, "end_time": 1002.1, "first_token_time": 1000.5, "last_token_time": 1002.0,
        },
        {
            "prompt_tokens": 100, "output_tokens": 20,
            "start_time": 1003.0, "end_time": 1005.1, "first_token_time": 1003.5, "last_token_time": 1005.4,
        },
    ],
    "errored": [],
    "incomplete": [
        {"prompt_tokens": 100, "start_time": 1009.0, "end_time": 1010.0, "error": "TimeoutError: out of time at node7"}
    ],
}  # fmt: skip
LATER: dict[str, Any] = {
    "request_start_time": 1000.0,
    "request_latency": 2.1,
    "prompt_tokens": 100,
    "output_tokens": 20,
    "info": {
        "status": "completed",
        "timings": {"request_start": 1000.0, "first_token_iteration": 1000.5, "last_token_iteration": 1002.0},
    },
}
"""A request of version 0.4 and later."""


def report(*benchmarks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**more, "benchmarks": list(benchmarks)}


def with_requests(**changed: Any) -> dict[str, Any]:
    return BENCHMARK | {"requests": REQUESTS | changed}


def read(tmp_path: Path, document: dict[str, Any]) -> list[Run]:
    path = tmp_path / "benchmarks.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert guidellm.recognises(path.read_bytes()[: 2**16]) > 0
    return list(guidellm.read(path, lambda _: None))


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_a_benchmark_becomes_a_run(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(BENCHMARK))
    assert (run.tool, run.place, run.model, run.concurrency, run.rate) == ("GuideLLM", "", "acme/Toy-1B", 2.0, None)
    assert run.started == "1970-01-01T00:16:40.000+00:00"
    assert run.summary["ended"] == "1970-01-01T00:16:50.000+00:00"
    assert {metric: reported(run)[metric] for metric in ("completed", "requests", "duration")} == {
        "completed": 2, "requests": 3, "duration": 10,
    }  # fmt: skip
    assert (reported(run)["input_tokens_counted"], reported(run)["output_tokens_counted"]) == (200, 40)


def test_the_latency_is_in_seconds_and_the_rest_in_milliseconds(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(BENCHMARK))
    units = {one.metric: (one.value, one.unit) for one in run.reported}
    assert units["e2el_mean"] == (2.0, "s")
    assert units["ttft_mean"] == (480.0, "ms")


def test_its_inter_token_latency_is_the_tpot_and_its_tpot_is_none(tmp_path: Path) -> None:
    # (2000 − 480) ÷ (20 − 1) = 80 ms; its own "per output token" is 1520 ÷ 20 = 76 ms.
    [run] = read(tmp_path, report(BENCHMARK))
    assert reported(run)["tpot_mean"] == 80.0
    assert run.summary["metrics.time_per_output_token_ms.successful.mean"] == 76.0
    assert not [one for one in run.reported if "time_per_output_token" in one.key]
    assert not [metric for metric in reported(run) if metric.startswith("itl")]


def test_p99_is_not_p999_and_p001_is_a_thousandth(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(BENCHMARK))
    assert reported(run)["e2el_p99"] == 2.4
    assert "e2el_p001" not in reported(run)


def test_rates_over_time_are_no_throughput(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(BENCHMARK))
    assert not {"request_throughput", "output_throughput"} & reported(run).keys()
    assert run.summary["metrics.requests_per_second.successful.mean"] == 9.0


def test_statistics_of_nothing_are_nothing(tmp_path: Path) -> None:
    metrics = deepcopy(METRICS) | {"time_to_first_token_ms": {"successful": of_nothing()}}
    [run] = read(tmp_path, report(BENCHMARK | {"metrics": metrics}))
    assert not [metric for metric in reported(run) if metric.startswith("ttft")]
    assert not [
        name for name in run.summary if name.startswith(("metrics.time_to_first", "metrics.request_latency.err"))
    ]


@pytest.mark.parametrize(
    ("strategy", "limits"),
    [
        ({"type_": "synchronous"}, (1.0, None)),
        ({"type_": "concurrent", "streams": 8}, (8.0, None)),
        ({"type_": "concurrent", "max_concurrency": 8}, (8.0, None)),
        ({"type_": "throughput", "max_concurrency": None}, (None, None)),
        ({"type_": "constant", "rate": 2.5, "max_concurrency": None}, (None, 2.5)),
        ({"type_": "poisson", "rate": 2.5, "max_concurrency": 64}, (64.0, 2.5)),
    ],
)
def test_a_strategy_is_a_load(
    tmp_path: Path, strategy: dict[str, Any], limits: tuple[float | None, float | None]
) -> None:
    [old] = read(tmp_path, report(BENCHMARK | {"args": {"strategy": strategy}}))
    [new] = read(tmp_path, report(BENCHMARK | {"args": {}, "config": {"strategy": strategy}}))
    assert (old.concurrency, old.rate) == (new.concurrency, new.rate) == limits


def test_a_sweep_is_a_run_for_each_rate(tmp_path: Path) -> None:
    faster = BENCHMARK | {"args": {"strategy": {"type_": "constant", "rate": 5.0}}, "start_time": 2000.0}
    first, second = read(tmp_path, report(BENCHMARK, faster, metadata={"version": 1, "guidellm_version": "0.6.0"}))
    assert (first.place, second.place) == ("benchmarks.0", "benchmarks.1")
    assert (first.tool_version, second.tool_version) == ("0.6.0", "0.6.0")
    assert (second.concurrency, second.rate) == (None, 5.0)


def test_requests_give_the_statistics(tmp_path: Path) -> None:
    # TTFT 0.5 and 0.5 s; to the last token 2.0 and 2.4 s; TPOT 1.5 ÷ 19 and 1.9 ÷ 19 = 0.1 s.
    [run] = read(tmp_path, report(with_requests()))
    requests = run.requests
    assert requests is not None
    assert requests.answered.tolist() == [True, True, False]
    assert requests.start.tolist() == [0.0, 3.0, 9.0]
    assert requests.sample("request_ttft") == pytest.approx([0.5, 0.5])
    assert requests.sample("request_e2el") == pytest.approx([2.0, 2.4])
    assert requests.sample("request_tpot") == pytest.approx([1.5 / 19, 0.1])
    assert dict(requests.kinds_of_error) == {"TimeoutError": 1}


def test_of_chunks_nothing_is_claimed(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(with_requests()))
    assert run.requests is not None
    for sample in ("request_itl", "request_chunks", "surplus_chunks", "chunk_time", "tokens_in_window"):
        assert not len(run.requests.sample(sample)), sample


def test_requests_of_later_versions_have_their_times_elsewhere(tmp_path: Path) -> None:
    lists = {"successful": [LATER], "errored": [], "incomplete": []}
    totals = {"request_totals": {"successful": 1, "errored": 0, "incomplete": 0, "total": 1}}
    later = {key: value for key, value in BENCHMARK.items() if key != "request_totals"}
    benchmark = later | {"metrics": METRICS | totals, "scheduler_metrics": {"requests_made": {}}, "requests": lists}
    [run] = read(tmp_path, report(benchmark, metadata={"guidellm_version": "0.8.0"}))
    assert run.requests is not None
    assert run.requests.sample("request_tpot") == pytest.approx([1.5 / 19])


def test_a_sample_of_the_requests_gives_no_statistics(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(with_requests(successful=REQUESTS["successful"][:1])))
    assert run.requests is None
    assert run.summary["requests_in_a_sample"] == 2


def test_each_benchmark_of_a_sweep_has_its_own_requests(tmp_path: Path) -> None:
    first, second = read(tmp_path, report(with_requests(), BENCHMARK))
    assert first.requests is not None
    assert first.requests.source.place == "benchmarks.0"
    assert second.requests is None


def test_yaml_says_the_same_as_json(tmp_path: Path) -> None:
    path = tmp_path / "benchmarks.yaml"
    path.write_text(yaml.safe_dump(report(with_requests()), sort_keys=False), encoding="utf-8")
    assert guidellm.recognises(path.read_bytes()) > 0
    [of_yaml] = guidellm.read(path, lambda _: None)
    [of_json] = read(tmp_path, report(with_requests()))
    assert reported(of_yaml) == reported(of_json)
    assert of_yaml.requests is not None
    assert of_yaml.requests.sample("request_e2el") == pytest.approx([2.0, 2.4])


def test_hosts_and_texts_stay_outside(tmp_path: Path) -> None:
    [run] = read(tmp_path, report(with_requests()))
    assert "worker.backend_target" in run.struck_out
    assert not [secret for secret in ("node7", "private") if secret in repr(run)]


def test_a_benchmark_without_a_duration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`duration` is missing") as refused:
        read(tmp_path, report(BENCHMARK, BENCHMARK | {"duration": None}))
    assert refused.value.place == "benchmarks.1"


def test_a_report_without_a_benchmark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no benchmark in it"):
        read(tmp_path, report(metadata={"guidellm_version": "0.6.0"}))


def test_what_a_program_made_of_a_report_is_refused(tmp_path: Path) -> None:
    rolled_up = {"benchmark_id": "x", "itl_mean_ms": 10.4, "throughput_mean_rps": 9.8, "request_latency_mean_ms": 2.3}
    with pytest.raises(InputError, match="request_latency_mean_ms is in seconds"):
        read(tmp_path, rolled_up)


def test_others_that_speak_of_benchmarks_are_not_recognised() -> None:
    benchy = {"version": "0.4.0", "latency_mode": "api", "benchmarks": [{"concurrency": 1, "ttfr": {"mean": 1.0}}]}
    assert guidellm.recognises(json.dumps(benchy).encode()) == 0
    assert guidellm.recognises(b"benchmarks:\n- name: toy\n") == 0


@pytest.mark.fuzz
def test_damaged_reports_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    assert survives(guidellm, json.dumps(report(with_requests())).encode(), tmp_path, "damaged.json") > 20
    text = yaml.safe_dump(report(with_requests()), sort_keys=False).encode()
    assert survives(guidellm, text, tmp_path, "damaged.yaml", part=3) > 0
