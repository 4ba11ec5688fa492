from __future__ import annotations

import pytest

from generator.findings import Finding
from generator.model import Round
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "failed_requests"


def one_series(*levels: Numbers) -> Round:
    return memory_round({"s": {f"c{row}": {"concurrency": row, **seen} for row, seen in enumerate(levels, 1)}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("completed", "status"),
    [
        (200, "pass"),
        (199, "note"),  # 1 of 200: 0.5 %
        (198, "note"),  # 2 of 200: 1 %, and no more
        (197, "warn"),  # 3 of 200: 1.5 %
        (0, "warn"),
    ],
)
def test_share_of_failures_decides(completed: float, status: str) -> None:
    assert examine(one_series({"requests": 200, "completed": completed})).status == status


def test_levels_with_failures_are_named_and_the_worst_is_counted() -> None:
    round_ = one_series(
        {"requests": 100, "completed": 99}, {"requests": 100, "completed": 100}, {"requests": 100, "completed": 90}
    )
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1", "c3"))
    text = said(finding, round_)
    assert "failed at C=1 and C=3: most of all at C=3, 10 of 100, or 10.0%" in text
    assert "最多的是 C=3，100 条里的 10 条" in text
    assert "latencies of s are flattered" in text


def test_more_completed_than_sent_is_no_failure() -> None:
    assert examine(one_series({"requests": 10, "completed": 11})).status == "pass"


def test_first_round_loses_eight_requests() -> None:
    # 320 sent and 312 completed at C=32: 8 ÷ 320 = 2.5 %. vLLM's completed requests are not on record.
    by_series = {finding.series: finding for finding in found_by(CHECK, published("round-1"))}

    assert by_series["llamacpp-q4_k_m"].status == "warn"
    assert "at C=32: 8 of 320, or 2.5%" in said(by_series["llamacpp-q4_k_m"], published("round-1"))
    assert by_series["vllm-bf16"].status == "unknown"


def test_second_round_loses_one() -> None:
    # 319 of 320 completed at C=32: 0.3 %.
    by_series = {finding.series: finding for finding in found_by(CHECK, published("round-2"))}

    assert (by_series["llamacpp-q4_k_m"].status, by_series["llamacpp-q4_k_m"].levels) == ("note", ("c32",))
    assert by_series["vllm-bf16"].status == "pass"
