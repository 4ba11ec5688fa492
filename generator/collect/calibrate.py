"""The error of our own client, measured before every round: it runs against a server that knows when it sent what."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import httpx
import numpy as np
from numpy.typing import NDArray

from generator.collect.client_cost import MOST_SHARE, cores_for_client
from generator.collect.crew import run_crew
from generator.collect.host.probe import Probe
from generator.collect.load import Job, LevelRun, Plan
from generator.collect.openai_api import PATHS
from generator.collect.outcome import Outcome
from generator.collect.reference.process import reference_server
from generator.collect.round_plan import PlannedRun
from generator.collect.transport import transport_for
from generator.store.files import write_atomically

NAME: Final = "calibration.json"
SCHEMA: Final = 1
STEP_MS: Final = 20.0
"""ms of a step of the reference server: that of a large model on a fast machine."""
TOKENS: Final = 64
PROMPT: Final = " time"
FEWEST: Final = 16
MOST_SLOTS: Final = 512
US: Final = 1000
NS_OF_MS: Final = 1e6

Ns = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the client made of a load whose truth is known.

    Attributes:
        streams: requests in flight.
        step_ms: time between two chunks of a stream, as the server plans it.
        chunks: chunks with tokens that the server sent.
        lost: of these, those that the client did not see, or saw where there was none.
        stamp_error_us: receive stamp − send stamp of each chunk: p50, p99 and the largest, in µs; None where no
            request came whole.
        itl_p99_truth_ms: of the gaps as sent; ``itl_p99_seen_ms`` as received.
        cpu_share: of the client's process, of several that which had most.
        stamps: whose times those of the client are.
        requests: sent; ``failed`` those without a whole answer.
        processes: of the client.
        cpu_total: CPU share of all of them together; None where nobody noted it.
        probe: what memory and CPU of the machine reach; None where they are not what the engines run on.
    """

    streams: int
    step_ms: float
    chunks: int
    lost: int
    stamp_error_us: dict[str, float | None]
    itl_p99_truth_ms: float | None
    itl_p99_seen_ms: float | None
    cpu_share: float
    stamps: str
    requests: int
    failed: int
    processes: int = 1
    cpu_total: float | None = None
    probe: Probe | None = None


async def calibrate(streams: int, processes: int | Literal["auto"] = 1) -> Calibration:
    """Run the client against the reference server with as many streams as the plan has at most.

    Args:
        streams: of the plan.
        processes: how many the client has; ``auto`` for as many as it takes that none is busy above ``MOST_SHARE``.

    Raises:
        InputError: the reference server did not start.
    """
    streams = min(max(1, streams), MOST_SLOTS)
    if processes != "auto":
        return await _calibrated(streams, processes)
    most = min(cores_for_client(), streams)
    found = await _calibrated(streams, 1)
    while found.cpu_share > MOST_SHARE and found.processes < most:
        wanted = math.ceil((found.cpu_total or found.cpu_share) / MOST_SHARE)
        found = await _calibrated(streams, min(most, max(wanted, found.processes + 1)))
    return found


async def _calibrated(streams: int, processes: int) -> Calibration:
    options = ("--step-ms", f"{STEP_MS:g}", "--slots", str(streams), "--style", "vllm")
    with reference_server(*options) as url:
        transport = transport_for(url)
        try:
            level = await run_crew(_plan(streams), url, transport, processes)
        finally:
            await transport.aclose()
        truth = dict(_sent(url))
    return _compared(streams, level, truth)


def _plan(streams: int) -> Plan:
    count = max(FEWEST, 2 * streams)
    body = {"prompt": PROMPT, "max_tokens": TOKENS, "stream": True, "stream_options": {"include_usage": True}}
    jobs = [Job(PATHS["completions"], json.dumps({**body, "user": str(number)}).encode()) for number in range(count)]
    return Plan(jobs, concurrency=streams)


def busiest(runs: Sequence[PlannedRun]) -> int:
    """Return how many streams a plan has at once at most.

    Under a rate there are, by Little's law, rate × time in the system; the time is taken for that of the answer at the
    pace of the reference server.
    """
    return max([*map(streams_of, runs), 1])


def streams_of(run: PlannedRun) -> int:
    """Return how many streams a run has at once: its concurrency, or what its rate amounts to."""
    if run.concurrency is not None or run.rate is None:
        return run.concurrency or 1
    return max(1, math.ceil(run.rate * run.output_tokens * STEP_MS / 1000))


def _sent(url: str) -> Iterator[tuple[str, Ns]]:
    """Yield the times at which the server sent the chunks with tokens, by the name of the request."""
    since = 0
    while True:
        page = httpx.get(f"{url}/reference/stamps", params={"since": since}, trust_env=False, timeout=60).text
        head, *lines = [json.loads(line) for line in page.splitlines()]
        for sheet in lines:
            sent, tokens = np.array(sheet["sent"], dtype=np.int64), np.array(sheet["tokens"])
            yield str(sheet["request"]), sent[tokens > 0]
        if head["next"] == since or not lines:
            return
        since = head["next"]


def _compared(streams: int, level: LevelRun, truth: Mapping[str, Ns]) -> Calibration:
    outcomes = level.of_phase("steady")
    pairs = [(one, truth.get(str(one.asked.number), np.zeros(0, dtype=np.int64))) for one in outcomes]
    same = [(one.chunks, sent) for one, sent in pairs if len(one.chunks) == len(sent)]
    errors = np.concatenate([[0][:0], *(seen - sent for seen, sent in same)]) / US
    gaps_seen = np.concatenate([[0][:0], *(np.diff(seen) for seen, _ in same)])
    gaps_sent = np.concatenate([[0][:0], *(np.diff(sent) for _, sent in same)])
    return Calibration(
        streams=streams,
        step_ms=STEP_MS,
        chunks=sum(len(sent) for sent in truth.values()),
        lost=sum(abs(len(one.chunks) - len(sent)) for one, sent in pairs),
        stamp_error_us={
            name: _percentile(errors, percent) for name, percent in (("p50", 50), ("p99", 99), ("max", 100))
        },
        itl_p99_truth_ms=_percentile(gaps_sent / NS_OF_MS, 99),
        itl_p99_seen_ms=_percentile(gaps_seen / NS_OF_MS, 99),
        cpu_share=level.measures.cpu_share,
        stamps=_stamps(outcomes),
        requests=len(outcomes),
        failed=sum(not one.answered for one in outcomes),
        processes=level.measures.processes,
        cpu_total=level.measures.cpu_total,
    )


def _percentile(numbers: NDArray[Any], percent: float) -> float | None:
    return float(np.percentile(numbers, percent)) if len(numbers) else None


def _stamps(outcomes: Sequence[Outcome]) -> str:
    return "kernel" if any(one.stamp == "kernel" for one in outcomes) else "user"


def write_calibration(found: Calibration, folder: Path) -> None:
    """Write calibration.json into the folder of a round.

    Raises:
        OSError: it cannot be written.
    """
    data = json.dumps({"schema": SCHEMA, **asdict(found)}, indent=1) + "\n"
    write_atomically(folder / NAME, data.encode())
