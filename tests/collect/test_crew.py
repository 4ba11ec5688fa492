"""Levels driven by two processes against the reference server: every request once, one clock, nothing left running."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import httpx
import numpy as np
import psutil
import pytest

from generator.collect.arrivals import constant
from generator.collect.calibrate import calibrate
from generator.collect.clock import now
from generator.collect.crew import DIED, run_crew, shares_of
from generator.collect.load import Job, LevelRun, Plan, Ready
from generator.collect.outcome import is_reason
from generator.collect.recording import Limits
from generator.collect.reference.process import reference_server
from generator.collect.transport import transport_for

WORKER = "generator.collect.crew_worker"


def job(number: int, tokens: int = 4) -> Job:
    body = {"prompt": "a b c", "max_tokens": tokens, "stream": True, "user": str(number)}
    return Job("/v1/completions", json.dumps(body).encode())


def plan(requests: int, **keys: object) -> Plan:
    return Plan([job(number) for number in range(requests)], **keys)  # type: ignore[arg-type]


# How a plan is cut


def test_a_closed_loop_is_cut_by_its_slots() -> None:
    first, second = shares_of(plan(7, concurrency=3), 2)
    # Slots 0 and 2 are the first one's, slot 1 the second's; request k takes slot k mod 3.
    assert (first.numbers, first.plan.concurrency) == ((0, 2, 3, 5, 6), 2)
    assert (second.numbers, second.plan.concurrency) == ((1, 4), 1)
    assert first.plan.jobs[1] == job(2)


def test_what_comes_before_the_clock_is_not_cut() -> None:
    shares = shares_of(plan(6, concurrency=2, cold=1, warm=1), 2)
    assert [share.numbers for share in shares] == [(2, 4), (3, 5)]
    assert [share.plan.steady for share in shares] == [range(2), range(2)]


def test_a_schedule_is_dealt_out_in_turn_and_keeps_its_times() -> None:
    first, second = shares_of(plan(5, arrivals=constant(10, 5)), 2)
    assert (first.numbers, second.numbers) == ((0, 2, 4), (1, 3))
    assert first.plan.arrivals is not None
    assert np.diff(first.plan.arrivals) == pytest.approx([0.2, 0.2])


def test_a_limit_is_dealt_out_too() -> None:
    shares = shares_of(plan(6, concurrency=3, arrivals=constant(10, 6)), 2)
    assert [(share.numbers, share.plan.concurrency) for share in shares] == [((0, 2, 4), 2), ((1, 3, 5), 1)]


@pytest.mark.parametrize(("requests", "slots", "processes"), [(10, 2, 8), (2, 8, 4), (1, 1, 3)])
def test_no_process_is_without_work(requests: int, slots: int, processes: int) -> None:
    shares = shares_of(plan(requests, concurrency=slots), processes)
    assert len(shares) == min(requests, slots)
    assert sorted(number for share in shares for number in share.numbers) == list(range(requests))
    assert all(share.plan.concurrency for share in shares)


# Against the reference server


@contextlib.contextmanager
def server(step_ms: float = 5) -> Iterator[str]:
    with reference_server("--step-ms", f"{step_ms:g}", "--slots", "8", "--style", "vllm") as url:
        yield url


async def ran(plan: Plan, url: str, processes: int = 2, ready: Ready | None = None) -> LevelRun:
    transport = transport_for(url, limits=Limits(total_s=30, stall_s=10))
    try:
        return await run_crew(plan, url, transport, processes, ready=ready)
    finally:
        await transport.aclose()


def answered_names(url: str) -> list[str]:
    page = httpx.get(f"{url}/reference/stamps", params={"since": 0}, trust_env=False).text
    return [str(json.loads(line)["request"]) for line in page.splitlines()[1:]]


def workers() -> list[psutil.Process]:
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if WORKER in process.cmdline():
                found.append(process)
    return found


def until(holds: Callable[[], bool], within_s: float = 20.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_there_is_a_moment_between_warm_up_and_measurement(processes: int) -> None:
    moments = []

    async def ready() -> None:
        moments.append(now())

    with server() as url:
        found = asyncio.run(ran(plan(8, concurrency=2, cold=1, warm=2), url, processes, ready))
    [moment] = moments
    assert max(one.ended for one in found.outcomes[:3]) <= moment <= min(one.sent for one in found.of_phase("steady"))


@pytest.mark.slow
def test_two_processes_send_each_request_once_and_no_more_at_once() -> None:
    with server() as url:
        found = asyncio.run(ran(plan(15, concurrency=4, cold=1, warm=2), url))
        names = answered_names(url)
    assert sorted(map(int, names)) == list(range(15))
    assert [one.asked.number for one in found.outcomes] == list(range(15))
    assert [one.asked.phase for one in found.outcomes] == ["cold", "warm", "warm", *["steady"] * 12]
    assert {one.reason for one in found.outcomes} == {None}
    assert [len(one.chunks) for one in found.outcomes] == [4] * 15
    edges = sorted(
        [(one.sent, 1) for one in found.of_phase("steady")] + [(one.ended, -1) for one in found.outcomes[3:]]
    )
    assert max(np.cumsum([step for _, step in edges])) <= 4
    assert workers() == []


@pytest.mark.slow
def test_processes_begin_together_after_all_have_their_connections() -> None:
    with server() as url:
        found = asyncio.run(ran(plan(8, concurrency=4), url))
    first_four = sorted(one.sent for one in found.outcomes)[:4]
    assert first_four[-1] - first_four[0] < 50_000_000  # 50 ms; to start an interpreter takes several times as long
    assert all(one.reused for one in found.outcomes)
    assert {one.stamp for one in found.outcomes} == {"kernel"}


@pytest.mark.slow
def test_a_schedule_has_one_zero() -> None:
    with server() as url:
        found = asyncio.run(ran(plan(10, arrivals=constant(50, 10)), url))
    scheduled = np.array([one.asked.scheduled for one in found.outcomes]) / 1e9
    assert np.diff(scheduled) == pytest.approx([0.02] * 9, abs=1e-6)
    assert all(one.sent >= one.asked.scheduled for one in found.outcomes)


@pytest.mark.slow
def test_what_two_processes_say_of_themselves() -> None:
    with server() as url:
        measures = asyncio.run(ran(plan(8, concurrency=4), url)).measures
    assert measures.processes == 2
    assert 0 < measures.cpu_share <= measures.cpu_total <= 2 * measures.cpu_share
    assert measures.kernel_share == 1


@pytest.mark.slow
def test_the_requests_of_a_process_that_dies_have_a_reason_and_the_others_go_on() -> None:
    async def run(url: str) -> LevelRun:
        level = asyncio.create_task(ran(plan(40, concurrency=2), url))
        while len(answered_names(url)) < 4:  # both are at work
            await asyncio.sleep(0.05)
        workers()[0].kill()
        return await level

    with server(step_ms=20) as url:
        found = asyncio.run(run(url))
    reasons = [one.reason for one in found.outcomes]
    assert reasons in ([DIED, None] * 20, [None, DIED] * 20)
    assert is_reason(DIED)
    assert found.measures.processes == 1
    assert not found.cancelled
    assert workers() == []


@pytest.mark.slow
@pytest.mark.parametrize("how", ["cancel", "SIGINT"])
def test_ctrl_c_keeps_what_came_and_leaves_nothing_running(how: str) -> None:
    async def run(url: str) -> LevelRun:
        level = asyncio.create_task(ran(plan(400, concurrency=2), url))
        while len(answered_names(url)) < 6:  # two of them may be under way
            await asyncio.sleep(0.05)
        if how == "cancel":
            level.cancel()
            return await level
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)
        try:
            return await asyncio.shield(level)
        except asyncio.CancelledError:
            level.cancel()
            return await level

    with server(step_ms=20) as url:
        found = asyncio.run(run(url))
    reasons = [one.reason for one in found.outcomes]
    assert found.cancelled
    assert reasons.count(None) >= 4
    assert 1 <= reasons.count("cancelled") <= 2
    assert len(reasons) < 400
    assert workers() == []


@pytest.mark.slow
def test_a_client_that_is_killed_takes_its_processes_along() -> None:
    code = (
        "import asyncio, sys\nfrom tests.collect.test_crew import plan, ran\n"
        "asyncio.run(ran(plan(4000, concurrency=2), sys.argv[1]))"
    )
    with server(step_ms=20) as url:
        client = subprocess.Popen([sys.executable, "-c", code, url])
        assert until(lambda: len(workers()) == 2)
        assert until(lambda: len(answered_names(url)) >= 4)
        left = workers()
        client.send_signal(signal.SIGKILL)
        client.wait()
        assert until(lambda: not any(process.is_running() for process in left))


@pytest.mark.slow
def test_a_calibration_with_two_processes_loses_nothing() -> None:
    found = asyncio.run(calibrate(2, 2))
    assert (found.processes, found.requests, found.failed) == (2, 16, 0)
    assert (found.chunks, found.lost) == (16 * 64, 0)
    assert found.cpu_total is not None
    assert found.cpu_total >= found.cpu_share
