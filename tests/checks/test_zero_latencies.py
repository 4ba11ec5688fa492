from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "zero_latencies"
PRODUCED = {"concurrency": 8.0, "completed": 16.0, "output_tokens_counted": 4220.0}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def level(**seen: float) -> Round:
    return memory_round({"s": {"c8": {**PRODUCED, **seen}}})


def test_latencies_above_nought_pass() -> None:
    finding = examine(level(ttft_mean=0.1, itl_p50=0.02))

    assert (finding.status, finding.is_empty) == ("pass", False)


@pytest.mark.parametrize(
    "metric", ["ttft_mean", "ttft_p50", "itl_mean", "itl_p50", "tpot_mean", "tpot_p50", "e2el_p50"]
)
def test_a_latency_of_nought_with_tokens_is_none(metric: str) -> None:
    assert examine(level(**{metric: 0.0})).status == "warn"


def test_the_quantity_is_doubted_with_all_its_statistics() -> None:
    round_ = level(ttft_mean=0.0, ttft_p99=0.3, itl_mean=0.0, e2el_p50=19.0)
    finding = examine(round_)

    assert {doubt.metric for doubt in finding.doubts} == {"ttft_mean", "ttft_p99", "itl_mean"}
    assert finding.looks == "better"
    text = said(finding, round_)
    assert "At C=8 TTFT and ITL of s are exactly zero though tokens came" in text
    assert "TTFT、ITL 正好是零" in text


def test_nought_of_answers_of_one_token_is_no_gap() -> None:
    assert examine(level(itl_mean=0.0, output_tokens_counted=16.0)).status == "pass"


def test_a_low_percentile_may_be_anything_where_the_median_is_not_nought() -> None:
    assert examine(level(ttft_p50=0.1, ttft_p90=0.0)).status == "pass"


def test_without_latencies_there_is_nothing_to_examine() -> None:
    assert examine(level()).is_empty
