from __future__ import annotations

from dataclasses import replace

import pytest

from generator.declared.round_tables import WorkloadTable
from generator.kinds import AS_PUBLISHED
from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "tpot_bound"
TIME = {"asked_output_tokens": 101, "completed": 20, "duration": 20}
"""With C=1 the wall clock allows 1 × 20 s ÷ (20 × 100 gaps) = 10 ms."""


def one_series(*levels: Numbers, ignore_eos: bool | None = None) -> Round:
    """Return a round of levels at C=1, 2, …, the later ones with as much more time, so that each allows 10 ms."""
    round_ = memory_round({
        "s": {
            f"c{row}": {"concurrency": row, **TIME, "completed": 20 * row, **seen} for row, seen in enumerate(levels, 1)
        }
    })  # fmt: skip
    file = round_.file.model_copy(update={"workload": WorkloadTable(ignore_eos=ignore_eos)})
    return replace(round_, file=file)


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_second_round_prints_stalls_that_no_clock_allows() -> None:
    # llama.cpp, ITL p50 × (1 + printed share) against C × duration ÷ (completed × 255):
    #   C=16 23.35 × 1.468 = 34.28 ms against 16 × 92.51 ÷ 51 000 = 29.02 ms
    #   C=32 61.36 × 1.895 = 116.28 against 32 × 179.73 ÷ 81 345 = 70.70
    #   C=64 35.32 × 2.054 = 72.55 against 64 × 121.61 ÷ 130 560 = 59.61
    #   C=8 10.30 × 1.787 = 18.41 against 8 × 73.58 ÷ 30 600 = 19.24: fits
    broken, fits = found_by(CHECK, published("round-2"))

    assert (broken.status, broken.series, broken.levels) == ("warn", "llamacpp-q4_k_m", ("c16", "c32", "c64"))
    assert broken.looks == "worse"
    assert [(doubt.metric, doubt.basis, doubt.level) for doubt in broken.doubts] == [
        ("stall_share", AS_PUBLISHED, "c16"),
        ("stall_share", AS_PUBLISHED, "c32"),
        ("stall_share", AS_PUBLISHED, "c64"),
    ]
    text = said(broken, published("round-2"))
    assert (
        "require a mean TPOT of 34.28 ms, 116.3 ms and 72.55 ms, where the wall clock allows 29.02 ms, 70.70 ms and "
        "59.61 ms at most" in text
    )
    assert "34.28 ms、116.3 ms、72.55 ms，超过总耗时允许的上限 29.02 ms、70.70 ms、59.61 ms" in text
    # vLLM comes closest at C=1: 15.83 against 165.54 ÷ 10 200 = 16.23.
    assert (fits.status, fits.series, len(fits.levels)) == ("pass", "vllm-bf16", 7)


@pytest.mark.parametrize(("mean", "status"), [(0.009, "pass"), (0.0104, "pass"), (0.0106, "warn")])
def test_five_percent_are_forgiven(mean: float, status: str) -> None:
    assert examine(one_series({"tpot_mean": mean})).status == status  # the bound is 10 ms


def test_mean_on_record_is_doubted_with_the_stalls_that_rest_on_it() -> None:
    round_ = one_series({"tpot_mean": 0.02, "itl_p50": 0.01})
    finding = examine(round_)

    assert {(doubt.metric, doubt.basis) for doubt in finding.doubts} == {
        ("tpot_mean", None),
        ("stall_share", AS_PUBLISHED),
        ("stall_share", None),
        ("stall_overhead", None),
        ("itl_mean_over_p50", None),
    }
    text = said(finding, round_)
    assert "At C=1 the mean TPOT of s is 20.0 ms, where the wall clock allows 10.00 ms at most" in text
    assert "makes it look worse" in text


def test_stalls_from_the_mean_gap_are_not_doubted() -> None:
    finding = examine(one_series({"tpot_mean": 0.02, "itl_p50": 0.01, "itl_mean": 0.01}))

    assert {(doubt.metric, doubt.basis) for doubt in finding.doubts} == {
        ("tpot_mean", None),
        ("stall_share", AS_PUBLISHED),
    }


def test_mean_and_printed_share_are_told_apart() -> None:
    # The second level prints a share: 0.01 × (1 + 1) = 0.02 s.
    share = {"itl_p50": 0.01, "stall_share__as_published": 1.0}
    recorded, implied = found_by(CHECK, one_series({"tpot_mean": 0.02}, share))

    assert (recorded.levels, implied.levels) == (("c1",), ("c2",))


def test_requests_that_ended_early_have_no_such_bound() -> None:
    # 90 of 101 tokens: 11 % short
    round_ = one_series({"tpot_mean": 0.02, "output_tokens_mean": 90})

    assert examine(round_).status == "unknown"
    assert "did not run to the requested length" in said(examine(round_), round_)


@pytest.mark.parametrize(("ignore_eos", "status"), [(True, "warn"), (None, "warn"), (False, "unknown")])
def test_where_outputs_were_not_counted_the_workload_decides(ignore_eos: bool | None, status: str) -> None:
    assert examine(one_series({"tpot_mean": 0.02}, ignore_eos=ignore_eos)).status == status


def test_counted_outputs_count_for_more_than_the_workload() -> None:
    round_ = one_series({"tpot_mean": 0.02, "output_tokens_mean": 101}, ignore_eos=False)

    assert examine(round_).status == "warn"


@pytest.mark.parametrize(
    ("round_", "reason"),
    [
        pytest.param(one_series({}), "no mean TPOT is on record", id="no mean"),
        pytest.param(memory_round({"s": {}}), "no mean TPOT is on record", id="no level"),
        pytest.param(
            memory_round({"s": {"c1": {"concurrency": 1, "tpot_mean": 0.02}}}),
            "there is no record of duration for s C=1",
            id="no time",
        ),
        pytest.param(
            one_series({"tpot_mean": 0.02, "asked_output_tokens": 1}), "there is no gap", id="one token was asked"
        ),
    ],
)
def test_unknown_says_why(round_: Round, reason: str) -> None:
    finding = examine(round_)

    assert finding.status == "unknown"
    assert reason in said(finding, round_)
