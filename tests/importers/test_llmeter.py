from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.llmeter import llmeter
from generator.importers.vllm import vllm
from tests.support.mutated import survives

STATS: dict[str, Any] = {
    "total_requests": 3, "clients": 2, "n_requests": 2, "total_test_time": 4.0, "model_id": "acme/Small-1B",
    "output_path": "/home/ann/out", "endpoint_name": "api.example.com", "provider": "openai", "run_name": "nightly",
    "run_description": None, "start_time": "2026-03-01T12:00:00Z", "first_request_time": "2026-03-01T12:00:01.250000Z",
    "failed_requests": 1, "failed_requests_rate": 0.333, "requests_per_minute": 45.0,
    "total_input_tokens": 24, "total_output_tokens": 6, "average_output_tokens_per_minute": 90.0,
    "time_to_first_token-average": 0.2, "time_to_first_token-p50": 0.2, "time_to_first_token-p99": 0.9,
    "time_to_last_token-average": 0.5, "time_to_last_token-p50": 0.5, "time_per_output_token-p50": 0.15,
    "num_tokens_output-average": 3.0,
}  # fmt: skip
RESPONSE: dict[str, Any] = {
    "response_text": "a secret plan", "input_payload": {"messages": [{"content": "tell me"}]}, "id": "r1",
    "input_prompt": "tell me", "time_to_first_token": 0.1, "time_to_last_token": 0.4, "num_tokens_input": 8,
    "num_tokens_output": 3, "time_per_output_token": 0.15, "error": None, "retries": None,
    "request_time": "2026-03-01T12:00:01.250000Z",
}  # fmt: skip
RESPONSES = [
    RESPONSE,
    RESPONSE | {"id": "r2", "time_to_first_token": 0.3, "time_to_last_token": 0.6,
                "request_time": "2026-03-01T12:00:02Z"},
    RESPONSE | {"id": "r3", "response_text": None, "time_to_first_token": None, "time_to_last_token": None,
                "num_tokens_output": None, "error": "ThrottlingException: account 42 at api.example.com"},
]  # fmt: skip


def written(folder: Path, *, stats: Any = STATS, responses: Any = RESPONSES) -> Path:
    if responses is not None:
        (folder / "responses.jsonl").write_text("\n".join(json.dumps(one) for one in responses), encoding="utf-8")
    path = folder / "stats.json"
    path.write_text(json.dumps(stats), encoding="utf-8")
    return path


def test_its_files_are_recognised_and_no_other() -> None:
    assert llmeter.recognises(json.dumps(STATS).encode()) == 3
    assert llmeter.recognises(json.dumps(RESPONSE).encode()) == 3
    assert not llmeter.recognises(b'{"total_requests": 3, "total_test_time": 4.0}')
    assert not vllm.recognises(json.dumps(STATS).encode())


def test_numbers_are_told_with_their_meaning(tmp_path: Path) -> None:
    [run] = llmeter.read(written(tmp_path, responses=None), lambda _: None)

    assert (run.model, run.label, run.concurrency, run.rate) == ("acme/Small-1B", "nightly", 2, None)
    assert run.started == "2026-03-01T12:00:01"
    assert {one.metric: (one.value, one.unit) for one in run.reported} == {
        "requests": (3, "1"), "duration": (4, "s"), "input_tokens_counted": (24, "tok"),
        "output_tokens_counted": (6, "tok"), "output_tokens_mean": (3, "tok"), "ttft_mean": (0.2, "s"),
        "ttft_p50": (0.2, "s"), "e2el_mean": (0.5, "s"), "e2el_p50": (0.5, "s"), "tpot_p50": (0.15, "s"),
        "completed": (2, "1"),  # 3 sent − 1 failed
    }  # fmt: skip


def test_a_percentile_beyond_the_largest_of_few_requests_is_no_p99_of_ours(tmp_path: Path) -> None:
    [run] = llmeter.read(written(tmp_path), lambda _: None)

    assert "ttft_p99" not in {one.metric for one in run.reported}
    assert run.summary["time_to_first_token-p99"] == 0.9


def test_requests_are_read_from_the_file_beside_it(tmp_path: Path) -> None:
    [run] = llmeter.read(written(tmp_path), lambda _: None)

    assert run.requests is not None
    assert run.requests.answered.tolist() == [True, True, False]
    assert run.requests.start[:2].tolist() == [0.0, 0.75]  # 12:00:02 − 12:00:01.25
    assert run.requests.ttft[:2].tolist() == [0.1, 0.3]
    assert run.requests.e2el[:2].tolist() == [0.4, 0.6]
    assert run.requests.kinds_of_error == {"ThrottlingException": 1}


def test_either_file_gives_the_same_run(tmp_path: Path) -> None:
    [of_stats] = llmeter.read(written(tmp_path), lambda _: None)
    [of_responses] = llmeter.read(tmp_path / "responses.jsonl", lambda _: None)

    assert of_stats.summary == of_responses.summary
    assert of_stats.reported == of_responses.reported


def test_responses_alone_are_a_run_that_was_interrupted(tmp_path: Path) -> None:
    written(tmp_path).unlink()
    [run] = llmeter.read(tmp_path / "responses.jsonl", lambda _: None)

    assert run.requests is not None
    assert len(run.requests) == 3
    assert not run.reported


def test_no_text_host_or_home_gets_through(tmp_path: Path) -> None:
    [run] = llmeter.read(written(tmp_path), lambda _: None)

    assert not [word for word in ("secret", "tell me", "/home/ann", "account 42") if word in repr(run)]


def test_what_is_no_result_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = written(tmp_path, stats={"total_requests": 3}, responses=None)

    with pytest.raises(InputError, match="`total_test_time` is missing"):
        llmeter.read(path, lambda _: None)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    assert survives(llmeter, json.dumps(STATS).encode(), tmp_path) > 20
    lines = "\n".join(json.dumps(one) for one in RESPONSES).encode()
    assert survives(llmeter, lines, tmp_path) > 20
