from __future__ import annotations

import json
from typing import Any

import pytest

from generator.collect.reference.asking import Ask, Refusal
from generator.collect.reference.scheduler import Sequence
from generator.collect.reference.settings import Style
from generator.collect.reference.shapes import refusal, shape_of, timings_of

ENDED = Sequence(5, prompt=10, output=4, arrived=0, admitted=0, first=20_000_000, ended=50_000_000, made=4)
"""10 tokens of prompt in 20 ms, 4 of answer, the last 30 ms after the first."""


def told(style: Style, chat: bool, usage: bool) -> list[dict[str, Any]]:
    shape = shape_of(style, 5, "m", Ask(chat, 10, 4, stream=True, usage=usage))
    made = [*shape.opening(), shape.text(' "模型\n', last=False), shape.text(" end", last=True), *shape.closing(ENDED)]
    assert all(event.startswith(b"data: {") and event.endswith(b"}\n\n") and event.count(b"\n") == 2 for event in made)
    return [json.loads(event[6:]) for event in made]


def choices(told: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """Return text or delta, and reason, of each event with a choice."""
    found = [event["choices"][0] for event in told if event["choices"]]
    return [(one.get("delta", one.get("text")), one["finish_reason"]) for one in found]


def test_vllm_completion() -> None:
    events = told("vllm", chat=False, usage=True)
    assert choices(events) == [(' "模型\n', None), (" end", "length")]
    assert events[-1]["choices"] == []
    assert events[-1]["usage"] == {"prompt_tokens": 10, "total_tokens": 14, "completion_tokens": 4}
    assert {(event["id"], event["object"], event["model"]) for event in events} == {
        ("cmpl-0000000000000005", "text_completion", "m")
    }


def test_vllm_chat() -> None:
    events = told("vllm", chat=True, usage=True)
    role = {"role": "assistant", "content": ""}
    assert choices(events) == [(role, None), ({"content": ' "模型\n'}, None), ({"content": " end"}, "length")]
    assert events[-1]["usage"]["total_tokens"] == 14
    assert {event["object"] for event in events} == {"chat.completion.chunk"}


@pytest.mark.parametrize("chat", [False, True])
def test_vllm_gives_no_usage_unasked(chat: bool) -> None:
    assert not [event for event in told("vllm", chat=chat, usage=False) if "usage" in event or not event["choices"]]


@pytest.mark.parametrize("usage", [False, True])
def test_llamacpp_completion_ends_with_reason_usage_and_timings_together(usage: bool) -> None:
    events = told("llamacpp", chat=False, usage=usage)
    assert choices(events) == [(' "模型\n', None), (" end", None), ("", "length")]
    assert events[-1]["usage"]["completion_tokens"] == 4
    assert events[-1]["timings"]["prompt_ms"] == 20.0
    assert all("usage" not in event for event in events[:-1])


def test_llamacpp_chat_with_usage_ends_with_an_event_without_choices() -> None:
    events = told("llamacpp", chat=True, usage=True)
    role = {"role": "assistant", "content": None}
    text, end = {"content": ' "模型\n'}, {"content": " end"}
    assert choices(events) == [(role, None), (text, None), (end, None), ({}, "length")]
    assert events[-1]["choices"] == []
    assert events[-1]["usage"]["prompt_tokens"] == 10
    assert "timings" in events[-1]


def test_llamacpp_chat_without_usage_has_its_timings_with_the_reason() -> None:
    events = told("llamacpp", chat=True, usage=False)
    assert events[-1]["choices"][0]["finish_reason"] == "length"
    assert "timings" in events[-1]
    assert "usage" not in events[-1]


@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
@pytest.mark.parametrize("chat", [False, True])
def test_an_answer_in_one_piece(style: Style, chat: bool) -> None:
    answer = json.loads(shape_of(style, 5, "m", Ask(chat, 10, 4, stream=False, usage=False)).whole("模型", ENDED))
    [choice] = answer["choices"]
    assert (choice["message"]["content"] if chat else choice["text"]) == "模型"
    assert choice["finish_reason"] == "length"
    assert answer["usage"]["total_tokens"] == 14
    assert answer["object"] == ("chat.completion" if chat else "text_completion")
    assert answer["system_fingerprint"] == "reference-server-simulated"


def test_timings_run_from_admission_to_first_to_last_token() -> None:
    times = timings_of(ENDED)
    assert (times["prompt_n"], times["prompt_ms"], times["prompt_per_token_ms"]) == (10, 20.0, 2.0)
    assert times["prompt_per_second"] == pytest.approx(500.0)  # 10 in 20 ms
    assert (times["predicted_n"], times["predicted_ms"], times["predicted_per_token_ms"]) == (4, 30.0, 7.5)


def test_an_answer_of_one_token_has_no_rate() -> None:
    one = Sequence(0, prompt=1, output=1, arrived=0, admitted=0, first=5, ended=5, made=1)
    assert timings_of(one)["predicted_per_second"] == 0.0


def test_errors_in_both_shapes() -> None:
    refused = Refusal("too long", kind="exceed_context_size_error", n_ctx=8)
    assert json.loads(refusal("vllm", refused))["error"] == {
        "message": "too long",
        "type": "BadRequestError",
        "param": None,
        "code": 400,
    }
    assert json.loads(refusal("llamacpp", refused))["error"] == {
        "code": 400,
        "message": "too long",
        "type": "exceed_context_size_error",
        "n_ctx": 8,
    }
