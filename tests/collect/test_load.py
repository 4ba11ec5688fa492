from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Callable

import numpy as np
import pytest

from generator.collect.arrivals import constant
from generator.collect.clock import now
from generator.collect.load import Job, LevelRun, Plan, quiet_collector, run_level
from generator.collect.measures import lag_of
from generator.collect.recording import Limits
from tests.collect.faulty import JOB, SSE, Answer, Visit, chunk, level, serving, token, transport

CALM = Limits(total_s=20, stall_s=10)


async def slow(visit: Visit) -> None:
    await asyncio.sleep(0.05)
    await visit.answer()


def counting() -> tuple[list[int], Answer]:
    """Return an answer that takes 50 ms, and how many were under way at each."""
    under_way: list[int] = []
    running = 0

    async def answer(visit: Visit) -> None:
        nonlocal running
        running += 1
        under_way.append(running)
        await slow(visit)
        running -= 1

    return under_way, answer


def test_a_closed_loop_keeps_so_many_in_flight() -> None:
    under_way, answer = counting()
    found = level(answer, 12, 3, limits=CALM)
    assert max(under_way) == 3
    # 12 requests, 3 at a time, 50 ms each: 4 rounds of 50 ms.
    assert 0.2 <= found.measures.wall_s < 2


def test_the_phases_of_a_level_come_one_after_the_other() -> None:
    under_way, answer = counting()
    plan = Plan([JOB] * 10, 4, cold=2, warm=4)
    found = level(answer, plan=plan, limits=CALM)
    assert [one.asked.phase for one in found.outcomes] == ["cold"] * 2 + ["warm"] * 4 + ["steady"] * 4
    assert [one.asked.number for one in found.outcomes] == list(range(10))
    assert under_way[:2] == [1, 1]  # the cold ones alone
    ends = [one.ended for one in found.of_phase("warm")]
    assert max(ends) < min(one.sent for one in found.of_phase("steady"))


def test_steady_requests_find_their_connections_open() -> None:
    found = level(slow, 4, 4, limits=CALM)
    assert all(one.reused for one in found.outcomes)


def test_an_open_loop_keeps_to_its_schedule_however_slow_the_server() -> None:
    plan = Plan([JOB] * 8, arrivals=constant(50, 8))
    found = level(slow, plan=plan, limits=CALM)
    sent = np.array([one.sent for one in found.outcomes]) / 1e9
    scheduled = np.array([one.asked.scheduled for one in found.outcomes]) / 1e9
    assert np.diff(scheduled) == pytest.approx([0.02] * 7, abs=1e-6)
    assert (sent >= scheduled - 0.001).all()
    assert found.measures.schedule_lag.most == pytest.approx((sent - scheduled).max(), abs=1e-6)


def test_an_open_loop_with_a_limit_waits_and_says_so() -> None:
    under_way, answer = counting()
    plan = Plan([JOB] * 6, 2, arrivals=constant(1000, 6))
    found = level(answer, plan=plan, limits=CALM)
    assert max(under_way) == 2
    # Two at a time, 50 ms each: the last two wait for two rounds, 100 ms after a schedule of 5 ms.
    assert found.measures.schedule_lag.most > 0.08


def test_what_the_client_says_of_itself() -> None:
    async def two_in_one_read(visit: Visit) -> None:
        await visit.answer(tokens=4)

    measures = level(two_in_one_read, 6, 2, limits=CALM).measures
    assert 0 < measures.cpu_share <= 2
    assert measures.kernel_share == 1
    assert measures.stamp_lag.p50 > 0
    assert (measures.chunks_per_read, measures.most_chunks_per_read) == (4, 4)
    assert (measures.retries, measures.parsed_early, measures.clock_steps) == (0, 0, 0)


def test_without_kernel_stamps_it_says_so() -> None:
    found = level(slow, 2, 1, way="user", limits=CALM)
    assert {one.stamp for one in found.outcomes} == {"user"}
    assert found.measures.kernel_share == 0
    assert np.isnan(found.measures.stamp_lag.p50)


def test_lag_by_hand() -> None:
    # 1 … 5 s: the middle is 3, and 99 % of the way between ranks 0 and 4 is 3.96 → 4.96.
    lag = lag_of(np.arange(1, 6) * 1_000_000_000)
    assert [lag.p50, lag.p99, lag.most] == pytest.approx([3, 4.96, 5])


def test_answers_beyond_what_is_kept_are_parsed_at_once() -> None:
    found = level(slow, plan=Plan([JOB] * 4, 1, most_kept=1), limits=CALM)
    assert found.measures.parsed_early == 4
    assert [len(one.chunks) for one in found.outcomes] == [3] * 4
    assert {one.stamp for one in found.outcomes} == {"kernel"}


def cut_short(how: Callable[[asyncio.Task[LevelRun]], object]) -> LevelRun:
    """Run a level whose first two requests are answered; cut it short once the next two are in mid-answer."""

    async def run() -> LevelRun:
        hanging = asyncio.Event()

        async def first_two_only(visit: Visit) -> None:
            if visit.number <= 2:
                await visit.answer()
                return
            await visit.send(SSE + chunk(token(" a")))
            if visit.number == 4:
                hanging.set()
            await asyncio.sleep(60)

        async with serving(first_two_only) as url:
            to = transport("kernel", CALM)
            task = asyncio.create_task(run_level(Plan([JOB] * 10, 2), url, to))
            await hanging.wait()
            await asyncio.sleep(0.2)
            how(task)
            found = await task
            await to.aclose()
            return found

    return asyncio.run(run())


def is_kept(found: LevelRun) -> bool:
    reasons = [one.reason for one in found.outcomes]
    return found.cancelled and reasons == [None, None, "cancelled", "cancelled"]


def test_cancelling_keeps_what_came() -> None:
    found = cut_short(lambda task: task.cancel())
    assert is_kept(found)
    assert [len(one.chunks) for one in found.outcomes] == [3, 3, 1, 1]


def test_ctrl_c_keeps_what_came() -> None:
    """``asyncio.run`` makes Ctrl-C a cancelling of the task that it runs: here that waits for the level."""

    async def answer(visit: Visit) -> None:
        if visit.number <= 2:
            await visit.answer()
            return
        await visit.send(SSE + chunk(token(" a")))
        if visit.number == 4:
            asyncio.get_running_loop().call_later(0.1, os.kill, os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

    assert is_kept(level(answer, 10, 2, limits=CALM))


def test_a_header_that_breaks_its_line_is_an_outcome() -> None:
    found = level(slow, plan=Plan([JOB], 1, headers={"X": "a\r\nY: b"}), limits=CALM)
    assert [one.reason for one in found.outcomes] == ["not_sent"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Plan([JOB], 1, cold=2),
        lambda: Plan([JOB]),
        lambda: Plan([JOB], 0),
        lambda: Plan([JOB] * 2, arrivals=constant(1, 1)),
        lambda: Plan([JOB], 1, warm=-1),
    ],
)
def test_plans_that_are_none(wrong: Callable[[], Plan]) -> None:
    with pytest.raises(ValueError, match=r"warm-up|in flight|arrival"):
        wrong()


def test_the_collector_is_quiet_meanwhile_and_then_as_before() -> None:
    with quiet_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_large_requests_are_sent_whole() -> None:
    """A prompt larger than the buffers of a socket."""
    body = b'{"prompt": "' + b"x" * 8_000_000 + b'"}'
    began = now()
    found = level(slow, plan=Plan([Job("/v1/completions", body)] * 2, 1), limits=CALM)
    assert [one.reason for one in found.outcomes] == [None, None]
    assert now() - began < 20e9
