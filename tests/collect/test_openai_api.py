from __future__ import annotations

from generator.collect.openai_api import PATHS, body_of


def test_completions_take_text_or_ids() -> None:
    asked = {"max_tokens": 16, "temperature": 0, "stream": True}
    assert body_of("completions", "Hello", 16, None) == {**asked, "prompt": "Hello"}
    assert body_of("completions", (1, 2), 16, "toy") == {**asked, "model": "toy", "prompt": (1, 2)}


def test_a_chat_takes_one_message() -> None:
    assert body_of("chat", "Hello", 16, None)["messages"] == [{"role": "user", "content": "Hello"}]


def test_each_api_has_its_path() -> None:
    assert PATHS == {"completions": "/v1/completions", "chat": "/v1/chat/completions"}
