"""Rounds in virtual time: what is simulated can be worked out by hand, and is written as ``rounds collect`` does."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect import campaign
from generator.collect.calibrate import Calibration
from generator.collect.campaign import Campaign
from generator.collect.progress import Progress
from generator.collect.reference.model import FAST, NANO, even
from generator.collect.reference.settings import Style
from generator.telemetry.page import pool
from tests.support.simulated import SERIES, Load, Simulated, collected, noisy
from tests.support.telling import catalogue, text_of
from tests.support.virtual_server import Way

TEN = replace(even(0.010, slots=2), kv_blocks=4096)
ONE = Load(1, requests=3, input_tokens=8, output_tokens=4)
TWO = Load(2, requests=6, input_tokens=8, output_tokens=4)
WAY = Way(front_s=0.003, back_s=0.001)


def simulated(*loads: Load, style: Style = "vllm") -> Simulated:
    return Simulated(loads, TEN, way=WAY, style=style)


@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
def test_one_request_at_a_time(style: Style, tmp_path: Path) -> None:
    found = collected(simulated(ONE, style=style), tmp_path / "r")
    # 3 ms to the queue, a step of 10 ms for each token, 1 ms back: tokens after 14, 24, 34 and 44 ms
    assert found.of_level("ttft_p50", ONE) == pytest.approx(0.014)
    assert found.of_level("itl_p50", ONE) == pytest.approx(0.010)
    assert found.of_level("e2el_p50", ONE) == pytest.approx(0.044)
    assert found.of_level("output_throughput", ONE) == pytest.approx(4 / 0.044)
    assert [len(one.chunks) for one in found.truth[ONE.id]] == [4, 4, 4]


def test_requests_come_when_they_are_due_under_a_rate(tmp_path: Path) -> None:
    load = Load(rate=10.0, requests=5, input_tokens=8, output_tokens=4)
    found = collected(replace(simulated(load), workload='arrival = "constant"'), tmp_path / "r")
    sent = [one.scheduled for one in found.truth[load.id]]
    assert [(later - sent[0]) / NANO for later in sent] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert found.of_level("ttft_p50", load) == pytest.approx(0.014)


def test_what_is_left_is_what_collecting_leaves(tmp_path: Path) -> None:
    collected(replace(simulated(ONE), pages=True), tmp_path / "r")
    home = tmp_path / "r" / SERIES
    assert {path.name for path in (home / "sessions" / "1").iterdir()} == {
        "cold_start.json", "fingerprint.json", "samples.parquet", "server.log.zst",
    }  # fmt: skip
    trial = home / "levels" / ONE.id / "1"
    assert {path.name for path in trial.iterdir()} == {
        "level.json", "requests.parquet", "chunks.parquet", "server.log.zst", "warm-up",
        "metrics-before.prom", "metrics-after.prom",
    }  # fmt: skip
    assert pool((trial / "metrics-after.prom").read_text("utf-8")) == {"block_tokens": 16, "pool_blocks": 4096}
    summary = json.loads((trial / "level.json").read_text("utf-8"))["summary"]
    # 3 requests are measured, after 1 that is not
    assert (summary["server_queue_count"], summary["server_generation_tokens"]) == (3, 16)


def test_nothing_fails_of_a_round_without_faults(tmp_path: Path) -> None:
    found = collected(noisy(simulated(ONE, TWO), 1), tmp_path / "r")
    assert [finding for finding in found.analysis.findings if finding.status == "fail"] == []


@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
def test_every_section_can_tell_of_a_ladder_and_a_sweep(style: Style, tmp_path: Path) -> None:
    ladder = tuple(Load(load, requests=12 + load) for load in (1, 2, 4, 8, 16))
    sweep = tuple(Load(1, requests=6, input_tokens=tokens, output_tokens=2) for tokens in (32, 256, 512, 1024))
    machine = replace(FAST, reserve="grow")
    found = collected(noisy(Simulated((*ladder, *sweep), machine, style=style, sample_every_s=0.1), 1), tmp_path / "r")
    chapters = {key: section.tell(found.analysis) for key, section in catalogue().sections.items()}
    told = {key: text_of(chapter, found.analysis) for key, chapter in chapters.items() if chapter is not None}
    assert all(told.values())
    assert {"curve", "ttft_verdict", "kv_linearity"} <= told.keys()


def test_the_start_is_told_by_its_stages(tmp_path: Path) -> None:
    start = replace(simulated(ONE), stages={"import": 0.4, "weights": 1.0, "kv": 0.2, "warm_up": 0.3})
    vllm = collected(start, tmp_path / "vllm")
    llamacpp = collected(replace(start, style="llamacpp"), tmp_path / "llamacpp")
    # vLLM listens at the end, 1.9 s after its spawn; llama.cpp after the first stage
    assert vllm.of_series("cold_start_t1") == pytest.approx(1.9)
    assert llamacpp.of_series("cold_start_t1") == pytest.approx(0.4)
    # the first token comes 14 ms after all stages: 1.9 + 0.014 − 0.4
    assert llamacpp.of_series("cold_start_t2") == pytest.approx(1.514)


def test_a_pool_that_is_too_small_preempts_and_says_so(tmp_path: Path) -> None:
    small = replace(FAST, kv_blocks=10, block_tokens=4, slots=4, reserve="grow", context=40)
    load = Load(4, requests=12, input_tokens=8, output_tokens=16)
    found = collected(Simulated((load,), small, stats_s=0.01), tmp_path / "r")
    told = found.of_level("server_preemptions", load)
    assert told == found.engine.totals.preemptions > 0
    assert found.of_level("log_preemptions", load) == told


def test_the_same_seed_gives_the_same_times(tmp_path: Path) -> None:
    def times(seed: int, folder: str) -> list[list[int]]:
        found = collected(noisy(simulated(ONE, TWO), seed), tmp_path / folder)
        return [one.chunks for one in found.truth[TWO.id]]

    assert times(1, "a") == times(1, "b")
    assert times(1, "c") != times(2, "d")


def test_two_hundred_requests_take_no_time(tmp_path: Path) -> None:
    catalogue()
    load = Load(8, requests=200, input_tokens=128, output_tokens=32)
    began = time.process_time()
    collected(Simulated((load,)), tmp_path / "r")
    assert time.process_time() - began < 3.0  # it takes a third of a second where nobody else wants the machine


@pytest.mark.slow
def test_a_real_round_of_the_reference_server_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def calibrated(_: int, __: object) -> Calibration:
        return Calibration(1, 20.0, 64, 0, {"p50": 5.0, "p99": 9.0, "max": 20.0}, 20.0, 20.0, 0.1, "kernel", 16, 0)

    monkeypatch.setattr(campaign, "calibrate", calibrated)
    plan = Simulated((TWO,), even(0.040, slots=2))
    virtual = collected(plan, tmp_path / "virtual")
    folder = tmp_path / "other" / "real"
    folder.mkdir(parents=True)
    flags = '"{port}", "--step-ms", "40", "--slots", "2", "--style"'
    (folder / "round.toml").write_text(plan.toml().replace('"{port}", "--style"', flags), encoding="utf-8")
    done = asyncio.run(Campaign(folder, catalogue().engines, Progress(quiet=True)).collect())
    assert done.failed == []
    real = catalogue().analyse(catalogue().read(folder))
    for metric in ("itl_p50", "output_throughput", "ttft_prefill"):
        value = real.frame.of_level(metric, SERIES, TWO.id).value
        assert value == pytest.approx(virtual.of_level(metric, TWO), rel=0.1), metric
