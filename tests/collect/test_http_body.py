from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect import http_body
from generator.collect.http_body import MalformedError, Response, parse, parse_head
from generator.collect.recording import Head

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY = CHUNKED + b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\n"


def reads_of(response: Response, *offsets: int) -> list[int]:
    return [int(read) for read in response.reads_of(np.array(offsets, dtype=np.int64))]


def test_chunks_are_put_together() -> None:
    response = parse([BODY], closed=False)
    assert (response.body, response.whole, response.malformed, response.surplus) == (b"hello world", True, "", 0)


def test_each_byte_knows_its_read() -> None:
    # The second read begins inside "hello", the third with the last byte of " world".
    first = len(CHUNKED) + 3 + 2
    third = BODY.index(b"d\r\n0")
    response = parse([BODY[:first], BODY[first:third], BODY[third:]], closed=False)
    assert reads_of(response, 0, 1, 2, 9, 10) == [0, 0, 1, 1, 2]  # h e | l … l | d


def test_a_head_over_several_reads() -> None:
    response = parse([BODY[:7], BODY[7:20], BODY[20:]], closed=False)
    assert response.head == Head("HTTP/1.1", 200, (("transfer-encoding", "chunked"),))
    assert reads_of(response, 0) == [2]


def test_a_body_of_a_given_length() -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"
    response = parse([raw], closed=False)
    assert (response.body, response.whole, response.surplus) == (b"abc", True, 3)
    assert not parse([raw[:-4]], closed=True).whole


def test_a_body_that_ends_with_the_connection() -> None:
    raw = b"HTTP/1.0 200 OK\r\n\r\nabc"
    assert parse([raw], closed=True).whole
    assert not parse([raw], closed=False).whole
    assert parse([raw], closed=True).body == b"abc"


def test_interim_responses_are_passed_over() -> None:
    response = parse([b"HTTP/1.1 100 Continue\r\n\r\n" + BODY], closed=False)
    assert (response.head is not None and response.head.status, response.body) == (200, b"hello world")


def test_no_body_where_the_status_has_none() -> None:
    assert parse([b"HTTP/1.1 204 No Content\r\n\r\n"], closed=False).whole


def test_a_body_whose_head_was_read_off() -> None:
    response = parse([b"ab", b"c"], closed=True, head=Head("HTTP/1.1", 200))
    assert (response.body, response.whole, reads_of(response, 1, 2)) == (b"abc", True, [0, 1])


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 999999 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nna me: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        CHUNKED + b"zz\r\nabc\r\n",
        CHUNKED + b"-5\r\nhello\r\n",
        CHUNKED + b"4\r\nhello\r\n",
        b"x" * 70_000,
        b"HTTP/1.1 200 OK\r\nx: " + b"y" * 70_000,
        CHUNKED + b"5" * 5000 + b"\r\n",
    ],
)
def test_what_is_no_http_says_so(raw: bytes) -> None:
    assert parse([raw], closed=True).malformed
    assert not parse([raw], closed=True).whole


def test_what_came_before_a_broken_chunk_is_kept() -> None:
    assert parse([CHUNKED + b"5\r\nhello\r\nzz\r\n"], closed=True).body == b"hello"


def test_many_spaces_in_a_header_take_no_time() -> None:
    spaces = b" " * 60_000
    assert parse_head(b"HTTP/1.1 200 OK\r\nx:" + spaces + b"y" + spaces).get("x") == "y"


def test_a_header_line_by_line() -> None:
    head = parse_head(b"HTTP/1.1 200 OK\r\nKeep-Alive:timeout=5, max=100\r\nConnection: Keep-Alive , x")
    assert head.tokens("keep-alive") == {"timeout=5", "max=100"}
    assert head.tokens("connection") == {"keep-alive", "x"}
    with pytest.raises(MalformedError):
        parse_head(b"HTTP/1.1 OK")


@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda tail: CHUNKED + tail))
def test_no_bytes_are_an_exception(raw: bytes) -> None:
    response = parse([raw], closed=True)
    assert response.whole is False or response.head is not None


def test_more_chunks_than_an_answer_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_body, "MOST_CHUNKS", 10)
    assert not parse([CHUNKED + b"1\r\nx\r\n" * 10], closed=False).malformed
    response = parse([CHUNKED + b"1\r\nx\r\n" * 11], closed=False)
    assert response.malformed == "there are too many chunks"


def test_interim_responses_without_end() -> None:
    assert parse([b"HTTP/1.1 100 Continue\r\n\r\n" * 4000], closed=True).malformed
