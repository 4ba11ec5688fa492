"""Records of AIPerf alone: phases, failures that end as they start, raw chunks, and a clock that was set back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.errors import InputError
from generator.importers.aiperf_records import aiperf_records
from generator.runs.imported import Run
from tests.importers.test_aiperf import record
from tests.support.mutated import survives

BASE = 1_772_359_200_000_000_000
"""2026-03-01, 10:00 UTC, in ns."""


def full(start_s: float = 0.0) -> dict[str, Any]:
    """Return a record of four tokens in three chunks: TTFT 100 ms, gaps of 40 and 60 ms."""
    made = record(start_s, 200.0)
    made["metrics"] |= {
        "time_to_first_token": {"value": 100.0, "unit": "ms"},
        "inter_chunk_latency": {"value": [40.0, 60.0], "unit": "ms"},
        "input_sequence_length": {"value": 30, "unit": "tokens"},
        "output_sequence_length": {"value": 4, "unit": "tokens"},
    }
    return made


def raw() -> dict[str, Any]:
    """Return a record with its chunks: the role alone, two of content, and the usage."""
    chunks = [
        (10, '{"choices":[{"delta":{"role":"assistant","content":""}}]}'),
        (100, '{"choices":[{"delta":{"content":"a private"}}]}'),
        (140, '{"choices":[{"delta":{"content":" answer"}}]}'),
        (150, '{"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":3}}'),
    ]
    responses = [
        {"perf_ns": 5_000_000_000 + at * 1_000_000, "packets": [{"name": "data", "value": text}]} for at, text in chunks
    ]
    made = record(0.0, 150.0) | {"metrics": {}, "start_perf_ns": 5_000_000_000, "responses": responses}
    return made | {"request_headers": {"Authorization": "Bearer secret"}}


def read(tmp_path: Path, *records: dict[str, Any]) -> Run:
    path = tmp_path / "profile_export.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    assert aiperf_records.recognises(path.read_bytes()[: 2**16]) > 0
    [run] = aiperf_records.read(path, lambda _: None)
    return run


def duration(run: Run) -> float | None:
    return next((one.value for one in run.reported if one.metric == "duration"), None)


def test_records_become_a_run(tmp_path: Path) -> None:
    # From 10:00:00 to 10:00:01.2: 1.2 s. TPOT (200 − 100) ÷ (4 − 1) = 33.3 ms.
    run = read(tmp_path, full(), full(1.0))
    assert (run.tool, run.started) == ("AIPerf", "2026-03-01T10:00:00.000+00:00")
    assert run.summary == {"ended": "2026-03-01T10:00:01.200+00:00"}
    assert duration(run) == pytest.approx(1.2)
    requests = run.requests
    assert requests is not None
    assert requests.start.tolist() == [0.0, 1.0]
    assert requests.sample("request_ttft") == pytest.approx([0.1, 0.1])
    assert requests.sample("request_tpot") == pytest.approx([0.1 / 3, 0.1 / 3])
    assert requests.sample("request_itl") == pytest.approx([0.04, 0.04, 0.06, 0.06])
    assert requests.sample("request_chunks").tolist() == [3, 3]


def test_the_latency_of_an_answer_in_one_piece_counts_without_a_first_token(tmp_path: Path) -> None:
    run = read(tmp_path, record(0.0, 500.0), record(1.0, 700.0))
    assert run.requests is not None
    assert run.requests.sample("request_e2el") == pytest.approx([0.5, 0.7])
    assert not len(run.requests.sample("request_ttft"))


def test_a_clock_that_was_set_back_takes_its_record_and_the_throughput(tmp_path: Path) -> None:
    # 500 ms, −3599500 ms, 700 ms: (500 + 700) ÷ 2 = 600 ms over two; the third is counted, and the span means nothing.
    later = -3600.0 + 2.0
    run = read(tmp_path, record(0.0, 500.0), record(1.0, -3_599_500.0), record(later, 700.0))
    assert run.requests is not None
    sample = run.requests.sample("request_e2el")
    assert (sample.mean(), len(sample), len(run.requests)) == (pytest.approx(0.6), 2, 3)
    assert run.reported == ()
    assert np.isnan(run.requests.start).all()
    assert run.summary == {
        "ended": "2026-03-01T09:00:02.700+00:00", "requests_with_impossible_times": 1,
        "client_clock_steps": 1, "clock_moved_s": -3600,
    }  # fmt: skip


def test_failures_end_as_they_start_and_have_no_latency(tmp_path: Path) -> None:
    failed = record(2.0, 0.0, error={"code": None, "type": "TimeoutError", "message": "TimeoutError() at node7"})
    run = read(tmp_path, full(), failed)
    assert run.requests is not None
    assert run.requests.answered.tolist() == [True, False]
    assert run.requests.sample("request_e2el") == pytest.approx([0.2])
    assert dict(run.requests.kinds_of_error) == {"TimeoutError": 1}
    assert "node7" not in repr(run)


def test_a_request_that_was_cancelled_failed(tmp_path: Path) -> None:
    cancelled = full(1.0)
    cancelled["metadata"]["was_cancelled"] = True
    run = read(tmp_path, full(), cancelled)
    assert run.requests is not None
    assert dict(run.requests.kinds_of_error) == {"CancelledError": 1}


@pytest.mark.parametrize("name", ["benchmark_phase", "credit_phase"])
def test_warming_up_is_left_out_and_counted(tmp_path: Path, name: str) -> None:
    warm = full()
    del warm["metadata"]["benchmark_phase"]
    warm["metadata"][name] = "warmup"
    run = read(tmp_path, warm, full(1.0))
    assert run.requests is not None
    assert len(run.requests) == 1
    assert run.summary["warm_up_records"] == 1


def test_older_records_call_the_first_token_ttft(tmp_path: Path) -> None:
    old = full()
    old["metrics"]["ttft"] = {"value": 100_000_000, "unit": "ns"}
    del old["metrics"]["time_to_first_token"]
    run = read(tmp_path, old)
    assert run.requests is not None
    assert run.requests.sample("request_ttft") == pytest.approx([0.1])


def test_tokens_of_reasoning_are_added_up_over_the_answers(tmp_path: Path) -> None:
    # 3 + 1 of two answers; neither the 9 of a request that failed nor the 5 of one that warmed up.
    counted = [full(float(n)) for n in range(5)]
    for one, tokens in zip(counted, (3, 1, 9, 5), strict=False):
        one["metrics"]["reasoning_token_count"] = {"value": tokens, "unit": "tokens"}
    counted[2]["error"] = {"type": "TimeoutError"}
    counted[3]["metadata"]["benchmark_phase"] = "warmup"
    run = read(tmp_path, *counted)
    assert [one.value for one in run.reported if one.metric == "reasoning_tokens"] == [4]
    assert not [one for one in read(tmp_path, full()).reported if one.metric == "reasoning_tokens"]


def test_raw_chunks_are_looked_at_one_by_one(tmp_path: Path) -> None:
    # The role came after 10 ms and the usage after 150 ms; content came after 100 and after 140 ms.
    run = read(tmp_path, raw())
    assert run.requests is not None
    assert run.requests.sample("request_ttft") == pytest.approx([0.1])
    assert run.requests.sample("request_e2el") == pytest.approx([0.14])
    assert run.requests.sample("request_output_tokens").tolist() == [3]
    assert not [secret for secret in ("private", "Bearer", "secret") if secret in repr(run)]


def test_a_line_that_is_no_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="record 2: is no record of a request"):
        read(tmp_path, full(), {"hello": 1})


def test_records_of_warming_up_alone_hold_no_run(tmp_path: Path) -> None:
    warm = full()
    warm["metadata"]["benchmark_phase"] = "warmup"
    with pytest.raises(InputError, match="all 1 are of warming up"):
        read(tmp_path, warm)


@pytest.mark.fuzz
def test_damaged_records_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    data = b"".join(json.dumps(one).encode() + b"\n" for one in (full(), raw(), full(1.0)))
    assert survives(aiperf_records, data, tmp_path, "damaged.jsonl") > 20
