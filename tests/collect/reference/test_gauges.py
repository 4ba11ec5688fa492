from __future__ import annotations

from generator.collect.reference.gauges import exposition
from generator.collect.reference.model import FAST
from generator.collect.reference.pacing import Lateness
from generator.collect.reference.scheduler import Engine, Sequence
from generator.collect.reference.settings import Style


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
