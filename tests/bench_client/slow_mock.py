"""The server of the benchmark where there is no C compiler: the same words, answers and records as mock.c, slower.

python slow_mock.py ITL_US TTFT_US spread|step TRUTH
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import struct
import sys
import time
from pathlib import Path
from typing import Final

HEAD: Final = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
LAST: Final = b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
DEFAULT_TOKENS: Final = 128
S: Final = 1_000_000_000


class Mock:
    """All streams of the server, and when each chunk was sent."""

    def __init__(self, itl_ns: int, ttft_ns: int, *, in_step: bool) -> None:
        self.records = bytearray()
        self._itl, self._ttft, self._in_step = max(itl_ns, 1), ttft_ns, in_step

    async def on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length:\s*(\d+)", head.lower())
                body = await reader.readexactly(int(length[1]) if length else 0)
                if head.startswith(b"POST"):
                    await self._stream(json.loads(body), writer)
                else:
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError):
            writer.close()

    async def _stream(self, asked: dict[str, int], writer: asyncio.StreamWriter) -> None:
        number, tokens = asked.get("seed", 0), asked.get("max_tokens", DEFAULT_TOKENS)
        phase = 0 if self._in_step else int(number * 0.6180339887 % 1 * self._itl)
        due = ((time.monotonic_ns() + self._ttft) // self._itl + 1) * self._itl + phase
        writer.write(HEAD)
        for index in range(tokens):
            await asyncio.sleep(max(due - time.monotonic_ns(), 0) / S)
            data = chunk(number, " token", "length" if index + 1 == tokens else None)
            self.records += struct.pack("=IIQ", number, index, time.monotonic_ns())
            writer.write(data)
            due += self._itl
        writer.write(LAST)
        await writer.drain()


def chunk(number: int, text: str, finish: str | None) -> bytes:
    said = {"id": f"cmpl-{number:08x}", "model": "m", "choices": [{"index": 0, "text": text, "finish_reason": finish}]}
    event = b"data: " + json.dumps(said).encode() + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(event), event)


async def main(itl_ns: int, ttft_ns: int, mode: str) -> bytes:
    """Serve until SIGTERM; return the records."""
    mock = Mock(itl_ns, ttft_ns, in_step=mode == "step")
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    server = await asyncio.start_server(mock.on_connection, "127.0.0.1", 0, backlog=4096)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await stopped.wait()
    server.close()
    return bytes(mock.records)


if __name__ == "__main__":
    records = asyncio.run(main(int(sys.argv[1]) * 1000, int(sys.argv[2]) * 1000, sys.argv[3]))
    Path(sys.argv[4]).write_bytes(records)
