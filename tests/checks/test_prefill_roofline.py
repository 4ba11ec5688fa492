from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from generator.values import Address, Observation, Source
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "prefill_roofline"
DEVICE = {"peak_compute": 160e12, "matmul_params": 8e9}
"""160e12 ÷ (2 × 8e9) = 10 000 tokens a second."""


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def prompts(ttft: float) -> Round:
    level = {"concurrency": 1.0, "asked_input_tokens": 1000.0, "ttft_p50": ttft}
    return memory_round({"s": {"c1": level}}, of_round=DEVICE)


@pytest.mark.parametrize(
    ("ttft", "status"),
    [(0.101, "pass"), (0.099, "warn")],  # 9901 and 10 101 tokens a second
)
def test_faster_than_the_device_multiplies_is_a_warning(ttft: float, status: str) -> None:
    assert examine(prompts(ttft)).status == status


def test_both_rates_are_told() -> None:
    round_ = prompts(0.02)  # 50 000
    finding = examine(round_)

    assert ([doubt.metric for doubt in finding.doubts], finding.looks) == (["ttft_p50"], "better")
    text = said(finding, round_)
    assert "faster than the device: 50,000 tok/s, where its compute allows 10,000 tok/s" in text
    assert "50,000 tok/s，而算力上限是 10,000 tok/s" in text


def test_the_servers_own_time_is_held_against_it_as_well() -> None:
    # 97 000 tokens in 1.82 s: 53 297 a second, though the wait of the client is long enough
    level = {"concurrency": 1.0, "asked_input_tokens": 97_000.0, "ttft_p50": 12.0}
    round_ = memory_round({"s": {"c1": level}}, of_series={"s": {"server_prefill": 1.82}}, of_round=DEVICE)
    finding = examine(round_)

    assert [doubt.metric for doubt in finding.doubts] == ["server_prefill"]
    assert "By the server's log" in said(finding, round_)


@pytest.mark.parametrize(
    "round_",
    [
        pytest.param(published("round-2"), id="no peak is declared"),
        pytest.param(memory_round({"s": {"c1": {"concurrency": 1.0}}}, of_round=DEVICE), id="no input"),
    ],
)
def test_without_a_ceiling_or_a_rate_there_is_nothing_to_examine(round_: Round) -> None:
    assert examine(round_).is_empty


@pytest.mark.parametrize(
    ("ttft", "status"),
    [
        # 10 000 tokens a second by the sheet, and twice as many with 8 bits: 19 802 and 20 202
        (0.0505, "pass"),
        (0.0495, "warn"),
    ],
)
def test_a_peak_of_a_data_sheet_is_no_hard_limit(ttft: float, status: str) -> None:
    peak = Observation(Address("peak_compute", "round"), 160e12, "declared", Source("data sheet", "a device"))
    level = {"concurrency": 1.0, "asked_input_tokens": 1000.0, "ttft_p50": ttft}
    round_ = memory_round({"s": {"c1": level}}, of_round={"matmul_params": 8e9}, further=[peak])
    assert examine(round_).status == status


def test_what_a_cpu_was_seen_to_reach_in_fp32_is_no_ceiling() -> None:
    # It would be 10 000 tokens a second, and 1000 in 1 ms are a million
    level = {"concurrency": 1.0, "asked_input_tokens": 1000.0, "ttft_p50": 0.001}
    round_ = memory_round({"s": {"c1": level}}, of_round={"matmul_params": 8e9, "measured_compute": 160e12})
    assert examine(round_).is_empty
