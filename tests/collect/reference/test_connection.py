"""The rules of HTTP/1.1 that clients rely on, and clients that keep to none."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from generator.collect.reference.connection import Connection
from generator.collect.reference.http import MOST_BODY, HttpError, Request
from tests.collect.reference.running import QUICK, Running, asking, running


@pytest.fixture
def server() -> Iterator[Running]:
    with running() as started:
        yield started


def raw(body: object, *fields: str, minor: int = 1) -> bytes:
    data = json.dumps(body).encode()
    lines = [f"POST /v1/completions HTTP/1.{minor}", f"Content-Length: {len(data)}", *fields, "", ""]
    return "\r\n".join(lines).encode() + data


class Silent:
    """A service that answers nothing."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.settings = QUICK

    def serve(self, request: Request, connection: Connection) -> None:
        """Leave it unanswered."""

    def refuse(self, error: HttpError, connection: Connection) -> None:
        """Leave it unanswered."""


async def accept(sock: socket.socket) -> None:
    """Give a socket to a connection of the server, as asyncio does."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(lambda: Connection(Silent(), loop), sock)
    transport.close()


def test_a_connection_is_used_again(server: Running) -> None:
    answers = server.send(raw(asking(2)) + raw(asking(3), "Connection: close"))
    assert answers.count(b"HTTP/1.1 200 OK") == 2
    assert answers.count(b"data: [DONE]") == 2
    assert answers.endswith(b"0\r\n\r\n")


def test_no_chunk_waits_for_the_acknowledgement_of_an_earlier_one() -> None:
    # Nagle's algorithm would hold the first chunk of a reused connection for as long as the client delays its
    # acknowledgement of the head, 40 ms, and its stamp would be that much too early.
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
            asyncio.run(accept(accepted.dup()))
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_close_is_honoured_and_said(server: Running) -> None:
    assert b"Connection: close\r\n" in server.send(raw(asking(1), "Connection: close"))


def test_llamacpp_says_how_long_it_keeps_a_connection() -> None:
    with running(replace(QUICK, style="llamacpp", most_requests=100)) as server:
        assert httpx.get(f"{server.url}/health").headers["Keep-Alive"] == "timeout=5, max=100"


def test_a_connection_ends_after_its_requests() -> None:
    with running(replace(QUICK, most_requests=2)) as server:
        answers = server.send(b"GET /health HTTP/1.1\r\n\r\n" * 5)
        assert answers.count(b"HTTP/1.1 200 OK") == 2
        assert answers.count(b"Connection: close") == 1


def test_an_idle_connection_is_closed() -> None:
    with running(replace(QUICK, idle_seconds=0.1)) as server:
        start = time.monotonic()
        assert server.send(b"") == b""
        assert server.send(b"GET /health HTTP/1.1\r\n") == b""  # half a request is idle, too
        assert 0.2 <= time.monotonic() - start < 5


def test_a_stream_is_not_idle() -> None:
    with running(replace(QUICK, idle_seconds=0.05)) as server:
        answer = server.send(raw(asking(100)))  # 200 ms
        assert answer.count(b"data: ") == 101


def test_a_client_of_the_old_protocol_gets_its_stream_unframed(server: Running) -> None:
    head, _, body = server.send(raw(asking(2), minor=0)).partition(b"\r\n\r\n")
    assert b"Transfer-Encoding" not in head
    assert b"Connection: close" in head
    assert body.startswith(b"data: {")
    assert body.endswith(b"data: [DONE]\n\n")


def test_a_client_that_waits_for_leave_gets_it(server: Running) -> None:
    head, body = raw(asking(1), "Expect: 100-continue", "Connection: close").split(b"\r\n\r\n", 1)
    with socket.create_connection(("127.0.0.1", server.server.port), timeout=10) as connection:
        connection.sendall(head + b"\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b"[DONE]" in answer


def test_requests_may_come_byte_by_byte(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.server.port), timeout=10) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in raw(asking(1), "Connection: close"):
            connection.sendall(bytes([byte]))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b"[DONE]" in answer


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"\x16\x03\x01\x00\xa5\x01\r\n\r\n", b"400 Bad Request"),
        (b"GET / HTTP/1.1\r\nbroken\r\n\r\n", b"400 Bad Request"),
        (b"POST /tokenize HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400 Bad Request"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000, b"431 Request Header Fields Too Large"),
        (b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MOST_BODY + 1) + b"x" * 500_000, b"413 "),
    ],
)
def test_what_is_no_request_gets_an_error_and_the_server_lives(server: Running, sent: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.server.port), timeout=10) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]
    assert httpx.get(f"{server.url}/health").status_code == 200


def test_a_flood_of_requests_ahead_is_answered_in_order(server: Running) -> None:
    ahead = b"GET /v1/models HTTP/1.1\r\n\r\n" * 20_000  # half a megabyte behind a stream
    answers = server.send(raw(asking(50)) + ahead + b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert answers.count(b"HTTP/1.1 200 OK") == 20_002


def test_a_hundred_connections_come_and_go(server: Running) -> None:
    for turn in range(100):
        with socket.create_connection(("127.0.0.1", server.server.port), timeout=10) as connection:
            if turn % 4 == 1:
                connection.sendall(b"GET /hea")
            elif turn % 4 == 2:
                connection.sendall(raw(asking(1000)))
            elif turn % 4 == 3:
                connection.sendall(raw(asking(1)))
                connection.recv(1)
    with httpx.Client(base_url=server.url) as client:
        deadline = time.monotonic() + 10
        while (state := client.get("/reference/state").json())["running"] or len(server.server._routes.connections) > 1:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert (state["waiting"], state["kv_blocks_used"]) == (0, 0)
        assert client.post("/v1/completions", json=asking()).status_code == 200
