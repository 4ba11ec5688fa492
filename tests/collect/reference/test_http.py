from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.reference.http import MOST_BODY, MOST_HEAD, HttpError, Request, RequestReader, chunk_of, head_of

POST = b"POST /v1/completions?a=b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
GET = b"GET /health HTTP/1.1\r\n\r\n"


def read(*pieces: bytes) -> list[Request]:
    reader, found = RequestReader(), []
    for piece in pieces:
        reader.feed(piece)
        while (request := reader.next()) is not None:
            found.append(request)
    return found


def test_a_request_is_taken_apart() -> None:
    [request] = read(POST)
    assert (request.head.method, request.path, request.query, request.body) == (
        "POST",
        "/v1/completions",
        "a=b",
        b"hello",
    )
    assert request.head.fields == {"host": "x", "content-length": "5"}


def test_a_chunked_body_is_put_together() -> None:
    assert read(CHUNKED)[0].body == b"abcde"


@given(cuts=st.lists(st.integers(0, len(POST + CHUNKED + GET)), max_size=8))
def test_requests_may_be_cut_anywhere(cuts: list[int]) -> None:
    whole = POST + CHUNKED + GET
    edges = [0, *sorted(cuts), len(whole)]
    pieces = [whole[start:end] for start, end in pairwise(edges)]
    assert [request.body for request in read(*pieces)] == [b"hello", b"abcde", b""]


@pytest.mark.parametrize(
    ("line", "keeps"),
    [
        (b"GET / HTTP/1.1\r\n", True),
        (b"GET / HTTP/1.1\r\nConnection: Close\r\n", False),
        (b"GET / HTTP/1.1\r\nConnection: x, close\r\n", False),
        (b"GET / HTTP/1.0\r\n", False),
        (b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n", True),
    ],
)
def test_who_wants_the_connection_again(line: bytes, keeps: bool) -> None:
    assert read(line + b"\r\n")[0].keeps_alive is keeps


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
        (b"GET  / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n\r\n", 400),
        (b"GET /a\nb HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nname : x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX-Request-Id: a\nb\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: a\r\n folded\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 9999999999999999999999\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MOST_BODY + 1), 413),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (MOST_BODY + 1), 413),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 300, 400),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 101 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * MOST_HEAD, 431),
    ],
)
def test_what_is_no_request_is_refused(raw: bytes, status: int) -> None:
    with pytest.raises(HttpError) as caught:
        read(raw)
    assert caught.value.status == status


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        assert len(read(raw)) < 20
    except HttpError as error:
        assert error.status in {400, 413, 431}  # noqa: PT017  # either way is right


def test_a_repeated_field_is_one_list() -> None:
    assert read(b"GET / HTTP/1.1\r\nA: 1\r\na: 2\r\n\r\n")[0].head.fields == {"a": "1, 2"}


def test_a_client_that_waits_for_leave() -> None:
    reader = RequestReader()
    reader.feed(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
    assert reader.next() is None
    assert reader.waits_for_leave


def test_heads_and_chunks_of_answers() -> None:
    assert head_of(404, {"A": "b"}) == b"HTTP/1.1 404 Not Found\r\nA: b\r\n\r\n"
    assert chunk_of(b"x" * 17) == b"11\r\n" + b"x" * 17 + b"\r\n"
