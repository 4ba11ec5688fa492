from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect import events
from generator.collect.events import Event, parse_events
from generator.collect.http_body import parse
from generator.collect.usage import Usage
from tests.collect.faulty import SSE, chunk, event, finish, token, usage


def kinds(body: bytes) -> list[str]:
    return [one.kind for one in parse_events(body).events]


def only(said: object) -> Event:
    (found,) = parse_events(event(said)).events
    return found


def delta(**more: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": more, "finish_reason": None}]}


def test_several_events_in_one_read() -> None:
    assert kinds(token(" a") + token(" b") + finish() + b"data: [DONE]\n\n") == ["content", "content", "other", "done"]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_each_kind_of_line_end(end: bytes) -> None:
    body = (token(" a") + b": a comment\n\n" + token(" b")).replace(b"\n", end)
    assert kinds(body) == ["content", "comment", "content"]
    assert not parse_events(body).half


def test_an_event_is_complete_with_the_line_end_of_its_empty_line() -> None:
    # "data: x\n\n": bytes 0 to 8; the empty line ends with byte 8.
    assert [one.end for one in parse_events(b"data: x\n\ndata: y\r\n\r\n").events] == [8, 9 + 9]


def test_data_over_several_lines_are_one_event() -> None:
    assert kinds(b'data: {"choices":\ndata: [{"text": "a"}]}\n\n') == ["content"]


def test_a_byte_order_mark_is_no_data() -> None:
    assert kinds(b"\xef\xbb\xbf" + token(" a")) == ["content"]


def test_no_space_behind_the_colon() -> None:
    assert kinds(b'data:{"choices":[{"text":"a"}]}\n\n') == ["content"]


def test_half_an_event() -> None:
    found = parse_events(token(" a") + token(" b")[:-1])
    assert ([one.kind for one in found.events], found.half) == (["content"], True)


def test_done_without_an_empty_line_is_an_end() -> None:
    found = parse_events(token(" a") + b"data: [DONE]\n")
    assert ([one.kind for one in found.events], found.half) == (["content", "done"], False)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (delta(role="assistant", content=""), "role"),
        (delta(role="assistant", content="a"), "content"),
        (delta(content="a"), "content"),
        (delta(reasoning_content="hm"), "reasoning"),
        (delta(reasoning="hm"), "reasoning"),
        (delta(tool_calls=[{"index": 0}]), "tool"),
        (delta(content=""), "other"),
        ({"choices": [{"text": "a"}]}, "content"),
        ({"choices": [{"text": "", "token_ids": [7]}]}, "content"),
        ({"choices": [{"text": ""}]}, "other"),
        ({"choices": []}, "other"),
        ({"choices": [], "usage": {"prompt_tokens": 1}}, "usage"),
        ({"choices": [None, 3]}, "other"),
        ({"error": {"message": "no"}}, "error"),
        ({"error": "no"}, "error"),
        ([1], "broken"),
    ],
)
def test_an_event_is_typed_by_what_it_bears(said: object, kind: str) -> None:
    assert only(said).kind == kind


def test_usage_in_the_last_event_with_text_timings_and_finish() -> None:
    """llama.cpp ends so."""
    said = {
        "choices": [{"text": "", "finish_reason": "length"}],
        "usage": {"prompt_tokens": 257, "completion_tokens": 64, "prompt_tokens_details": {"cached_tokens": 12}},
        "timings": {"cache_n": 12},
    }
    assert only(said).kind == "usage"
    assert only(said).finish == "length"
    assert only(said).usage == Usage(input=257, output=64, cached=12)


def test_usage_beside_content() -> None:
    found = only({"choices": [{"text": "a"}], "usage": {"prompt_tokens": 3, "completion_tokens": 1}})
    assert (found.kind, found.usage) == ("content", Usage(input=3, output=1))


def test_errors_on_a_line_of_their_own_and_named_ones() -> None:
    assert kinds(b'error: {"code": 500, "message": "x"}\n\n') == ["error"]
    assert kinds(b'event: error\ndata: {"type": "overloaded"}\n\n') == ["error"]


def test_the_message_of_an_error_is_not_kept() -> None:
    assert only({"error": {"type": "a secret prompt", "code": 400, "message": "secret"}}).error == "400"


def test_what_is_no_json_is_broken() -> None:
    assert kinds(b"data: {'a'}\n\ndata: " + b"[" * 100_000 + b"\n\n") == ["broken", "broken"]


def test_damaged_utf8_is_still_content() -> None:
    assert kinds(b'data: {"choices":[{"text":"\xe4\xbd"}]}\n\n') == ["content"]


def test_no_more_events_than_an_answer_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_EVENTS", 10)
    assert not parse_events(b":\n" * 9).cut
    assert parse_events(b":\n" * 11).cut
    assert len(parse_events(b":\n" * 11).events) == 10


def test_a_long_line_without_an_end_takes_no_time() -> None:
    assert parse_events(b"data: " + bytes(30_000_000)).half


STREAM = SSE + b"".join(
    chunk(part)
    for part in (
        event(delta(role="assistant", content="")),
        event(delta(content="你好")).replace(b"\\u4f60\\u597d", "你好".encode()),
        token(" a") + token(" b").replace(b"\n", b"\r\n"),
        b": ping\n\n" + finish() + usage(5, 3),
        b"data: [DONE]\n\n",
    )
) + b"0\r\n\r\n"  # fmt: skip


@given(st.lists(st.integers(1, len(STREAM) - 1), max_size=30))
def test_any_split_into_reads_gives_the_same_events(cuts: list[int]) -> None:
    edges = [0, *sorted(set(cuts)), len(STREAM)]
    response = parse([STREAM[a:b] for a, b in pairwise(edges)], closed=False)
    found = parse_events(response.body)
    assert found == parse_events(parse([STREAM], closed=False).body)
    assert response.whole
    assert [one.kind for one in found.events] == [
        "role", "content", "content", "content", "comment", "other", "usage", "done",
    ]  # fmt: skip


@given(st.binary(max_size=200))
def test_no_bytes_are_an_exception(body: bytes) -> None:
    parse_events(body)
    parse_events(b"data: " + body + b"\n\n")
