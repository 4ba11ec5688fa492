from __future__ import annotations

import json
from dataclasses import replace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from generator.collect.host.gauges import slots
from generator.collect.reference.gauges import exposition
from generator.collect.reference.model import FAST, even
from generator.collect.reference.pacing import Lateness
from generator.collect.reference.scheduler import Engine, Sequence
from generator.collect.reference.settings import Style
from generator.collect.reference.slots import slots_of
from generator.telemetry.page import pool
from tests.collect.reference.simulating import simulate


def lines(style: Style) -> list[str]:
    """Return the page of an engine in its first step: one of 24 blocks runs, one waits for its arrival."""
    engine = Engine(FAST)
    engine.arrive(Sequence(0, 300, 84, 0))
    engine.arrive(Sequence(1, 1, 1, 5))
    engine.begin(0)
    return exposition(style, engine, Lateness(count=4, total=2_000_000, worst=1_500_000)).splitlines()


def test_vllm_names() -> None:
    page = lines("vllm")
    labels = '{engine="0",model_name="reference-fast"}'
    assert f"vllm:num_requests_running{labels} 1.0" in page
    assert f"vllm:num_requests_waiting{labels} 1.0" in page
    assert f"vllm:kv_cache_usage_perc{labels} 0.0234375" in page  # 24 ÷ 1024
    assert "# TYPE vllm:request_success_total counter" in page
    assert 'vllm:request_success_total{engine="0",model_name="reference-fast",finished_reason="abort"} 0.0' in page


def test_llamacpp_names() -> None:
    page = lines("llamacpp")
    assert "llamacpp:requests_processing 1" in page
    assert "llamacpp:requests_deferred 1" in page
    assert "llamacpp:predicted_tokens_seconds 0.0" in page


def test_both_tell_how_late_they_were() -> None:
    for style in ("vllm", "llamacpp"):
        page = lines(style)
        assert "reference:step_lateness_seconds_total 0.002" in page
        assert "reference:step_lateness_seconds_max 0.0015" in page


def test_each_name_is_described_once() -> None:
    described = [line for line in lines("vllm") if line.startswith("# TYPE")]
    assert len(described) == len(set(described))


def test_vllm_tells_how_long_the_parts_of_requests_took() -> None:
    engine = Engine(even(0.010, slots=1))
    # each step takes 10 ms: 0 has its tokens at 10, 20 and 30 ms, 1 waits until 30 and has its tokens at 40 and 50
    simulate(engine, [Sequence(0, 4, 3, 0), Sequence(1, 4, 2, 0)])
    page = exposition("vllm", engine, Lateness()).splitlines()
    sums = {name: value for name, value in _of("_sum", page).items() if "seconds" in name}
    assert sums == pytest.approx({
        "time_to_first_token_seconds": 0.010 + 0.040,
        "e2e_request_latency_seconds": 0.030 + 0.050,
        "request_queue_time_seconds": 0.030,
        "request_prefill_time_seconds": 0.020,
        "request_decode_time_seconds": 0.020 + 0.010,
    })  # fmt: skip
    assert set(_of("_count", page).values()) == {2.0}
    queue = [line.partition("le=")[2] for line in page if "queue_time_seconds_bucket" in line]
    assert queue[:3] == ['"0.01"} 1.0', '"0.05"} 2.0', '"0.1"} 2.0']
    assert "# TYPE vllm:request_queue_time_seconds histogram" in page


def _of(suffix: str, page: list[str]) -> dict[str, float]:
    lines = [line.removeprefix("vllm:") for line in page if line.startswith("vllm:") and f"{suffix}{{" in line]
    return {line.partition(suffix)[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_vllm_tells_of_its_pool() -> None:
    assert pool("\n".join(lines("vllm"))) == {"block_tokens": 16, "pool_blocks": 1024}


def test_the_page_is_one_that_prometheus_reads() -> None:
    families = {one.name: one for one in text_string_to_metric_families("\n".join(lines("vllm")) + "\n")}
    assert families["vllm:e2e_request_latency_seconds"].type == "histogram"
    assert families["vllm:num_preemptions"].samples[0].value == 0.0


def test_slots_tell_whose_they_are_and_how_far_that_is() -> None:
    engine = Engine(replace(FAST, slots=2))
    engine.arrive(Sequence(7, 300, 84, 0))
    step = engine.begin(0)
    assert step is not None
    engine.finish(step)
    busy, idle = slots_of(engine)
    counts = (busy["n_prompt_tokens"], busy["n_prompt_tokens_processed"], busy["n_prompt_tokens_cache"])
    assert (busy["id_task"], *counts) == (7, 301, 300, 0)
    assert (busy["next_token"], busy["n_ctx"]) == ([{"n_decoded": 1, "n_remain": 83}], 4096)
    assert idle == {"id": 1, "n_ctx": 4096, "speculative": False, "is_processing": False}
    # what the sampler makes of it: 300 tokens of prompt, and 1
    assert slots(json.dumps([busy, idle])) == {"slots": 2, "running": 1, "slot_context": 4096, "slot_tokens": 301}
