"""Chunks of a stream, word for word."""

from __future__ import annotations

import pytest

from generator.store.stream_chunks import carries_content, tokens_counted


@pytest.mark.parametrize(
    ("chunk", "carries"),
    [
        ('{"choices":[{"delta":{"role":"assistant","content":""}}]}', False),
        ('{"choices":[{"delta":{"content":"Hi"}}]}', True),
        ('{"choices":[{"delta":{"content":null,"reasoning_content":"Hm"}}]}', True),
        ('{"choices":[{"text": " a"}]}', True),
        ('{"choices":[],"usage":{"completion_tokens":3}}', False),
        ("data: [DONE]", False),
        ("", False),
    ],
)
def test_only_text_of_the_answer_is_content(chunk: str, carries: bool) -> None:
    assert carries_content(chunk) is carries


@pytest.mark.parametrize(
    ("chunk", "tokens"),
    [
        ('{"usage":{"prompt_tokens":9,"completion_tokens":3}}', 3),
        ('{"usage":{"completion_tokens": 3}} {"usage":{"completion_tokens": 7}}', 7),
        ('{"usage":null}', None),
        ('{"completion_tokens":' + "9" * 40 + "}", None),
    ],
)
def test_the_last_count_of_a_chunk_counts(chunk: str, tokens: int | None) -> None:
    assert tokens_counted(chunk) == tokens
