"""The same request against a newer engine, but on a newer driver too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from generator.comparing.records import Comparison, Difference
from generator.comparing.rounds import compare
from tests.cases.arriving import Told, imported, read, vllm
from tests.support.telling import catalogue

CARD: Final = {
    "name": "NVIDIA L40S", "vbios": "95.02.66.00.02", "power_limit_w": 350, "ecc": True, "mig": False,
    "pcie_generation": 4, "pcie_width": 16,
}  # fmt: skip
METRICS: Final = {one.key: one for one in reversed(catalogue().graph.of_scope("level")) if one.basis is None}


def measured(folder: Path, step_ms: float, driver: str, version: str) -> Told:
    """Import one request of eleven tokens: the first after 100 ms, ten steps behind it."""
    took = 100 + 10 * step_ms
    result = vllm(
        num_prompts=1, completed=1, max_concurrency=1, duration=took / 1000, total_input_tokens=100,
        total_output_tokens=11, output_throughput=11 / took * 1000, mean_ttft_ms=100.0, median_ttft_ms=100.0,
        mean_tpot_ms=step_ms, median_tpot_ms=step_ms, mean_e2el_ms=took, median_e2el_ms=took,
    )  # fmt: skip
    into, outcome = imported(folder, {"result.json": result}, series="vllm")
    what = {"gpu": {"driver": driver, "gpus": [CARD]}, "engine": {"name": "vLLM", "version": version}}
    (into / "vllm" / "fingerprint.json").write_text(json.dumps(what), encoding="utf-8")
    return read(into, outcome)


@pytest.fixture
def compared(tmp_path: Path) -> Comparison:
    base = measured(tmp_path / "a", 20.0, "570.86.15", "0.25.1")
    head = measured(tmp_path / "b", 18.0, "580.95.05", "0.26.0")
    return compare(base.analysis, head.analysis, METRICS)


def row(compared: Comparison, metric: str) -> Difference:
    return next(one for one in compared.differences if one.address.metric == metric)


def test_what_changed_is_told(compared: Comparison) -> None:
    # 18 ÷ 20, 280 ÷ 300, and 11 ÷ 0.28 against 11 ÷ 0.3: 300 ÷ 280
    changes = [row(compared, key).change for key in ("tpot_mean", "e2el_p50", "output_throughput")]
    assert changes == pytest.approx([-0.1, 280 / 300 - 1, 300 / 280 - 1])


def test_driver_and_engine_are_two_things(compared: Comparison) -> None:
    found = row(compared, "output_throughput")

    assert {one.path for one in found.changed} == {"gpu.driver", "engine.version"}
    assert (found.verdict, compared.gate) == ("confounded", "confounded")


def test_one_run_each_gives_no_noise(compared: Comparison) -> None:
    found = row(compared, "output_throughput")

    assert (found.base.trials, found.head.trials) == (1, 1)
    assert (found.p, found.method) == (None, "noise")  # the default bound, for there is nothing to estimate it from
