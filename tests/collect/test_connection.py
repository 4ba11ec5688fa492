from __future__ import annotations

import asyncio
import errno
import socket

import pytest

from generator.collect.connection import HAS_STAMPS, Connection, ask_for_stamps, ending
from generator.collect.recording import NO_STAMP, End, Limits, Recording

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    ours.setblocking(False)
    return ours, theirs


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, ""), "refused"),
        (ConnectionResetError(errno.ECONNRESET, ""), "reset"),
        (BrokenPipeError(errno.EPIPE, ""), "reset"),
        (TimeoutError(), "timed_out"),
        (OSError(errno.EHOSTUNREACH, ""), "unreachable"),
        (socket.gaierror(socket.EAI_NONAME, ""), "unreachable"),
        (OSError(errno.EMFILE, ""), "not_sent"),
        (OSError(errno.EADDRNOTAVAIL, ""), "not_sent"),
    ],
)
def test_what_an_error_of_a_socket_means(error: OSError, end: End) -> None:
    assert ending(error) == end


@pytest.mark.skipif(not HAS_STAMPS, reason="the kernel gives no stamps here")
def test_each_read_has_a_stamp_of_the_kernel() -> None:
    async def run() -> Recording:
        ours, theirs = pair()
        assert ask_for_stamps(ours)
        await asyncio.sleep(0.05)  # the kernel begins to stamp a moment later
        connection, recording = Connection(ours, asyncio.get_running_loop()), Recording()
        exchange = asyncio.create_task(connection.exchange(b"GET / HTTP/1.1\r\n\r\n", recording, Limits()))
        for part in (ANSWER[:20], ANSWER[20:]):
            await asyncio.sleep(0.02)
            theirs.send(part)
        await exchange
        assert connection.open
        assert connection.is_quiet()
        connection.close()
        theirs.close()
        return recording

    recording = asyncio.run(run())
    assert (recording.end, recording.reads) == ("whole", [ANSWER[:20], ANSWER[20:]])
    assert all(stamp != NO_STAMP for stamp in recording.stamps)


def test_an_idle_connection_that_the_other_side_closes_is_closed() -> None:
    async def run() -> None:
        ours, theirs = pair()
        connection = Connection(ours, asyncio.get_running_loop())
        assert connection.is_quiet()
        theirs.close()
        assert not connection.is_quiet()  # known before the loop has got to it
        await asyncio.sleep(0.02)
        assert not connection.open

    asyncio.run(run())


def test_bytes_that_nobody_asked_for_end_a_connection() -> None:
    async def run() -> None:
        ours, theirs = pair()
        connection = Connection(ours, asyncio.get_running_loop())
        theirs.send(ANSWER)
        await asyncio.sleep(0.02)
        assert not connection.open
        theirs.close()

    asyncio.run(run())


def test_a_body_without_a_length_is_whole_when_the_connection_ends() -> None:
    async def run() -> Recording:
        ours, theirs = pair()
        connection, recording = Connection(ours, asyncio.get_running_loop()), Recording()
        theirs.send(b"HTTP/1.0 200 OK\r\n\r\nok")
        theirs.close()
        await connection.exchange(b"GET / HTTP/1.0\r\n\r\n", recording, Limits())
        assert not connection.open
        return recording

    assert asyncio.run(run()).end == "whole"


def test_an_answer_to_a_request_that_is_still_being_sent() -> None:
    """413 at once, and the server reads no further: the answer counts, not the broken pipe."""

    async def run() -> Recording:
        ours, theirs = pair()
        connection, recording = Connection(ours, asyncio.get_running_loop()), Recording()
        exchange = asyncio.create_task(connection.exchange(bytes(30_000_000), recording, Limits(total_s=5)))
        await asyncio.sleep(0.05)
        theirs.send(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        await exchange
        connection.close()
        theirs.close()
        return recording

    recording = asyncio.run(run())
    assert recording.end == "whole"
    assert recording.head is not None
    assert recording.head.status == 413


def test_what_comes_between_the_end_and_the_next_request_ends_the_connection() -> None:
    async def run() -> Recording:
        ours, theirs = pair()
        connection, recording = Connection(ours, asyncio.get_running_loop()), Recording()
        exchange = asyncio.create_task(connection.exchange(b"GET / HTTP/1.1\r\n\r\n", recording, Limits()))
        await asyncio.sleep(0.02)
        for data in (ANSWER, b"HTTP/1.1 200 OK\r\n"):  # both before the one who waits has run again
            theirs.send(data)
            connection._readable()
        await exchange
        assert not connection.open
        theirs.close()
        return recording

    recording = asyncio.run(run())
    assert (recording.end, recording.reads) == ("whole", [ANSWER])
