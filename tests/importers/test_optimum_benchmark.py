from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.optimum_benchmark import optimum_benchmark
from tests.support.mutated import survives


def latency(mean: float, unit: str = "s") -> dict[str, Any]:
    return {
        "unit": unit, "values": [mean], "count": 1, "total": mean, "mean": mean, "p50": mean, "p90": mean,
        "p95": mean, "p99": mean, "stdev": 0, "stdev_": 0,
    }  # fmt: skip


def block(mean: float, throughput: float | None = None) -> dict[str, Any]:
    rate = None if throughput is None else {"unit": "tokens/s", "value": throughput}
    return {"memory": None, "latency": latency(mean), "throughput": rate, "energy": None, "efficiency": None}


REPORT: dict[str, Any] = {
    "load": block(15.5), "prefill": block(0.05, 10240.0), "decode": block(2.0, 396.0), "per_token": block(0.0202),
}  # fmt: skip
CONFIG: dict[str, Any] = {
    "name": "nightly", "backend": {"name": "pytorch", "version": "2.6", "model": "acme/Small-1B", "device": "cuda"},
    "scenario": {"name": "inference", "input_shapes": {"batch_size": 4, "sequence_length": 128},
                 "generate_kwargs": {"max_new_tokens": 100, "min_new_tokens": 100}},
    "environment": {"optimum_benchmark_version": "0.6.0", "gpu": ["NVIDIA H100"]},
}  # fmt: skip


def written(folder: Path, content: Any, name: str = "benchmark_report.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_it_is_recognised() -> None:
    assert optimum_benchmark.recognises(json.dumps(REPORT).encode()) == 4
    assert optimum_benchmark.recognises(json.dumps({"config": CONFIG, "report": REPORT}).encode()) == 6
    assert not optimum_benchmark.recognises(b'{"latency": 1, "throughput": 2}')


def test_steps_of_decode_are_the_only_latency_that_is_ours(tmp_path: Path) -> None:
    [run] = optimum_benchmark.read(written(tmp_path, {"config": CONFIG, "report": REPORT}), lambda _: None)

    assert (run.tool_version, run.engine, run.model, run.label) == ("0.6.0", "pytorch", "acme/Small-1B", "nightly")
    assert (run.test, run.concurrency, run.rate) == ("generate-b4", None, None)
    assert {one.metric: (one.value, one.unit) for one in run.reported} == {
        "itl_mean": (0.0202, "s"), "itl_p50": (0.0202, "s"), "itl_p90": (0.0202, "s"), "itl_p95": (0.0202, "s"),
        "itl_p99": (0.0202, "s"), "asked_input_tokens": (128, "tok"), "asked_output_tokens": (100, "tok"),
    }  # fmt: skip
    assert run.summary["report.prefill.latency.mean"] == 0.05


def test_report_and_configuration_may_be_two_files(tmp_path: Path) -> None:
    written(tmp_path, CONFIG, "benchmark_config.json")
    [apart] = optimum_benchmark.read(written(tmp_path, REPORT), lambda _: None)
    [whole] = optimum_benchmark.read(written(tmp_path, {"config": CONFIG, "report": REPORT}, "b.json"), lambda _: None)

    assert apart == whole


def test_a_report_alone_does_not_tell_its_model(tmp_path: Path) -> None:
    [run] = optimum_benchmark.read(written(tmp_path, REPORT), lambda _: None)

    assert (run.model, run.test) == (None, "generate")


@pytest.mark.parametrize(
    ("report", "why"),
    [
        ({"load": block(1.0), "forward": block(11.3)}, "times forward passes of whole batches"),
        ({"call": block(3.0)}, "times the generation of images"),
        ({"load": block(1.0)}, "`prefill.latency` and `per_token.latency` are missing"),
        (REPORT | {"per_token": block(1.0) | {"latency": latency(20.2, "ms")}}, "gives latencies in 'ms'"),
    ],
)
def test_what_generates_no_tokens_is_refused(tmp_path: Path, report: Any, why: str) -> None:
    with pytest.raises(InputError) as refused:
        optimum_benchmark.read(written(tmp_path, report), lambda _: None)

    assert why in str(refused.value)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    sample = json.dumps({"config": CONFIG, "report": REPORT}).encode()
    assert survives(optimum_benchmark, sample, tmp_path) > 20
