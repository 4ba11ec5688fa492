"""The report on what the TTFT is made of."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from generator.frame import Analysis
from tests.support.anatomy_rounds import divided, listed, nothing, swept
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue

RUNS = Path(__file__).parents[2] / "runs"


def test_it_is_made_of_logs_of_a_sweep_and_of_a_table_alone() -> None:
    report = catalogue().report("ttft_anatomy")

    for analysis in (divided(), analysed(memory_round({"a": swept(0.01, 1e-4)})), listed()):
        assert report.lacks(analysis) is None


def test_a_round_without_a_ttft_says_how_one_is_recorded() -> None:
    why = catalogue().report("ttft_anatomy").lacks(nothing())

    assert why is not None
    assert "ttft_p50_ms" in why.en
    assert "ttft_p50_ms" in why.zh


@cache
def of_the_cpu() -> Analysis:
    """Return the published round whose log has our clock."""
    return catalogue().analyse(catalogue().read(RUNS / "cpu-llamacpp"))


@pytest.mark.parametrize("level", ["c1", "c2", "c4"])
def test_of_a_real_log_the_parts_are_plausible_and_add_up(level: str) -> None:
    frame = of_the_cpu().frame
    mean, queue, prefill, rest = (
        frame.of_level(key, "llamacpp-q4_k_m", level).value or 0.0
        for key in ("ttft_mean", "ttft_queue", "ttft_prefill", "ttft_front")
    )

    assert queue + prefill + rest == pytest.approx(mean, rel=1e-9)
    # HTTP and one sampling on one machine take no more than some milliseconds, and never less than none.
    assert 0 < rest < 0.005
    assert queue > 0
    # Alone there is no queue but HTTP and tokenizing; in company a request waits for the step under way.
    assert queue < 0.005 if level == "c1" else queue > 0.05


def test_where_one_request_is_in_flight_the_counter_of_llama_cpp_agrees_with_its_log() -> None:
    frame = of_the_cpu().frame
    log, counters = (frame.of_level("ttft_prefill", "llamacpp-q4_k_m", "c1", one).value for one in ("log", "metrics"))

    assert counters == pytest.approx(log, rel=0.02)
    assert frame.of_level("ttft_prefill", "llamacpp-q4_k_m", "c4", "metrics").value is None
