from __future__ import annotations

from dataclasses import replace

import pytest

from generator.collect.reference import generation
from generator.collect.reference.asking import Ask
from generator.collect.reference.generation import Generation
from generator.collect.reference.scheduler import Sequence, Token
from generator.collect.reference.shapes import shape_of
from generator.collect.reference.stamps import Sheet

STREAMED = Ask(chat=False, prompt=1, output=3, stream=True, usage=False)


class Wire:
    """Stands in for a connection and keeps what it is given."""

    def __init__(self, is_behind: bool = False) -> None:
        self.is_behind = is_behind
        self.sent: list[bytes] = []
        self.heads = 0

    def begin_stream(self, fields: dict[str, str]) -> None:
        self.heads += 1

    def framed(self, data: bytes, last: bool = False) -> bytes:
        return data

    def send(self, framed: bytes) -> None:
        self.sent.append(framed)

    def answer(self, status: int, body: bytes, kind: str, fields: dict[str, str]) -> None:
        self.sent.append(body)


def given(ask: Ask, wire: Wire, per_chunk: int = 1) -> Sheet:
    """Give all tokens of an answer, a millisecond each, and return its stamps."""
    sequence, sheet = Sequence(0, 1, ask.output, 0), Sheet(0, "0", 0)
    answer = Generation(ask, sequence, shape_of("vllm", 0, "m", ask), sheet, per_chunk)
    answer.begin(wire)  # type: ignore[arg-type]
    for index in range(ask.output):
        token = Token(sequence, index * 1_000_000, index, last=index == ask.output - 1)
        answer.give(token, wire)  # type: ignore[arg-type]
    return sheet


@pytest.mark.parametrize(("per_chunk", "tokens"), [(1, [1, 1, 1, 0]), (2, [2, 1, 0]), (9, [3, 0])])
def test_chunks_hold_so_many_tokens_and_the_last_what_is_left(per_chunk: int, tokens: list[int]) -> None:
    wire = Wire()
    sheet = given(STREAMED, wire, per_chunk)
    assert sheet.tokens.tolist() == tokens
    assert len(wire.sent) == len(sheet.sent) == len(tokens)
    assert wire.heads == 1


def test_the_plan_is_the_end_of_the_step_that_made_the_last_token_of_a_chunk() -> None:
    assert given(STREAMED, Wire(), per_chunk=2).planned.tolist() == [1_000_000, 2_000_000, 2_000_000]


def test_the_stamp_is_the_clock_right_before_the_chunk_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks, seen = iter(range(100)), []
    monkeypatch.setattr(generation, "monotonic_ns", lambda: next(ticks))
    wire = Wire()
    monkeypatch.setattr(wire, "send", lambda _: seen.append(next(ticks)))
    # the head takes tick 0; then stamp and sending take a tick each, and nothing comes between them
    assert given(STREAMED, wire).sent.tolist() == [1, 3, 5, 7]
    assert seen == [2, 4, 6, 8]


def test_chunks_behind_unsent_bytes_are_counted() -> None:
    assert given(STREAMED, Wire(is_behind=True)).queued == 4
    assert given(STREAMED, Wire()).queued == 0


def test_what_is_not_streamed_is_one_chunk_with_all_tokens() -> None:
    wire = Wire()
    sheet = given(replace(STREAMED, stream=False), wire)
    assert (sheet.tokens.tolist(), len(wire.sent), wire.heads) == ([3], 1, 0)
    assert sheet.head == sheet.sent[0]
