from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from generator.collect.reference.process import reference_server
from generator.collect.tokenizing import ENOUGH, Vocabulary, vocabulary_of
from generator.collect.words import WORDS


class Server(ThreadingHTTPServer):
    """Answers /tokenize as a function says, and keeps what it was asked."""

    answer: Any
    asked: list[dict[str, Any]]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked | {"key": self.headers.get("Authorization")})
        status, body = self.server.answer(asked["content"])
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(answer: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    server = Server(("127.0.0.1", 0), Handler)
    server.answer, server.asked = answer, []
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def tokens(ids: object) -> tuple[int, bytes]:
    return 200, json.dumps({"tokens": ids}).encode()


def found(answer: Any, model: str | None = None) -> tuple[Vocabulary, list[dict[str, Any]]]:
    with serving(answer) as (url, asked):
        return asyncio.run(vocabulary_of(url, model, {"Authorization": "Bearer k"})), asked


def number(word: str) -> int:
    return 1000 + WORDS.index(word)


def test_words_that_are_one_token_each_are_asked_for_at_once() -> None:
    vocabulary, asked = found(lambda text: tokens([number(word) for word in text.split()]), "toy")
    assert vocabulary == Vocabulary(WORDS, tuple(range(1000, 1000 + len(WORDS))))
    [question] = asked
    assert question["model"] == "toy"
    assert question["key"] == "Bearer k"
    # Without what a tokenizer adds of its own: two names, for two families of servers.
    assert (question["add_special"], question["add_special_tokens"]) == (False, False)
    assert question["content"] == question["prompt"] == "".join(f" {word}" for word in WORDS)


def test_words_of_several_tokens_are_left_out() -> None:
    def answer(text: str) -> tuple[int, bytes]:
        return tokens([part for word in text.split() for part in ([1, 2] if "e" in word else [number(word)])])

    vocabulary, _ = found(answer)
    assert vocabulary.is_exact
    assert set(vocabulary.words) == {word for word in WORDS if "e" not in word}
    assert all(number(word) == token for word, token in zip(vocabulary.words, vocabulary.ids, strict=True))


def test_of_two_words_with_one_id_one_is_taken() -> None:
    vocabulary, _ = found(lambda text: tokens([number(word) // 2 for word in text.split()]))
    assert len(set(vocabulary.ids)) == len(vocabulary.ids) == len(vocabulary.words) < len(WORDS)


def test_with_too_few_words_of_one_token_all_are_taken_and_lengths_are_a_guess() -> None:
    short = set(WORDS[: ENOUGH - 1])
    vocabulary, _ = found(
        lambda text: tokens([i for w in text.split() for i in ([number(w)] if w in short else [1, 2])])
    )
    assert vocabulary == Vocabulary(WORDS)
    assert not vocabulary.is_exact


@pytest.mark.parametrize(
    "answer",
    [
        (404, b"Not Found"),
        (200, b"<html>"),
        (200, b"[1, 2]"),
        (200, b'{"tokens": null}'),
        tokens(["a", "b"]),
        tokens([True] * len(WORDS)),
    ],
    ids=["404", "no JSON", "a list", "null", "words", "truths"],
)
def test_a_server_without_a_tokenizer_to_ask_leaves_the_words(answer: tuple[int, bytes]) -> None:
    vocabulary, asked = found(lambda _: answer)
    assert vocabulary == Vocabulary(WORDS)
    assert len(asked) == 1


def test_a_server_that_is_not_there_leaves_the_words() -> None:
    with serving(lambda _: tokens([])) as (url, _):
        pass
    assert asyncio.run(vocabulary_of(url, None)) == Vocabulary(WORDS)


def test_the_reference_server_tells_its_tokens() -> None:
    with reference_server() as url:
        vocabulary = asyncio.run(vocabulary_of(url, None))
    assert vocabulary.is_exact
    assert len(vocabulary.words) == len(WORDS)
