from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from generator.collect import trial
from generator.collect.outcome import NO_TIMES, Asked, Outcome
from generator.collect.usage import Usage
from generator.declared.round_tables import WorkloadTable
from generator.runs.requests import Requests
from generator.values import Source


def outcome(usage: Usage, reason: str | None) -> Outcome:
    """Return what became of a request of which only the server's count and its failure matter."""
    return Outcome(
        asked=Asked(0, "steady", 0), sent=1, first_byte=2, chunks=NO_TIMES, ended=3, finish="", usage=usage,
        reason=reason, detail="", status=200, retries=0, reused=False, stamp="user", late_ns=NO_TIMES, reads=1,
        size=1, kinds={},
    )  # fmt: skip


def requests_of(ttft: list[float], e2el: list[float], tokens: list[float], answered: list[bool]) -> Requests:
    n = len(ttft)
    return Requests(
        np.array(answered), np.zeros(n), np.array(ttft), np.array(e2el), np.full(n, 8.0), np.array(tokens),
        np.zeros(n, dtype=np.int64), np.zeros(0, dtype=np.int32), Source("", ""),
    )  # fmt: skip


SEEN = requests_of([0.1, 0.3, 0.1, np.nan], [0.5, 0.7, 2.1, np.nan], [5, 5, 1, np.nan], [True, True, True, False])


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ({}, None),
        ({"slo_ttft_ms": 200.0}, 2),  # 100 and 100 ms keep it, 300 does not, the failed one has none
        ({"slo_e2el_ms": 1000.0}, 2),  # 500 and 700 ms
        ({"slo_ttft_ms": 200.0, "slo_e2el_ms": 1000.0}, 1),
        # (500 − 100) ÷ 4 = 100 ms and (700 − 300) ÷ 4 = 100 ms; one token has no TPOT to miss it by
        ({"slo_tpot_ms": 100.0}, 3),
        ({"slo_tpot_ms": 99.0}, 1),
    ],
)
def test_goodput_counts_the_answers_that_keep_all_targets(targets: dict[str, float], expected: int | None) -> None:
    assert trial._goodput(SEEN, WorkloadTable(**targets)) == expected  # type: ignore[arg-type]


def test_what_a_killed_collector_began_is_swept_away(tmp_path: Path) -> None:
    begun = tmp_path / ".collecting-c1-1" / "warm-up"
    begun.mkdir(parents=True)
    (begun / "x").write_text("y")
    kept = tmp_path / "levels" / "c1" / "1"
    kept.mkdir(parents=True)
    trial.sweep(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["levels"]


def test_numbers_that_are_none_are_null() -> None:
    assert json.dumps(trial._finite(float("nan"))) == "null"
    assert trial._finite(1.5) == 1.5


def test_reasoning_is_added_up_and_held_against_the_output_answer_by_answer() -> None:
    # 30 of 50 tokens, and 12 of 10: 42 in all, one answer with too many. The third counts none, the fourth failed.
    told = [
        Usage(output=50, reasoning=30),
        Usage(output=10, reasoning=12),
        Usage(output=7),
        Usage(output=1, reasoning=9),
    ]
    outcomes = [outcome(usage, "reset" if number == 3 else None) for number, usage in enumerate(told)]

    assert trial._reasoning(outcomes) == {"reasoning_tokens": 42, "reasoning_above_output": 1}
    assert trial._reasoning(outcomes[2:3]) == {}
