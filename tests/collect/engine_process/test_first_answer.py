from __future__ import annotations

import asyncio
import time

import pytest

from generator.collect.engine_process.first_answer import FirstAnswer, asking, has_text
from generator.collect.engine_process.ports import free_port
from generator.collect.reference.settings import Settings
from tests.collect.engine_process.test_readiness import answering
from tests.collect.reference.running import QUICK, running

HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
TOKEN = b'data: {"choices": [{"text": "a"}]}\n\n'


def ask(port: int, api: str = "completions") -> FirstAnswer:
    return asyncio.run(asking(api)(f"http://127.0.0.1:{port}"))


@pytest.mark.parametrize("api", ["completions", "chat"])
@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
def test_an_answer_has_three_moments(api: str, style: str) -> None:
    settings = Settings(style="vllm" if style == "vllm" else "llamacpp", machine=QUICK.machine)
    before = time.monotonic_ns()
    with running(settings) as server:
        answer = asyncio.run(asking(api)(server.url))
        sheet = server.sheets()[0]
    assert answer.reason is None
    assert answer.first_token_ns is not None
    assert answer.ended_ns is not None
    assert before < answer.sent_ns < answer.first_token_ns < answer.ended_ns < time.monotonic_ns()
    # The server knows when it sent each event; ours were read after it, and after the request had been sent.
    assert answer.sent_ns < min(sheet["sent"]) < answer.first_token_ns
    assert max(sheet["sent"]) < answer.ended_ns


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "/v1/completions answered 500"),
        (HEAD + TOKEN, "the answer has no end mark"),
        (HEAD + b"data: [DONE]\n\n", "the answer has no token"),
        (HEAD + b"<html>nothing here</html>", "the answer has no end mark"),
        (b"nonsense\r\n\r\n", "the answer broke off (RemoteProtocolError)"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + TOKEN, "the answer broke off (RemoteProtocolError)"),
        (HEAD + b"x" * 3_000_000, "the answer has no end mark"),
    ],
    ids=["an error", "no end", "no token", "HTML", "no HTTP", "cut off", "endless"],
)
def test_what_is_no_answer_has_a_reason(raw: bytes, reason: str) -> None:
    with answering(raw) as port:
        answer = ask(port)
    assert (answer.reason, answer.ended_ns) == (reason, None)


def test_so_has_a_server_that_is_gone() -> None:
    assert ask(free_port()).reason == "the answer broke off (ConnectError)"


@pytest.mark.parametrize(
    ("line", "is_token"),
    [
        ('data: {"choices": [{"text": "a"}]}', True),
        ('data: {"choices": [{"text": ""}]}', False),
        ('data: {"choices": [{"delta": {"content": "a"}}]}', True),
        ('data: {"choices": [{"delta": {"reasoning_content": "a"}}]}', True),
        ('data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}', False),
        ('data: {"choices": [], "usage": {"prompt_tokens": 3}}', False),
        ('data: {"choices": null}', False),
        ('data: {"choices": [7]}', False),
        ("data: [1]", False),
        ("data: " + "[" * 100_000, False),
        ("data: [DONE]", False),
        (": comment", False),
    ],
)
def test_which_lines_bring_a_token(line: str, is_token: bool) -> None:
    assert has_text(line) is is_token
