from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import repeated_round, watched_round

CHECK = "power_state"
PINNED = {
    "gpu_power_mean": 238.0, "gpu_power_while_capped": 240.0, "gpu_power_limit": 400.0, "gpu_power_capped_share": 0.9,
}  # fmt: skip


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_a_draw_pinned_below_the_limit_is_told_with_both_numbers() -> None:
    round_ = watched_round({"c1": PINNED})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c1",), "worse")
    assert "s at C=1: the power cap was active at 90.0% of the samples" in said(finding, round_)
    assert "stayed at 240 W where the limit is 400 W" in said(finding, round_)


@pytest.mark.parametrize(
    "other",
    [
        {"gpu_power_while_capped": 385.0},  # 96 % of the limit: it draws what it may
        {"gpu_power_capped_share": 0.4},
    ],
)
def test_a_card_at_its_limit_or_seldom_capped_passes(other: dict[str, float]) -> None:
    assert examine(watched_round({"c1": {**PINNED, **other}})).status == "pass"


def test_samples_of_the_whole_series_are_examined_too() -> None:
    numbers = {f"{name}_of_series": value for name, value in PINNED.items()}
    round_ = watched_round({"c1": {}}, of_series={"s": numbers})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ())
    assert "s, over the whole series: the power cap" in said(finding, round_)


def test_two_runs_with_one_clock_and_unlike_power_are_of_two_states() -> None:
    # 60 ÷ 40 − 1 = 50 %, at clocks 1 % apart
    round_ = repeated_round(
        {"gpu_power_mean": 40.0, "gpu_clock_sm_mean": 2.00e9}, {"gpu_power_mean": 60.0, "gpu_clock_sm_mean": 2.02e9}
    )

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1",))
    assert [address.trial for address in finding.evidence] == [1, 2]
    assert "drew 40.0 W and 60.0 W in the mean" in said(finding, round_)


@pytest.mark.parametrize(
    ("power", "clock"),
    [
        (45.0, 2.00e9),  # 12.5 % apart
        (60.0, 2.20e9),  # another clock explains another power
    ],
)
def test_runs_that_are_alike_or_differ_in_clock_pass(power: float, clock: float) -> None:
    round_ = repeated_round(
        {"gpu_power_mean": 40.0, "gpu_clock_sm_mean": 2.00e9}, {"gpu_power_mean": power, "gpu_clock_sm_mean": clock}
    )

    assert examine(round_).status == "pass"


def test_without_samples_there_is_nothing_to_examine() -> None:
    finding = examine(memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert (finding.status, finding.is_empty) == ("pass", True)
