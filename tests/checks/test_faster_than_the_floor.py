from __future__ import annotations

from dataclasses import replace

import pytest

from generator.model import Round
from generator.told.findings import Finding
from generator.values import Address, Observation, Source
from tests.support.example_rounds import OF_ROUND, published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, found_by, said

CHECK = "faster_than_the_floor"


def stepping(*steps: float) -> Round:
    """Return a round whose floor is 10 GB ÷ 1000 GB/s = 10 ms at every level; these are its steps in seconds."""
    levels = {
        f"c{row}": {"concurrency": row, "asked_input_tokens": 0, "asked_output_tokens": 0, "itl_p50": step}
        for row, step in enumerate(steps, 1)
    }
    return memory_round({"s": levels}, of_series={"s": {"weight_bytes_per_step": 1e10}}, of_round=OF_ROUND)


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("round_id", "shares"),
    [
        # Floors at C=1: (15.23 GB + 1152 × 57 344 B) ÷ 1008 GB/s = 15.17 ms of 15.92 ms; 4.71 of 5.88 ms.
        ("round-1", ["95.3%", "80.1%"]),
        # 14.207 GB ÷ 1008 GB/s = 14.09 ms of 15.83 ms; 4.71 of 5.84 ms.
        ("round-2", ["89.0%", "80.6%"]),
    ],
)
def test_published_steps_are_above_their_floors(round_id: str, shares: list[str]) -> None:
    for finding, share in zip(found_by(CHECK, published(round_id)), shares, strict=True):
        assert finding.status == "pass"
        assert f"it comes closest at C=1, where the floor is {share} of the step" in said(finding, published(round_id))


@pytest.mark.parametrize(("step", "status"), [(0.0101, "pass"), (0.01, "pass"), (0.0099, "fail")])
def test_step_may_meet_its_floor_but_not_pass_it(step: float, status: str) -> None:
    assert examine(stepping(step)).status == status


def test_impossible_steps_are_doubted_but_their_levels_stay() -> None:
    # 10 ms ÷ 8 ms = 125 %, 10 ÷ 5 = 200 %
    round_ = stepping(0.008, 0.005, 0.02)
    finding = examine(round_)

    assert (finding.levels, finding.spoils) == (("c1", "c2"), ())
    assert finding.looks == "better"
    assert {(doubt.metric, doubt.level) for doubt in finding.doubts} == {
        ("floor_ratio", "c1"),
        ("mbu", "c1"),
        ("floor_ratio", "c2"),
        ("mbu", "c2"),
    }
    assert analysed(round_).spoilt == {}
    text = said(finding, round_)
    assert "At C=1 and C=2 a step of s is shorter than the hardware allows: most of all at C=2, with 5.00 ms" in text
    assert "with a floor of 10.00 ms, floor ÷ step 200.0%." in text
    assert "最甚的是 C=2，5.00 ms，而下限是 10.00 ms，下限 ÷ 步长为 200.0%。" in text
    assert "flattered" in text


def test_single_impossible_step_is_told_at_once() -> None:
    text = said(examine(stepping(0.008)), stepping(0.008))

    assert (
        "At C=1 a step of s is shorter than the hardware allows: 8.00 ms with a floor of 10.00 ms, floor ÷ step 125.0%"
        in text
    )


@pytest.mark.parametrize(
    ("round_", "reason"),
    [
        (memory_round({"s": {"c1": {"concurrency": 1}}}), "there is no record of"),
        (memory_round({"s": {}}), "it has no level"),
    ],
    ids=["not recorded", "no level"],
)
def test_unknown_says_why(round_: Round, reason: str) -> None:
    finding = examine(round_)

    assert finding.status == "unknown"
    assert reason in said(finding, round_)


def test_the_remedy_names_what_is_missing_only() -> None:
    # Weights, lengths and steps are there, and so is the KV geometry; nobody declared the bandwidth.
    without = {key: number for key, number in OF_ROUND.items() if key != "memory_bandwidth"}
    level = {"concurrency": 1, "asked_input_tokens": 0, "asked_output_tokens": 0, "itl_p50": 0.02}
    round_ = memory_round({"s": {"c1": level}}, of_series={"s": {"weight_bytes_per_step": 1e10}}, of_round=without)
    remedy = examine(round_).remedy

    assert remedy is not None
    assert said(remedy, round_).splitlines() == [
        "补上内存带宽（[hardware] memory_bandwidth_gb_s）。",
        "Fill in the memory bandwidth ([hardware] memory_bandwidth_gb_s).",
    ]


def test_a_bandwidth_that_was_measured_only_warns() -> None:
    declared = stepping(0.005)
    where = Address("memory_bandwidth", "round")
    others = tuple(one for one in declared.observations if one.address != where)
    measured = Observation(where, 1e12, "measured", Source("calibration.json", "probe.bandwidth_gb_s.high"))
    assert examine(replace(declared, observations=(*others, measured))).status == "warn"
