from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.framing import Framing
from generator.collect.http_body import MalformedError

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY = CHUNKED + b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\n"


def ends_at(raw: bytes, cuts: list[int]) -> int | None:
    """Return the read with which the end was found."""
    framing = Framing()
    edges = [0, *sorted({cut % len(raw) for cut in cuts} - {0}), len(raw)]
    for number, (a, b) in enumerate(pairwise(edges)):
        if framing.over(raw[a:b]):
            return number - (len(edges) - 2)
    return None


@given(st.lists(st.integers(0, 10_000), max_size=12))
def test_the_end_is_found_with_the_last_read_however_it_is_cut(cuts: list[int]) -> None:
    assert ends_at(BODY, cuts) == 0
    assert ends_at(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", cuts) == 0
    assert ends_at(BODY[:-1], cuts) is None


def test_an_end_within_a_chunk_is_none() -> None:
    """A chunk that holds what looks like the end."""
    inner = b"0\r\n\r\n"
    framing = Framing()
    assert not framing.over(CHUNKED + b"5\r\n" + inner)
    assert not framing.over(b"\r\n")
    assert framing.over(inner)


def test_bytes_behind_the_end_are_noticed() -> None:
    framing = Framing()
    assert not framing.over(CHUNKED)
    assert not framing.over(BODY[len(CHUNKED) :] + b"HTTP/1.1 200")  # no end at the end of the read …
    assert framing.look()  # … but where one looks
    assert framing.surplus


def test_a_body_without_a_length_ends_with_the_connection() -> None:
    framing = Framing()
    assert not framing.over(b"HTTP/1.0 200 OK\r\n\r\nabc")
    assert framing.ends_with_connection


@pytest.mark.parametrize("raw", [b"SSH-2.0\r\n\r\n", CHUNKED + b"zz\r\n", CHUNKED + b"1" * 5000])
def test_what_is_no_http_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedError):
        Framing().over(raw)
