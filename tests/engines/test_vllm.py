from __future__ import annotations

import pytest

from generator.engines.vllm import ACCESS


@pytest.mark.parametrize(
    "line",
    [
        b'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK',
        b'(APIServer pid=9) INFO:     10.0.0.7:5 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
        b'INFO:     ::1:40066 - "POST /v1/completions HTTP/1.1" 500 Internal Server Error',
    ],
    ids=["completions", "chat, behind a prefix", "refused, but there"],
)
def test_a_request_of_a_load_is_found(line: bytes) -> None:
    assert len(ACCESS.findall(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        b'INFO:     127.0.0.1:57776 - "POST /tokenize HTTP/1.1" 200 OK',
        b'INFO:     127.0.0.1:57776 - "GET /metrics HTTP/1.1" 200 OK',
        b'INFO:     127.0.0.1:57776 - "POST /v1/completions/x HTTP/1.1" 404 Not Found',
        b"INFO 11-02 10:00:00 [async_llm.py:1] Added request cmpl-1.",
    ],
)
def test_other_lines_are_none(line: bytes) -> None:
    assert ACCESS.search(line) is None
