from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from generator.collect.outcome import Asked, Outcome
from generator.collect.records import to_requests
from generator.collect.usage import Usage
from generator.store.request_columns import pack, unpack
from generator.values import Source

MS = 1_000_000
SOURCE = Source("requests.parquet", "")


def outcome(sent_ms: float, *chunks_ms: float, reason: str | None = None, usage: Usage | None = None) -> Outcome:
    chunks = np.array([round(at * MS) for at in chunks_ms], dtype=np.int64)
    return Outcome(
        Asked(0, "steady", 0), sent=round(sent_ms * MS), first_byte=0, chunks=chunks, ended=0, finish="", usage=usage,
        reason=reason, detail="", status=200, retries=0, reused=False, stamp="user",
        late_ns=np.zeros(0, dtype=np.int64), reads=0, size=0, kinds={},
    )  # fmt: skip


def test_times_are_seconds_after_the_first_sending() -> None:
    found = to_requests([outcome(130, 150, 170), outcome(100, 140, 145, 160)], SOURCE)
    assert found.start.tolist() == pytest.approx([0.03, 0])
    assert found.ttft.tolist() == pytest.approx([0.02, 0.04])  # 150 − 130, 140 − 100
    assert found.e2el.tolist() == pytest.approx([0.04, 0.06])
    assert found.gap_counts.tolist() == [1, 2]
    assert found.gaps.tolist() == [20_000, 5_000, 15_000]


def test_the_roundings_of_gaps_do_not_add_up() -> None:
    # Ten gaps of 1.4 µs are 14 µs; each rounded by itself would make 10.
    chunks = [10 + k * 0.0014 for k in range(11)]
    assert to_requests([outcome(0, *chunks)], SOURCE).gaps.sum() == 14


def test_counts_are_the_servers_or_none() -> None:
    found = to_requests(
        [outcome(0, 1, 2, usage=Usage(input=7, output=64)), outcome(0, 1, 2), outcome(0, 1, usage=Usage(input=7))],
        SOURCE,
    )
    assert found.input_tokens.tolist() == pytest.approx([7, np.nan, 7], nan_ok=True)
    assert found.output_tokens.tolist() == pytest.approx([64, np.nan, np.nan], nan_ok=True)


def test_failures_are_counted_by_reason_and_have_no_latency() -> None:
    found = to_requests(
        [outcome(0, reason="refused"), outcome(1, 5, 9, reason="reset"), outcome(2, reason="refused"), outcome(3, 4)],
        SOURCE,
    )
    assert found.answered.tolist() == [False, False, False, True]
    assert found.kinds_of_error == {"refused": 2, "reset": 1}
    assert found.e2el.tolist() == pytest.approx([np.nan, np.nan, np.nan, 0.001], nan_ok=True)
    assert found.sample("request_e2el").tolist() == pytest.approx([0.001])


def test_an_answer_without_a_token_is_an_answer() -> None:
    found = to_requests([outcome(0, reason="no_token", usage=Usage(output=0)), outcome(0, 3)], SOURCE)
    assert found.answered.all()
    assert found.kinds_of_error == {}
    assert found.sample("silent").tolist() == [1]


def test_nothing_was_sent() -> None:
    assert len(to_requests([], SOURCE)) == 0


def test_they_are_stored_and_read_again(tmp_path: Path) -> None:
    wanted = to_requests([outcome(0, 1, 2, usage=Usage(7, 2)), outcome(1, reason="stalled")], SOURCE)
    for name, data in pack(wanted).items():
        (tmp_path / name).write_bytes(data)
    found = unpack(tmp_path, SOURCE)
    for name in ("answered", "start", "ttft", "e2el", "input_tokens", "output_tokens", "gap_counts", "gaps"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))


def test_a_request_that_never_left_comes_no_sooner_than_the_first() -> None:
    late = replace(outcome(5, reason="not_sent"), reads=0)
    assert to_requests([outcome(2, 3), late], SOURCE).start.tolist() == pytest.approx([0, 0.003])
