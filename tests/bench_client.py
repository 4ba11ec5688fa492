"""How close the load client comes to the truth, and what a chunk costs it: ``python tests/bench_client.py``.

A server on one core notes when it sends each chunk; clients on another are measured against that, and against the
cheapest client there can be (C, epoll, nothing kept). Clients take turns, and of each number the best turn counts:
the machine may be busy with other things.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp
import click
import httpx
import numpy as np
from numpy.typing import NDArray

from generator.collect.clock import now
from generator.collect.load import Job, Plan, run_level
from generator.collect.transport import transport_for

SOURCES: Final = Path(__file__).with_suffix("")
PATH: Final = "/v1/completions"
NS: Final = 1e9
US: Final = 1e3

Int = NDArray[np.int64]


@dataclass(frozen=True)
class Scenario:
    """A load: so many streams, one chunk each so often, all at once ("step") or each in its own phase ("spread")."""

    streams: int
    itl_ms: int
    mode: str
    seconds: float = 5.0

    @property
    def name(self) -> str:
        return f"{self.streams} × {self.itl_ms} ms {self.mode}"

    @property
    def tokens(self) -> int:
        return int(self.seconds * 1000 / self.itl_ms / 2)

    @property
    def requests(self) -> int:
        return 2 * self.streams


SCENARIOS: Final = (
    Scenario(64, 20, "spread"),
    Scenario(64, 20, "step"),
    Scenario(256, 20, "spread"),
    Scenario(256, 20, "step"),
    Scenario(64, 5, "spread"),
    Scenario(256, 8, "spread"),
)
CLIENTS: Final = ("floor", "rounds", "aiohttp", "httpx")
OTHER: Final = "SCHED_OTHER"
FIFO: Final = "SCHED_FIFO"


@dataclass(frozen=True)
class Turn:
    """One client under one load once; times are ns for each (request, chunk), in order of both."""

    cpu_us: float
    wall_s: float
    chunks: int
    parse_us: float = float("nan")
    seen: Int | None = None
    sent: Int | None = None

    @property
    def errors_us(self) -> NDArray[np.float64]:
        """How much later than the truth each stamp is."""
        assert self.seen is not None
        assert self.sent is not None
        return (self.seen - self.sent) / US

    def itl_p99_ms(self, times: Int | None) -> float:
        assert times is not None
        return float(np.percentile(np.diff(times, axis=1), 99)) / 1e6


def main() -> int:
    options = _options()
    schedulers = schedulers_for(options.scheduler, fifo_allowed())
    with tempfile.TemporaryDirectory() as folder:
        tools = built(Path(folder))
        for scenario in SCENARIOS:
            for scheduler in schedulers:
                report(scenario, scheduler, turns_of(scenario, scheduler, tools, Path(folder), options.turns))
    return 0


def turns_of(
    scenario: Scenario, scheduler: str, tools: dict[str, list[str]], folder: Path, count: int
) -> dict[str, list[Turn]]:
    """Run each client so often under one load and one scheduler, in turn."""
    turns: dict[str, list[Turn]] = {name: [] for name in CLIENTS}
    for _ in range(count):
        for name in CLIENTS:
            with contextlib.suppress(subprocess.CalledProcessError):  # it has said what it died of
                turns[name].append(measured(name, scenario, tools, folder, fifo=scheduler == FIFO))
    return turns


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="measures the load client against the truth and against others")
    parser.add_argument("--turns", type=int, default=3, help="how often each client is run under each load")
    parser.add_argument(
        "--scheduler", choices=("both", OTHER, FIFO), default="both", help="under which client and server run"
    )
    return parser.parse_args()


def schedulers_for(asked: str, allowed: bool) -> list[str]:
    """Return the schedulers to measure under: that of every process, and the one that nobody else preempts."""
    if not allowed and asked != OTHER:
        click.echo(
            f"{FIFO} is not permitted here (root, or a real-time limit, is needed): all numbers are under {OTHER}"
        )
    both = [OTHER, FIFO] if allowed else [OTHER]
    return both if asked == "both" or asked not in both else [asked]


def fifo_allowed() -> bool:
    """Say whether this process may have itself scheduled first in, first out; it is as before afterwards."""
    try:
        before = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        os.sched_setscheduler(0, *before)
    except (OSError, AttributeError):
        return False
    return True


def built(folder: Path) -> dict[str, list[str]]:
    """Compile the server and the floor; where there is no compiler a Python server stands in, and there is no floor."""
    compiler = shutil.which("cc")
    if compiler is None:
        click.echo("no C compiler: the server is the one in Python, and there is no floor")
        return {"mock": [sys.executable, str(SOURCES / "slow_mock.py")]}
    for name in ("mock", "floor"):
        source = str(SOURCES / f"{name}.c")
        subprocess.run([compiler, "-O2", "-o", str(folder / name), source, "-lm"], check=True)
    return {name: [str(folder / name)] for name in ("mock", "floor")}


def measured(name: str, scenario: Scenario, tools: dict[str, list[str]], folder: Path, *, fifo: bool) -> Turn:
    """Run one client against a server of its own."""
    truth, seen = folder / "truth", folder / "seen.npz"
    load = [str(scenario.streams), str(scenario.requests), str(scenario.tokens)]
    with serving(tools["mock"], scenario, truth, fifo=fifo) as port:
        if name == "floor":
            if "floor" not in tools:
                return Turn(float("nan"), float("nan"), scenario.requests * scenario.tokens)
            told = json.loads(_run([*tools["floor"], str(port), *load], core=1, fifo=fifo))
            return Turn(told["cpu_us"], told["wall_s"], scenario.requests * scenario.tokens)
        _run([sys.executable, __file__, "client", name, str(port), *load, str(seen)], core=1, fifo=fifo)
    with np.load(seen) as file:
        cpu, wall, parse, times = float(file["cpu_us"]), float(file["wall_s"]), float(file["parse_us"]), file["times"]
    return Turn(cpu, wall, scenario.requests * scenario.tokens, parse, times, true_times(truth, times.shape))


def true_times(path: Path, shape: tuple[int, ...]) -> Int:
    """Return when each chunk of each request was sent."""
    records = np.fromfile(path, dtype=[("request", "u4"), ("chunk", "u4"), ("at", "u8")])
    times = np.zeros(shape, dtype=np.int64)
    times[records["request"], records["chunk"]] = records["at"]
    return times


@contextlib.contextmanager
def serving(command: list[str], scenario: Scenario, truth: Path, *, fifo: bool) -> Iterator[int]:
    words = [*command, str(scenario.itl_ms * 1000), "20000", scenario.mode, str(truth)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, preexec_fn=lambda: place(0, fifo=fifo)) as server:  # noqa: PLW1509
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(20)


def _run(command: list[str], *, core: int, fifo: bool) -> str:
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=120,
        preexec_fn=lambda: place(core, fifo=fifo),
    )  # fmt: skip
    return done.stdout


def place(core: int, *, fifo: bool) -> None:
    """Put this process on a core, and where it may be out of reach of others."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {core})
    if fifo:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))


def report(scenario: Scenario, scheduler: str, turns: dict[str, list[Turn]]) -> None:
    """Print under which scheduler, and a row a client: the best of its turns."""
    floor = min((turn.cpu_us / turn.chunks for turn in turns["floor"]), default=float("nan"))
    offered = scenario.streams * 1000 / scenario.itl_ms
    click.echo(f"\n{scenario.name}, {scheduler}: {offered:,.0f} chunks/s offered; floor {floor:.1f} µs CPU a chunk")
    click.echo(
        "client    CPU µs/chunk  × floor  parse after  chunks/s   stamp error µs p50 /    p99   ITL p99 ms: true  seen"
    )
    for name in CLIENTS[1:]:
        click.echo(_row(name, turns[name], floor) if turns[name] else f"{name:<9} did not get through once")


def _row(name: str, turns: list[Turn], floor: float) -> str:
    cpu = min(turn.cpu_us / turn.chunks for turn in turns)
    parse = min(turn.parse_us / turn.chunks for turn in turns)
    rate = max(turn.chunks / turn.wall_s for turn in turns)
    p50, p99 = (min(float(np.percentile(turn.errors_us, q)) for turn in turns) for q in (50, 99))
    pairs = [(turn.itl_p99_ms(turn.sent), turn.itl_p99_ms(turn.seen)) for turn in turns]
    true, seen = min(pairs, key=lambda pair: abs(pair[1] / pair[0] - 1))
    return (
        f"{name:<9} {cpu:>12.1f} {cpu / floor:>8.2f} {parse:>12.1f} {rate:>9,.0f} "
        f"{p50:>20.0f} / {p99:>6.0f} {true:>17.3f} {seen:>7.3f} ({(seen / true - 1) * 100:+.2f} %)"
    )


# ---- the clients, each in a process of its own ----

Times = list[list[int]]


def body(number: int, tokens: int) -> dict[str, object]:
    usage = {"include_usage": True}
    prompt = "hello " * 64
    return {
        "model": "m", "prompt": prompt, "max_tokens": tokens, "seed": number, "stream": True, "stream_options": usage,
    }  # fmt: skip


async def rounds(url: str, streams: int, requests: int, tokens: int) -> tuple[Times, float, float, float]:
    """Run ours; its own measures give the CPU time of the load, and the rest is parsing."""
    jobs = [Job(PATH, json.dumps(body(number, tokens)).encode()) for number in range(requests)]
    transport = transport_for(url)
    began = time.process_time()
    level = await run_level(Plan(jobs, streams), url, transport)
    used = time.process_time() - began
    await transport.aclose()
    load = level.measures.cpu_share * level.measures.wall_s
    return [one.chunks.tolist() for one in level.outcomes], load, level.measures.wall_s, used - load


async def aiohttp_loop(url: str, streams: int, requests: int, tokens: int) -> Times:
    """Read as serving benchmarks commonly do: whatever has come, split into events, each parsed as it comes."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one(number: int, times: list[int]) -> None:
            held = b""
            async with session.post(url + PATH, json=body(number, tokens)) as answer:
                async for piece in answer.content.iter_any():
                    held += piece
                    while (end := held.find(b"\n\n")) >= 0:
                        event, held = held[:end], held[end + 2 :]
                        if bears_token(event):
                            times.append(now())

        return await in_turn(one, streams, requests)


async def httpx_loop(url: str, streams: int, requests: int, tokens: int) -> Times:
    """Read lines, as the documentation of httpx shows it."""
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(limits=limits, timeout=None, trust_env=False) as client:  # noqa: S113

        async def one(number: int, times: list[int]) -> None:
            async with client.stream("POST", url + PATH, json=body(number, tokens)) as answer:
                times += [now() async for line in answer.aiter_lines() if line and bears_token(line.encode())]

        return await in_turn(one, streams, requests)


def bears_token(event: bytes) -> bool:
    said = event.removeprefix(b"data: ")
    if said == b"[DONE]":
        return False
    choices = json.loads(said)["choices"]
    return bool(choices and choices[0]["text"])


async def in_turn(one: Callable[[int, list[int]], Awaitable[None]], streams: int, requests: int) -> Times:
    """Run all requests, so many at once."""
    times: Times = [[] for _ in range(requests)]
    turns = iter(range(requests))

    async def worker() -> None:
        for number in turns:
            await one(number, times[number])

    await asyncio.gather(*(worker() for _ in range(streams)))
    return times


async def rival(name: str, url: str, streams: int, requests: int, tokens: int) -> tuple[Times, float, float, float]:
    loop = aiohttp_loop if name == "aiohttp" else httpx_loop
    began, cpu = time.monotonic(), time.process_time()
    times = await loop(url, streams, requests, tokens)
    return times, time.process_time() - cpu, time.monotonic() - began, float("nan")


def client(name: str, port: int, streams: int, requests: int, tokens: int, out: str) -> None:
    """Run one client and write down what it saw."""
    url = f"http://127.0.0.1:{port}"
    running = (
        rounds(url, streams, requests, tokens) if name == "rounds" else rival(name, url, streams, requests, tokens)
    )
    times, cpu, wall, parse = asyncio.run(running)
    np.savez(out, times=np.array(times, dtype=np.int64), cpu_us=cpu * 1e6, wall_s=wall, parse_us=parse * 1e6)


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        name, port, streams, requests, tokens, out = sys.argv[2:]
        client(name, int(port), int(streams), int(requests), int(tokens), out)
    else:
        sys.exit(main())
