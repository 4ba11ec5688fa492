"""Profiles of perf_analyzer: the moment of each response in ns, and what the responses hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.perf_analyzer import perf_analyzer
from generator.runs.imported import Run
from tests.support.mutated import survives

BASE = 1_772_359_200_000_000_000
"""2026-03-01, 10:00 UTC, in ns."""
CHUNKS = (
    (10, 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'),
    (100, 'data: {"choices":[{"delta":{"content":"a private"}}]}\n\n'),
    (140, 'data: {"choices":[{"delta":{"content":" answer"}}]}\n\n'),
    (150, 'data: {"choices":[],"usage":{"completion_tokens":3}}\n\n'),
    (151, "data: [DONE]\n\n"),
)
"""ms after the sending -> a response: content comes in the second and the third."""


def request(start_s: float, chunks: tuple[tuple[int, str], ...] = CHUNKS) -> dict[str, Any]:
    start = BASE + int(start_s * 1e9)
    return {
        "timestamp": start,
        "request_inputs": {"payload": '{"messages":[{"content":"a private question"}]}'},
        "response_timestamps": [start + at * 1_000_000 for at, _ in chunks],
        "response_outputs": [{"response": text} for _, text in chunks],
    }


def profile(*experiments: list[dict[str, Any]], mode: str = "concurrency") -> dict[str, Any]:
    listed = [
        {"experiment": {"mode": mode, "value": nth}, "requests": requests}
        for nth, requests in enumerate(experiments, start=1)
    ]
    return {"service_kind": "openai", "endpoint": "v1/chat/completions", "experiments": listed}


def read(tmp_path: Path, document: dict[str, Any]) -> list[Run]:
    path = tmp_path / "profile_export.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return list(perf_analyzer.read(path, lambda _: None))


def test_an_experiment_becomes_a_run(tmp_path: Path) -> None:
    # Sent at 0 and at 1 s; the last response comes 151 ms after the second: 1.151 s.
    [run] = read(tmp_path, profile([request(0.0), request(1.0)]))
    assert (run.tool, run.place, run.concurrency, run.rate) == ("perf_analyzer", "", 1.0, None)
    assert run.started == "2026-03-01T10:00:00.000+00:00"
    [duration] = run.reported
    assert (duration.metric, duration.unit) == ("duration", "s")
    assert duration.value == pytest.approx(1.151)


def test_only_chunks_with_content_tell_latencies(tmp_path: Path) -> None:
    # TTFT 100 ms, not the role's 10; E2EL 140 ms, not the 151 of [DONE]; TPOT (140 − 100) ÷ (3 − 1) = 20 ms.
    [run] = read(tmp_path, profile([request(0.0)]))
    requests = run.requests
    assert requests is not None
    assert requests.sample("request_ttft") == pytest.approx([0.1])
    assert requests.sample("request_e2el") == pytest.approx([0.14])
    assert requests.sample("request_itl") == pytest.approx([0.04])
    assert requests.sample("request_tpot") == pytest.approx([0.02])
    assert "private" not in repr(run)


def test_an_answer_in_one_piece_has_no_first_token(tmp_path: Path) -> None:
    [run] = read(tmp_path, profile([request(0.0, ((300, '{"choices":[{"message":{"content":"all"}}]}'),))]))
    assert run.requests is not None
    assert not len(run.requests.sample("request_ttft"))
    assert run.requests.sample("request_e2el") == pytest.approx([0.3])


def test_outputs_of_a_model_are_text_without_a_chunk_around_it(tmp_path: Path) -> None:
    plain = request(0.0) | {
        "response_timestamps": [BASE + 10**8, BASE + 2 * 10**8, BASE + 3 * 10**8],
        "response_outputs": [{"text_output": ""}, {"text_output": "Hi"}, {"text_output": "!"}],
    }
    [run] = read(tmp_path, profile([plain]))
    assert run.requests is not None
    assert run.requests.sample("request_ttft") == pytest.approx([0.2])


def test_a_request_without_a_response_failed(tmp_path: Path) -> None:
    [run] = read(tmp_path, profile([request(0.0), request(1.0, ())]))
    assert run.requests is not None
    assert run.requests.answered.tolist() == [True, False]


def test_a_clock_that_was_set_back_leaves_no_duration(tmp_path: Path) -> None:
    backwards = request(1.0) | {"response_timestamps": [BASE - 10**9, BASE - 10**9 + 1]}
    [run] = read(tmp_path, profile([request(0.0), backwards]))
    assert run.reported == ()
    assert run.summary == {"requests_with_impossible_times": 1}


def test_each_experiment_is_a_run_with_its_load(tmp_path: Path) -> None:
    first, second = read(tmp_path, profile([request(0.0)], [request(9.0), request(9.5)], mode="request_rate"))
    assert [(one.place, one.concurrency, one.rate) for one in (first, second)] == [
        ("experiments.0", None, 1.0), ("experiments.1", None, 2.0),
    ]  # fmt: skip
    assert second.requests is not None
    assert len(second.requests) == 2


def test_a_profile_without_a_request_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no request"):
        read(tmp_path, profile([]))


def test_profiles_are_told_by_their_responses() -> None:
    assert perf_analyzer.recognises(json.dumps(profile([request(0.0)])).encode()) > 0
    assert perf_analyzer.recognises(b'{"experiments": []}') == 0


@pytest.mark.fuzz
def test_damaged_profiles_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    data = json.dumps(profile([request(0.0), request(1.0)])).encode()
    assert survives(perf_analyzer, data, tmp_path, "damaged.json") > 20
