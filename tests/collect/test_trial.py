from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from generator.collect import trial
from generator.requests import Requests
from generator.round_tables import WorkloadTable
from generator.values import Source


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
