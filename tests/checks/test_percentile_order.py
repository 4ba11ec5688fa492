from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.checks.percentile_order import BEYOND
from generator.model import Round
from generator.told.findings import Finding
from tests.support.analyses import small_round
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "percentile_order"


def one_series(*levels: Numbers) -> Round:
    return memory_round({"s": {f"c{row}": {"concurrency": row, **seen} for row, seen in enumerate(levels, 1)}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_p50_above_the_p99_fails_and_both_are_in_doubt() -> None:
    round_ = one_series({"itl_p50": 0.020, "itl_p99": 0.010})
    finding = examine(round_)

    assert (finding.status, finding.levels, finding.spoils) == ("fail", ("c1",), ())
    assert [address.metric for address in finding.doubts] == ["itl_p50", "itl_p99"]
    text = said(finding, round_)
    assert "at C=1 contradict each other: ITL p99 is 10.0 ms while ITL p50 is 20.0 ms" in text
    assert "ITL p99 是 10.0 ms，而 ITL p50 是 20.0 ms" in text


@pytest.mark.parametrize(
    ("seen", "status"),
    [
        ({"tpot_p90": 0.020, "tpot_p95": 0.010}, "fail"),
        ({"e2el_p50": 1.0, "e2el_p90": 1.0}, "pass"),
        ({"ttft_p50": 2.0, "e2el_p50": 1.0}, "fail"),  # the first token after the last one
        ({"ttft_p99": 2.0, "e2el_p99": 1.0}, "fail"),
        ({"ttft_p99": 2.0, "e2el_p50": 1.0}, "unknown"),  # of different requests: nothing to hold against each other
        ({"itl_mean": 0.0049, "itl_p50": 0.010}, "fail"),  # half the gaps are 10 ms or longer: the mean is 5 ms or more
        ({"itl_mean": 0.0051, "itl_p50": 0.010}, "pass"),
        ({"itl_mean": 0.009, "itl_p99": 1.0}, "fail"),  # a hundredth of the gaps is 1 s or longer: 10 ms or more
        ({"itl_mean": 0.5, "itl_p99": 0.1}, "pass"),  # few gaps, but very long ones
    ],
)
def test_statistics_must_be_possible(seen: Numbers, status: str) -> None:
    assert examine(one_series(seen)).status == status


def test_the_worst_contradiction_is_told() -> None:
    # 3 ÷ 1 at C=2, 2 ÷ 1 at C=1.
    round_ = one_series({"itl_p50": 0.002, "itl_p99": 0.001}, {"itl_p50": 0.003, "itl_p99": 0.001})

    assert "worst at C=2, where ITL p99 is 1.00 ms while ITL p50 is 3.00 ms" in said(examine(round_), round_)


@pytest.mark.parametrize(
    ("p50", "p99", "status"),
    [
        ("10", "9.6", "pass"),  # 10 may have been 9.5 to 10.5
        ("10", "9.4", "fail"),  # 9.4 was 9.45 at most
    ],
)
def test_rounding_is_forgiven(p50: str, p99: str, status: str) -> None:
    row = {"concurrency": "1", "itl_p50_ms": p50, "itl_p99_ms": p99}

    assert examine(small_round({"vllm-bf16": [row]})).status == status


@pytest.mark.parametrize("seen", [{}, {"itl_p50": 0.01}, {"itl_p50": 0.01, "ttft_p99": 1.0}])
def test_nothing_to_compare_is_unknown(seen: Numbers) -> None:
    assert examine(one_series(seen)).status == "unknown"


@pytest.mark.parametrize("round_id", ["round-1", "round-2"])
def test_published_rounds_are_in_order(round_id: str) -> None:
    assert {finding.status for finding in found_by(CHECK, published(round_id))} == {"pass"}


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_no_samples_contradict_the_rule_of_the_mean(samples: list[float]) -> None:
    for name, share in BEYOND.items():
        percentile = float(np.percentile(samples, float(name[1:])))
        assert np.mean(samples) >= share * percentile * (1 - 1e-9)
