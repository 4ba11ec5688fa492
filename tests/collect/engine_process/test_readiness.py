from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from generator.collect.engine_process.failure import EngineError
from generator.collect.engine_process.ports import free_port
from generator.collect.engine_process.process import EngineProcess
from generator.collect.engine_process.readiness import Ready, until_attached, until_ready
from generator.errors import InputError
from tests.collect.engine_process.toys import SERVER, SLEEP, engine, said, task, until

ENOUGH_S = 30.0


def wait_for(process: EngineProcess, port: int, health: str = "/health", timeout_s: float = ENOUGH_S) -> Ready:
    return asyncio.run(until_ready(process, f"http://127.0.0.1:{port}", health, timeout_s))


def hear_out(connection: socket.socket) -> None:
    """Read a whole request: what is not read when a connection is closed resets it."""
    heard, more = b"", b"?"
    while more and not whole(heard):
        more = connection.recv(65536)
        heard += more


def whole(request: bytes) -> bool:
    head, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


@contextmanager
def answering(raw: bytes) -> Iterator[int]:
    """Answer each connection with the same bytes; none means to hang."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            held = []
            while True:
                try:
                    connection = server.accept()[0]
                except OSError:
                    break
                held.append(connection)
                if raw:
                    with connection, suppress(OSError):  # who has heard enough hangs up
                        hear_out(connection)
                        connection.sendall(raw)
            for connection in held:
                connection.close()

        thread = Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def test_ready_comes_after_a_while_of_503(tmp_path: Path) -> None:
    port, ready, log = free_port(), tmp_path / "ready", tmp_path / "server.log"
    with engine(log, task(SERVER, str(port), str(ready))) as process:

        def let_it_load() -> None:
            until(said(log, "health 503"))
            time.sleep(0.2)
            ready.touch()

        friend = Thread(target=let_it_load)
        friend.start()
        moments = wait_for(process, port)
        friend.join()
    assert process.spawned_ns < moments.port_ns < moments.healthy_ns
    # It answered 503 for at least 0.2 s.
    assert moments.healthy_ns - moments.port_ns > 0.2e9


def test_never_ready_ends_with_the_last_words(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "server.log"
    never = r"not ready within 2 s: /health answered 503.*'health 503'"
    with (
        engine(log, task(SERVER, str(port), str(tmp_path / "never"))) as process,
        pytest.raises(EngineError, match=never) as raised,
    ):
        wait_for(process, port, timeout_s=2)
    assert raised.value.last_lines[-1] == "health 503"


def test_never_listening_says_so(tmp_path: Path) -> None:
    with (
        engine(tmp_path / "server.log", task(SLEEP)) as process,
        pytest.raises(EngineError, match=re.escape("not ready within 0.5 s: nobody listened on the port")),
    ):
        wait_for(process, free_port(), timeout_s=0.5)


def test_an_engine_that_dies_is_not_waited_for(tmp_path: Path) -> None:
    script = "import sys; print('loading'); print('CUDA error: out of memory'); sys.exit(3)"
    begun = time.monotonic()
    with (
        engine(tmp_path / "server.log", task(script)) as process,
        pytest.raises(EngineError, match=r"ended with exit code 3; .*'CUDA error: out of memory'") as raised,
    ):
        wait_for(process, free_port(), timeout_s=600)
    assert time.monotonic() - begun < 30
    assert raised.value.last_lines == ("loading", "CUDA error: out of memory")
    assert "\n" not in str(raised.value)


def test_one_that_is_killed_says_by_what(tmp_path: Path) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    with (
        engine(tmp_path / "server.log", task(script)) as process,
        pytest.raises(EngineError, match="was ended by signal 9; it printed nothing"),
    ):
        wait_for(process, free_port())


def test_a_health_path_that_is_not_there_is_not_waited_for(tmp_path: Path) -> None:
    port = free_port()
    with (
        engine(tmp_path / "server.log", task(SERVER, str(port), "never")) as process,
        pytest.raises(EngineError, match=r"/healthz answered 404.*name the right health path"),
    ):
        wait_for(process, port, "/healthz", timeout_s=600)


def test_a_server_that_runs_is_attached_to() -> None:
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as port:
        asyncio.run(until_attached(f"http://127.0.0.1:{port}", "/health"))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "answered 503"),
        (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "answered 401"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "did not answer"),
        (b"", "did not answer"),
    ],
    ids=["loading", "a key is missing", "no HTTP", "hangs"],
)
def test_one_that_is_not_well_is_refused(raw: bytes, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.collect.engine_process.readiness.ANSWER_S", 0.2)
    with answering(raw) as port, pytest.raises(InputError, match=f"/health {said}"):
        asyncio.run(until_attached(f"http://127.0.0.1:{port}", "/health", 0.3))


def test_so_is_one_that_does_not_run() -> None:
    with pytest.raises(InputError, match="ConnectError"):
        asyncio.run(until_attached(f"http://127.0.0.1:{free_port()}", "/health", 0.2))
