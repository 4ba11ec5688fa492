from __future__ import annotations

import asyncio
import base64

import httpx
import pytest

from generator.collect.plain import PlainTransport
from generator.collect.pool import _Allowed
from generator.collect.recording import EXTENSION, Head, Limits, Recording
from generator.collect.transport import StampingTransport, transport_for, wire
from tests.collect.faulty import SHORT, SSE, Answer, Visit, Way, free_port, serving, transport

POST = httpx.Request("POST", "http://h:1/v1/x?y=%20z", content=b"{}", headers={"X-A": "1"})


def test_plain_http_is_stamped_by_the_kernel_and_all_else_by_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:3128")
    for url, kind in (
        ("http://127.0.0.1:8000/v1", StampingTransport),  # never by a proxy: it is of this machine
        ("https://127.0.0.1:8000/v1", PlainTransport),
        ("http://gpu7.example:8000/v1", PlainTransport),
    ):
        found = transport_for(url)
        assert type(found) is kind
        asyncio.run(found.aclose())


def test_a_request_as_bytes() -> None:
    sent = wire(POST, b"{}", closing=False)
    head, body = sent.split(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert (lines[0], body) == (b"POST /v1/x?y=%20z HTTP/1.1", b"{}")
    assert {b"Host: h:1", b"X-A: 1", b"Content-Length: 2"} <= set(lines)
    assert head.lower().count(b"content-length") == 1


def test_a_request_that_has_the_connection_for_itself_says_so() -> None:
    assert wire(POST, b"", closing=True).lower().count(b"connection: close") == 1


def test_a_get_has_no_length() -> None:
    assert b"content-length" not in wire(httpx.Request("GET", "http://h/"), b"", closing=False).lower()


@pytest.mark.parametrize("headers", [{"X": "a\r\nY: b"}, {"X\r\nY": "b"}])
def test_no_header_breaks_out_of_its_line(headers: dict[str, str]) -> None:
    with pytest.raises(httpx.LocalProtocolError):
        wire(httpx.Request("GET", "http://h/", headers=headers), b"", closing=False)


@pytest.mark.parametrize("way", ["kernel", "user"])
def test_httpx_uses_it_like_any_other(way: Way) -> None:
    """URLs, headers, authentication and bodies are httpx's; the recording is an extension."""
    seen: list[bytes] = []

    async def answer(visit: Visit) -> None:
        seen.append(b"")
        body = b'{"ok": true}'
        await visit.send(b"HTTP/1.1 200 OK\r\nX-Y: z\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    async def run() -> None:
        recording = Recording()
        async with serving(answer) as url, httpx.AsyncClient(transport=transport(way, SHORT), base_url=url) as client:
            response = await client.get("/props", auth=("u", "p"), extensions={EXTENSION: recording})
        assert (response.status_code, response.json(), response.headers["x-y"]) == (200, {"ok": True}, "z")
        assert response.request.headers["authorization"] == "Basic " + base64.b64encode(b"u:p").decode()
        assert recording.end == "whole"
        assert recording.sent <= recording.read_at[0] <= recording.ended

    asyncio.run(run())
    assert len(seen) == 1


@pytest.mark.parametrize("way", ["kernel", "user"])
def test_a_failure_is_an_error_of_httpx(way: Way) -> None:
    async def run() -> None:
        async with httpx.AsyncClient(transport=transport(way, SHORT)) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get(f"http://127.0.0.1:{free_port()}/")

    asyncio.run(run())


def test_it_refuses_what_it_cannot_do() -> None:
    async def run() -> None:
        async with httpx.AsyncClient(transport=StampingTransport(SHORT)) as client:
            for method, url in (("GET", "https://127.0.0.1/"), ("HEAD", "http://127.0.0.1/")):
                with pytest.raises(httpx.UnsupportedProtocol):
                    await client.request(method, url)

    asyncio.run(run())


def test_connections_are_opened_beforehand() -> None:
    async def answer(visit: Visit) -> None:
        await visit.answer()

    async def run() -> None:
        async with serving(answer) as url:
            to = StampingTransport(SHORT)
            pool = to.pool(httpx.URL(url))
            assert await to.warm(url, 3) == 3
            assert await to.warm(url, 3) == 3
            assert (pool.opened, pool.idle) == (3, 3)
            await to.aclose()
            nobody = StampingTransport(Limits(connect_s=1))
            assert await nobody.warm(f"http://127.0.0.1:{free_port()}", 2) == 0
            await nobody.aclose()

    asyncio.run(run())


def test_a_connection_that_the_server_closed_meanwhile_is_not_taken() -> None:
    """The server closes what is idle after 50 ms; the client finds out before it sends, and needs no retry."""

    async def answer(visit: Visit) -> None:
        await visit.answer()
        asyncio.get_running_loop().call_later(0.05, visit.writer.close)

    async def run() -> Recording:
        async with serving(answer) as url, httpx.AsyncClient(transport=StampingTransport(SHORT)) as client:
            await client.post(url, content=b"{}")
            await asyncio.sleep(0.15)
            recording = Recording()
            await client.post(url, content=b"{}", extensions={EXTENSION: recording})
            return recording

    found = asyncio.run(run())
    assert (found.end, found.reused, found.retries) == ("whole", False, 0)


def asked_one_after_another(answer: Answer, count: int) -> list[Recording]:
    async def run() -> list[Recording]:
        found = [Recording() for _ in range(count)]
        async with serving(answer) as url, httpx.AsyncClient(transport=StampingTransport(SHORT)) as client:
            for recording in found:
                await client.post(url, content=b"{}", extensions={EXTENSION: recording})
        return found

    return asyncio.run(run())


def test_a_server_that_closes_at_once_against_its_word_gets_a_new_connection_each_time() -> None:
    """llama.cpp's server: it says ``Keep-Alive`` and closes after every streamed answer."""

    async def answer(visit: Visit) -> None:
        await visit.answer(head=SSE.replace(b"\r\n\r\n", b"\r\nKeep-Alive: timeout=5, max=100\r\n\r\n"))
        visit.close()

    found = asked_one_after_another(answer, 8)
    assert [one.end for one in found] == ["whole"] * 8
    # The second, third and fourth find a kept connection that is closed, before they send or after; the others none.
    assert sum(one.retries for one in found[1:4]) <= 3
    assert [(one.retries, one.reused) for one in found[4:]] == [(0, False)] * 4


def test_a_server_that_closes_now_and_then_is_believed_again() -> None:
    async def answer(visit: Visit) -> None:
        await visit.answer()
        if visit.number in {1, 2, 4, 5}:
            visit.close()

    # Requests 2, 3, 5 and 6 find a closed connection, but never three in a row: 4 goes over that of 3, and 7 of 6.
    found = asked_one_after_another(answer, 8)
    assert [one.end for one in found] == ["whole"] * 8
    assert [found[number - 1].reused for number in (4, 7, 8)] == [True] * 3


# ---- what a server allows of a connection ----


def allowed(version: str = "HTTP/1.1", **headers: str) -> _Allowed:
    found = _Allowed()
    found.note(Head(version, 200, tuple((name.replace("_", "-"), value) for name, value in headers.items())))
    return found


def test_the_idle_time_of_the_server_with_a_margin() -> None:
    assert allowed().idle_s == 2  # none is named
    assert allowed(keep_alive="timeout=5, max=100").idle_s == 4  # a second before
    assert allowed(keep_alive="timeout=1").idle_s == 0.5  # half of it


def test_as_many_requests_as_the_server_allows() -> None:
    assert allowed(keep_alive="timeout=5, max=100").another(99)
    assert not allowed(keep_alive="timeout=5, max=100").another(100)
    assert not allowed(keep_alive="max=0").another(0)


def test_a_connection_that_is_to_be_closed() -> None:
    assert allowed().another(1)
    assert not allowed(connection="Close").another(1)
    assert not allowed("HTTP/1.0").another(1)
    assert allowed("HTTP/1.0", connection="keep-alive").another(1)
