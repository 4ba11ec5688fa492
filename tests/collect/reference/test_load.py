"""The load that a calibration has to stand: 64 streams of 20 ms, with time to spare on one core."""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from generator.collect.reference.process import reference_server

STREAMS, TOKENS, STEP = 64, 100, 0.020
BODY = b'{"prompt":"x","max_tokens":%d,"stream":true}' % TOKENS
REQUEST = b"POST /v1/completions HTTP/1.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(BODY), BODY)


def gauge(url: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", httpx.get(f"{url}/metrics").text, re.MULTILINE)
    assert found is not None
    return float(found[1])


@pytest.mark.slow
def test_64_streams_of_20_ms_take_less_than_60_percent_of_a_core() -> None:
    with reference_server("--step-ms", "20", "--slots", str(STREAMS)) as url:
        before = gauge(url, "process_cpu_seconds_total")
        answers = b"".join(received(url))
        took = gauge(url, "process_cpu_seconds_total") - before
    assert answers.count(b"data: {") == STREAMS * TOKENS
    assert answers.count(b"data: [DONE]") == STREAMS
    assert took < 0.6 * TOKENS * STEP


def received(url: str) -> Iterator[bytes]:
    """Yield what comes on all connections until the server has closed them."""
    port = int(url.rpartition(":")[2])
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(STREAMS):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            connection.sendall(REQUEST)
            selector.register(connection, selectors.EVENT_READ, connection)
        while selector.get_map():
            for key, _ in selector.select(10):
                data = key.data.recv(65536)
                if not data:
                    selector.unregister(key.fileobj)
                yield data
