"""Every way in which a server fails is an outcome with a reason, and the level goes on."""

from __future__ import annotations

import asyncio
import random
import resource

import pytest

from generator.collect.load import LevelRun, Plan, run_level
from generator.collect.outcome import is_reason
from generator.collect.recording import MIB, Limits
from tests.collect.faulty import (
    DONE,
    JOB,
    LAST_CHUNK,
    SHORT,
    SSE,
    Answer,
    Visit,
    Way,
    chunk,
    event,
    free_port,
    level,
    token,
    transport,
    usage,
)

WAYS = pytest.mark.parametrize("way", ["kernel", "user"])


def reasons(found: LevelRun) -> list[str | None]:
    told = [one.reason for one in found.outcomes]
    assert all(reason is None or is_reason(reason) for reason in told)
    return told


def on_second(fault: Answer) -> Answer:
    """Answer as the fault says at the second request, and well otherwise."""

    async def answer(visit: Visit) -> None:
        await (fault(visit) if visit.number == 2 else visit.answer())

    return answer


def one_fault(fault: Answer, way: Way, limits: Limits = SHORT) -> LevelRun:
    """Four requests, one after the other; the second meets the fault, and the others must be well."""
    found = level(on_second(fault), 4, 1, way=way, limits=limits)
    told = reasons(found)
    assert len(told) == 4
    assert told[0] is told[2] is told[3] is None
    assert [len(one.chunks) for one in found.outcomes][2:] == [3, 3]
    return found


@WAYS
def test_nobody_listens(way: Way) -> None:
    async def run() -> LevelRun:
        to = transport(way, SHORT)
        found = await run_level(Plan([JOB] * 3, 2), f"http://127.0.0.1:{free_port()}", to)
        await to.aclose()
        return found

    found = asyncio.run(run())
    assert reasons(found) == ["refused"] * 3
    assert all(one.sent > 0 and one.first_byte == 0 for one in found.outcomes)


@WAYS
def test_a_host_without_a_name(way: Way) -> None:
    async def run() -> LevelRun:
        to = transport(way, SHORT)
        found = await run_level(Plan([JOB], 1), "http://no-such-host.invalid:80", to)
        await to.aclose()
        return found

    assert reasons(asyncio.run(run())) == ["unreachable"]


@WAYS
def test_503_while_it_loads_then_well(way: Way) -> None:
    async def loading(visit: Visit) -> None:
        body = b'{"error":{"code":503,"message":"Loading model"}}'
        await visit.send(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    found = one_fault(loading, way)
    assert found.outcomes[1].reason == "http_503"
    assert found.outcomes[1].status == 503


@WAYS
def test_429(way: Way) -> None:
    async def busy(visit: Visit) -> None:
        await visit.send(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")

    assert one_fault(busy, way).outcomes[1].reason == "http_429"


@WAYS
def test_a_page_of_html(way: Way) -> None:
    async def page(visit: Visit) -> None:
        await visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>")

    found = one_fault(page, way).outcomes[1]
    assert (found.reason, found.status, len(found.chunks)) == ("not_sse", 200, 0)


@WAYS
def test_it_hangs_after_the_first_token(way: Way) -> None:
    async def hang(visit: Visit) -> None:
        await visit.send(SSE + chunk(token(" a")))
        await asyncio.sleep(60)

    found = one_fault(hang, way).outcomes[1]
    assert (found.reason, len(found.chunks)) == ("stalled", 1)
    assert 0.15e9 < found.ended - found.first_token < 2e9  # the stall limit is 0.2 s


@WAYS
def test_nothing_comes_at_all(way: Way) -> None:
    async def silence(_: Visit) -> None:
        await asyncio.sleep(60)

    found = one_fault(silence, way, Limits(total_s=0.4, stall_s=0.1)).outcomes[1]
    assert (found.reason, found.first_byte) == ("timed_out", 0)
    assert 0.3e9 < found.ended - found.sent < 2e9


@WAYS
def test_it_talks_without_end(way: Way) -> None:
    async def talk(visit: Visit) -> None:
        await visit.send(SSE)
        while True:
            await visit.send(chunk(token(" a")))
            await asyncio.sleep(0.02)

    found = one_fault(talk, way, Limits(total_s=0.5, stall_s=0.3)).outcomes[1]
    assert found.reason == "timed_out"
    assert len(found.chunks) > 5


@WAYS
def test_a_reset_in_mid_stream(way: Way) -> None:
    async def reset(visit: Visit) -> None:
        await visit.send(SSE + chunk(token(" a")))
        await asyncio.sleep(0.05)
        visit.reset()

    found = one_fault(reset, way).outcomes[1]
    assert (found.reason, len(found.chunks)) == ("reset", 1)
    assert found.retries == 0  # an answer had begun: sending again would be asking twice


@WAYS
def test_half_an_event(way: Way) -> None:
    async def half(visit: Visit) -> None:
        await visit.send(SSE + chunk(token(" a")) + chunk(token(" b")[:20]))
        await asyncio.sleep(0.05)
        visit.close()

    found = one_fault(half, way).outcomes[1]
    assert (found.reason, len(found.chunks)) == ("half_event", 1)


@WAYS
def test_closed_between_two_events(way: Way) -> None:
    async def leave(visit: Visit) -> None:
        await visit.send(SSE + chunk(token(" a")))
        await asyncio.sleep(0.05)
        visit.close()

    found = one_fault(leave, way).outcomes[1]
    assert (found.reason, len(found.chunks)) == ("closed", 1)


@WAYS
def test_100_mb_in_one_chunk_stay_within_what_is_kept(way: Way) -> None:
    async def flood(visit: Visit) -> None:
        await visit.send(SSE + chunk(token(" a")) + b"%x\r\ndata: " % (100 * MIB))
        for _ in range(100):
            await visit.send(bytes(MIB))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = one_fault(flood, way, Limits(total_s=20, stall_s=5, most_bytes=2 * MIB)).outcomes[1]
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (found.reason, len(found.chunks)) == ("too_large", 1)
    assert found.size <= 2 * MIB
    assert grown_kib < 40 * 1024


@WAYS
def test_usage_that_lies_is_kept_beside_the_chunks(way: Way) -> None:
    async def lie(visit: Visit) -> None:
        await visit.send(SSE + b"".join(map(chunk, [token(" a"), usage(5, 999), DONE])) + LAST_CHUNK)

    found = one_fault(lie, way).outcomes[1]
    assert found.usage is not None
    assert (found.reason, found.usage.output, len(found.chunks)) == (None, 999, 1)


@pytest.mark.parametrize("count", [-3, 1.5, "7", True, 10**30, None])
def test_usage_that_cannot_be_is_no_count(count: object) -> None:
    async def lie(visit: Visit) -> None:
        await visit.send(SSE + b"".join(map(chunk, [token(" a"), usage(5, count), DONE])) + LAST_CHUNK)

    found = one_fault(lie, "kernel").outcomes[1]
    assert found.usage is not None
    assert (found.usage.input, found.usage.output) == (5, None)


@WAYS
def test_an_error_in_the_stream(way: Way) -> None:
    async def fail(visit: Visit) -> None:
        error = event({"error": {"message": "the prompt was: secret", "type": "InternalServerError", "code": 500}})
        await visit.send(SSE + b"".join(map(chunk, [token(" a"), error, DONE])) + LAST_CHUNK)

    found = one_fault(fail, way).outcomes[1]
    assert (found.reason, found.detail) == ("error_event", "InternalServerError")
    assert "secret" not in repr(found)


@WAYS
def test_an_answer_without_a_token(way: Way) -> None:
    async def silent(visit: Visit) -> None:
        await visit.send(SSE + chunk(usage(5, 0)) + chunk(DONE) + LAST_CHUNK)

    found = one_fault(silent, way).outcomes[1]
    assert (found.reason, found.answered) == ("no_token", True)


@WAYS
def test_what_is_no_http(way: Way) -> None:
    async def speak(visit: Visit) -> None:
        await visit.send(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")

    assert one_fault(speak, way).outcomes[1].reason == "malformed"


def test_more_bytes_behind_the_end_are_not_the_next_answer() -> None:
    """Whether they come in the read of the end or after it: the answer is whole, and the connection is given up."""

    async def chatter(visit: Visit) -> None:
        await visit.answer()
        await visit.send(b"HTTP/1.1 200 OK\r\n")

    found = one_fault(chatter, "kernel").outcomes
    assert [one.reason for one in found] == [None] * 4
    assert not found[2].reused  # its connection was given up: the next has a new one


def test_it_dies_under_load() -> None:
    """A server that resets all it has after 20 answers and refuses from then on: 60 requests, each with an outcome."""

    async def run() -> LevelRun:
        done = 0

        async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal done
            visit = Visit(0, 0, writer)
            try:
                while done < 20:
                    await reader.readuntil(b'"x"}')
                    await visit.answer()
                    done += 1
            except (OSError, asyncio.IncompleteReadError):
                return
            server.close()
            visit.reset()

        server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
        to = transport("kernel", SHORT)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            return await run_level(Plan([JOB] * 60, 8), url, to)
        finally:
            await to.aclose()

    found = asyncio.run(run())
    told = reasons(found)
    assert len(told) == 60
    assert told.count(None) >= 20
    assert set(told) - {None} <= {"refused", "reset", "closed"}
    assert told[-1] == "refused"


# ---- kept-alive connections ----


@WAYS
@pytest.mark.parametrize("after", [1, 3])
def test_a_server_that_closes_after_a_few_requests_loses_none(way: Way, after: int) -> None:
    async def answer(visit: Visit) -> None:
        await visit.answer()
        if visit.nth == after:
            visit.close()

    found = level(answer, 30, 4, way=way)
    assert reasons(found) == [None] * 30


def test_500_requests_on_a_server_that_closes_after_100_and_at_random_lose_none() -> None:
    chance = random.Random(7)

    async def answer(visit: Visit) -> None:
        await visit.answer(tokens=2)
        if visit.nth == 100 or chance.random() < 0.1:
            if chance.random() < 0.5:
                await asyncio.sleep(chance.random() * 0.002)
            visit.close()

    found = level(answer, 500, 8)
    assert reasons(found) == [None] * 500
    assert {len(one.chunks) for one in found.outcomes} == {2}


def test_a_dead_connection_is_replaced_and_the_retry_counted() -> None:
    """The server takes the second request of each connection and resets before a byte of an answer."""

    async def answer(visit: Visit) -> None:
        if visit.nth == 2:
            visit.reset()
        else:
            await visit.answer()

    found = level(answer, 6, 1)
    assert reasons(found) == [None] * 6
    # After three in a row no connection is kept any more.
    assert [one.retries for one in found.outcomes] == [0, 1, 1, 1, 0, 0]
    assert found.measures.retries == 3


@WAYS
def test_a_new_connection_that_dies_is_not_tried_again(way: Way) -> None:
    async def answer(visit: Visit) -> None:
        visit.reset()

    found = level(answer, 3, 1, way=way, one_each=True)
    assert reasons(found) == ["reset"] * 3
    assert [one.retries for one in found.outcomes] == [0, 0, 0]


def test_the_servers_keep_alive_header_is_honoured() -> None:
    """``max=3``: the client itself leaves after three, so no connection sees a fourth request."""
    seen: list[int] = []
    head = SSE[:-2] + b"Keep-Alive: timeout=5, max=3\r\n\r\n"

    async def answer(visit: Visit) -> None:
        seen.append(visit.nth)
        await visit.answer(head=head)

    found = level(answer, 9, 1)
    assert reasons(found) == [None] * 9
    assert seen == [1, 2, 3] * 3
    assert found.measures.retries == 0


def test_one_connection_each() -> None:
    seen: list[int] = []

    async def answer(visit: Visit) -> None:
        seen.append(visit.nth)
        await visit.answer()

    found = level(answer, 5, 2, one_each=True)
    assert reasons(found) == [None] * 5
    assert seen == [1] * 5
    assert not any(one.reused for one in found.outcomes)
