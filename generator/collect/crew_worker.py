"""One of several processes that drive a level together: it does the part that comes in, and says what became of it.

It opens its connections, says so, and waits for the moment at which all begin. A further message, or the end of the
pipe, cuts it short: it ends where the client does, and a Ctrl-C at the terminal is the client's to hear.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from generator.collect.crew_messages import Order, frame, packed_part, read_frame
from generator.collect.engine_process.family import die_with
from generator.collect.load import Part, run_part
from generator.collect.transport import transport_for

READY = b"ready"


async def _orders() -> asyncio.StreamReader:
    source = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(source), sys.stdin.buffer)
    return source


def _tell(message: bytes) -> None:
    with suppress(BrokenPipeError):  # nobody is left to hear it
        sys.stdout.buffer.write(frame(message))
        sys.stdout.buffer.flush()


async def _work(order: Order, orders: asyncio.StreamReader) -> Part:
    """Do an order; what comes in then is the beginning, and what comes after that the end."""
    begins: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def gate() -> int:
        _tell(READY)
        return await begins

    async def listen() -> None:
        with suppress(asyncio.IncompleteReadError, ValueError):
            begins.set_result(int(await read_frame(orders)))
            await read_frame(orders)
        working.cancel()

    transport = transport_for(order.url, limits=order.limits)
    working = asyncio.create_task(run_part(order.plan, order.url, transport, gate=gate))
    listening = asyncio.create_task(listen())
    try:
        return await working
    finally:
        listening.cancel()
        await transport.aclose()


async def _main() -> None:
    orders = await _orders()
    with suppress(asyncio.IncompleteReadError):
        _tell(packed_part(await _work(Order.unpacked(await read_frame(orders)), orders)))


if __name__ == "__main__":
    die_with(int(sys.argv[1]))
    asyncio.run(_main())
