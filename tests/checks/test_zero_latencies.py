from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.request_rows import Row, answer, requests_of
from tests.support.telling import analysed, chapter_of, found_by, said, text_of

CHECK = "zero_latencies"
PRODUCED = {"concurrency": 8.0, "completed": 16.0, "output_tokens_counted": 4220.0}
MERGED = answer(0.1, 0, 0, 0.03, tokens=4)
"""Three of four chunks came in one read: of the gaps 0, 0 and 30 ms the median is 0, the mean 10 ms."""
STREAMED = answer(0.1, 0.01, 0.01, 0.01, tokens=4)


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def level(**seen: float) -> Round:
    return memory_round({"s": {"c8": {**PRODUCED, **seen}}})


def runs(*trials: Row) -> Round:
    at = [None] if len(trials) == 1 else range(1, len(trials) + 1)
    taken = {("s", "c1", trial): requests_of(row) for trial, row in zip(at, trials, strict=True)}
    return memory_round({"s": {"c1": {"concurrency": 1}}}, runs=taken)


def test_latencies_above_nought_pass() -> None:
    finding = examine(level(ttft_mean=0.1, itl_p50=0.02))

    assert (finding.status, finding.is_empty) == ("pass", False)


@pytest.mark.parametrize(
    "metric", ["ttft_mean", "ttft_p50", "itl_mean", "itl_p50", "tpot_mean", "tpot_p50", "e2el_p50"]
)
def test_a_latency_of_nought_with_tokens_is_none(metric: str) -> None:
    round_ = level(**{metric: 0.0})
    value = analysed(round_).frame.of_level(metric, "s", "c8")

    assert examine(round_).status == "warn"
    assert value.value is None
    assert "is exactly 0, which is no measurement" in (value.reason.en if value.reason else "")


def test_the_quantity_is_doubted_with_all_its_statistics() -> None:
    round_ = level(ttft_mean=0.0, ttft_p99=0.3, itl_mean=0.0, e2el_p50=19.0)
    finding = examine(round_)

    assert {doubt.metric for doubt in finding.doubts} == {"ttft_p99"}
    assert {one.metric for one in finding.evidence} == {"ttft_mean", "itl_mean"}
    assert finding.looks == "better"
    text = said(finding, round_)
    assert "At C=8 TTFT and ITL of s are exactly zero though tokens came" in text
    assert "TTFT、ITL 正好是零" in text


@pytest.mark.parametrize(
    "round_",
    [
        pytest.param(runs(MERGED), id="our own requests"),
        pytest.param(level(itl_p50=0.0, itl_mean=0.01, itl_p99=0.2, ttft_p50=0.1), id="what another client reports"),
    ],
)
def test_a_median_of_nought_above_which_the_mean_is_means_chunks_merged_in_one_read(round_: Round) -> None:
    finding = examine(round_)

    assert [one.metric for one in finding.evidence] == ["itl_p50"]
    # What the gaps add up to holds, and with it their mean; the tail is where the time of the merged ones went.
    assert {"itl_p99"} <= {doubt.metric for doubt in finding.doubts} <= {"itl_p90", "itl_p95", "itl_p99"}
    text = said(finding, round_)
    assert "several came in one read" in text
    assert "几个 chunk 在一次读取里到齐" in text
    assert "Give the client and the server idle cores of their own" in text


def test_one_of_three_runs_that_was_starved_is_told_of_and_left_out() -> None:
    round_ = runs(STREAMED, MERGED, STREAMED)
    step = analysed(round_).frame.of_level("itl_p50", "s", "c1")

    assert step.value == pytest.approx(0.01)  # 10 ms in the two others
    assert step.n == 2
    assert [one.trial for one in examine(round_).evidence] == [2]


def test_no_key_number_and_no_floor_rest_on_a_step_of_nought() -> None:
    # At C=1 the step is 0, at C=8 it is 20 ms: the first card is of the first level whose step was measured.
    seen = {"c1": {**PRODUCED, "concurrency": 1.0, "itl_p50": 0.0, "itl_mean": 0.01}}
    analysis = analysed(memory_round({"s": {**seen, "c8": {**PRODUCED, "itl_p50": 0.02}}}))
    told = text_of(chapter_of("verdict", analysis), analysis)

    assert "Decode step at C=8" in told
    assert "C=1" not in told
    assert analysis.frame.of_level("slot_decode_rate", "s", "c1").value is None


def test_nought_of_answers_of_one_token_is_no_gap() -> None:
    assert examine(level(itl_mean=0.0, output_tokens_counted=16.0)).status == "pass"


def test_a_low_percentile_may_be_anything_where_the_median_is_not_nought() -> None:
    assert examine(level(ttft_p50=0.1, ttft_p90=0.0)).status == "pass"


def test_without_latencies_there_is_nothing_to_examine() -> None:
    assert examine(level()).is_empty
