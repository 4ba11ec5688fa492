from __future__ import annotations

import asyncio

import numpy as np
import pytest

from generator.collect.arrivals import constant
from generator.collect.crew_messages import Order, frame, packed_part, read_frame, unpacked_part
from generator.collect.load import Job, Part, Plan
from generator.collect.measures import Watched
from generator.collect.outcome import Asked, Outcome
from generator.collect.recording import Limits
from generator.collect.usage import Usage


def outcome(number: int, chunks: list[int], late: list[int], **changed: object) -> Outcome:
    usual: dict[str, object] = {
        "asked": Asked(number, "steady", 10**15 + number), "sent": 5, "first_byte": 6, "chunks": np.array(chunks),
        "ended": 9, "finish": "length", "usage": Usage(3, 4), "reason": None, "detail": "", "status": 200, "retries": 1,
        "reused": True, "stamp": "kernel", "late_ns": np.array(late), "reads": 3, "size": 77, "kinds": {"content": 2},
    }  # fmt: skip
    return Outcome(**{**usual, **changed})  # type: ignore[arg-type]


def test_what_a_worker_did_arrives_as_it_was() -> None:
    sent = Part(
        (
            outcome(0, [10**15, 10**15 + 7], [3]),
            outcome(1, [], [], usage=None, reason="stalled", stamp="user"),
            outcome(2, [8, 8, 9], [1, 2]),
        ),
        Watched(1.5, 0.25, (100, 200), 1, 2),
        True,
    )
    found = unpacked_part(packed_part(sent))

    assert (found.watched, found.cancelled) == (sent.watched, True)
    for there, here in zip(found.outcomes, sent.outcomes, strict=True):
        assert there.chunks.tolist() == here.chunks.tolist()
        assert there.late_ns.tolist() == here.late_ns.tolist()
        plain = [name for name in Outcome.__slots__ if name not in ("chunks", "late_ns")]
        assert {name: getattr(there, name) for name in plain} == {name: getattr(here, name) for name in plain}


@pytest.mark.parametrize("body", [b"{}", '{"prompt": "中文 \\u00e9"}'.encode(), bytes(range(256))])
def test_a_body_arrives_byte_by_byte(body: bytes) -> None:
    order = Order(Plan([Job("/v1/completions", body)], 1, headers={"X-Key": "k"}), "http://h:1", Limits(total_s=7))
    found = Order.unpacked(order.packed())

    assert found.plan.jobs == [Job("/v1/completions", body)]
    assert (found.plan.concurrency, found.plan.headers, found.plan.arrivals) == (1, {"X-Key": "k"}, None)
    assert (found.url, found.limits) == ("http://h:1", Limits(total_s=7))


def test_arrivals_keep_every_digit() -> None:
    times = constant(7, 3)
    found = Order.unpacked(Order(Plan([Job("/", b"")] * 3, arrivals=times), "http://h", Limits()).packed()).plan
    assert found.arrivals is not None
    assert found.arrivals.tolist() == times.tolist()


def test_messages_are_told_apart_by_their_lengths() -> None:
    async def read() -> list[bytes]:
        source = asyncio.StreamReader()
        source.feed_data(frame(b"one") + frame(b"") + frame(b"three")[:-1])
        source.feed_eof()
        whole = [await read_frame(source), await read_frame(source)]
        with pytest.raises(asyncio.IncompleteReadError):
            await read_frame(source)
        return whole

    assert asyncio.run(read()) == [b"one", b""]
