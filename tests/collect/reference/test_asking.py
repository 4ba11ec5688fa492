from __future__ import annotations

from typing import Any

import pytest

from generator.collect.reference.asking import USUAL_TOKENS, Ask, Refusal, ask_of, chat_text, fields_of
from generator.collect.reference.tokenizer import VOCABULARY


def test_a_completion() -> None:
    fields = {"prompt": " the model", "max_tokens": 5, "stream": True, "stream_options": {"include_usage": True}}
    assert ask_of(fields, chat=False) == Ask(chat=False, prompt=2, output=5, stream=True, usage=True)


def test_what_is_not_said_has_its_usual_value() -> None:
    assert ask_of({"prompt": "x"}, chat=False) == Ask(False, 1, USUAL_TOKENS, stream=False, usage=False)


@pytest.mark.parametrize("prompt", [[1, 2, 300], [[1, 2, 300]], ["abc"], "abc"])
def test_a_prompt_is_text_or_ids_or_one_of_them_in_a_list(prompt: object) -> None:
    assert ask_of({"prompt": prompt}, chat=False).prompt == 3


def test_a_chat_is_counted_with_its_roles() -> None:
    messages = [{"role": "user", "content": "hi"}, {"role": "system", "content": [{"type": "text", "text": "x"}]}]
    assert chat_text(messages) == "user: hi\nsystem: x\nassistant:"
    # one byte each: 9 + 10 + 10
    assert ask_of({"messages": messages}, chat=True).prompt == 29


def test_the_newer_name_of_the_limit_goes_first() -> None:
    assert ask_of({"prompt": "x", "max_tokens": 3, "max_completion_tokens": 4}, chat=False).output == 4


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"prompt": ""},
        {"prompt": []},
        {"prompt": 3},
        {"prompt": ["a", "b"]},
        {"prompt": [1, True]},
        {"prompt": [-1]},
        {"prompt": [VOCABULARY]},
        {"prompt": "x", "max_tokens": 0},
        {"prompt": "x", "max_tokens": 1.5},
        {"prompt": "x", "max_tokens": True},
        {"prompt": "x", "max_tokens": "3"},
        {"prompt": "x", "stream": "yes"},
        {"prompt": "x", "stream_options": [1]},
        {"prompt": "x", "stream_options": {"include_usage": 1}},
        {"prompt": "x", "n": 2},
        {"prompt": "x", "logprobs": 1},
    ],
)
def test_a_completion_that_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        ask_of(fields, chat=False)
    assert caught.value.status == 400


@pytest.mark.parametrize(
    "messages",
    [None, [], "hi", [1], [{}], [{"role": 1, "content": "x"}], [{"role": "user"}], [{"role": "user", "content": [1]}]],
)
def test_messages_that_are_refused(messages: object) -> None:
    with pytest.raises(Refusal):
        ask_of({"messages": messages}, chat=True)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"[1]", b'"x"', b"9" * 5000]
)
def test_bodies_that_are_no_json_object(body: bytes) -> None:
    with pytest.raises(Refusal):
        fields_of(body)
