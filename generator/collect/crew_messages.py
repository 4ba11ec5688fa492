"""What a client and its worker processes say to each other over pipes: frames, each with its length before it.

An order goes down once, as JSON. What became of it comes up as JSON and, behind it, all times as int64 in one piece:
there may be millions.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import numpy as np

from generator.collect.clock import Times
from generator.collect.load import Job, Part, Plan
from generator.collect.measures import Watched
from generator.collect.outcome import Asked, Outcome
from generator.collect.recording import Limits
from generator.collect.usage import Usage

LENGTH: Final = 8
"""Bytes of a length."""
TIMES: Final = ("chunks", "late_ns")
"""What of an outcome is times, and goes apart."""


def frame(data: bytes) -> bytes:
    """Return a message with its length before it."""
    return len(data).to_bytes(LENGTH, "big") + data


async def read_frame(source: asyncio.StreamReader) -> bytes:
    """Return the next message.

    Raises:
        asyncio.IncompleteReadError: the other side is gone.
    """
    return await source.readexactly(int.from_bytes(await source.readexactly(LENGTH), "big"))


@dataclass(frozen=True, slots=True)
class Order:
    """What one worker is to do: a plan without a warm-up, where, and within which limits."""

    plan: Plan
    url: str
    limits: Limits

    def packed(self) -> bytes:
        """Return it as one message."""
        plan = self.plan
        told = {
            "jobs": [(job.path, job.body.decode("utf-8", "surrogateescape")) for job in plan.jobs],
            "concurrency": plan.concurrency,
            "arrivals": None if plan.arrivals is None else [float(one) for one in plan.arrivals],
            "most_kept": plan.most_kept,
            "headers": dict(plan.headers),
            "url": self.url,
            "limits": asdict(self.limits),
        }
        return json.dumps(told).encode()

    @classmethod
    def unpacked(cls, message: bytes) -> Order:
        """Return what a message of ``packed`` says."""
        told = json.loads(message)
        jobs = [Job(path, body.encode("utf-8", "surrogateescape")) for path, body in told["jobs"]]
        arrivals = None if told["arrivals"] is None else np.array(told["arrivals"], dtype=np.float64)
        plan = Plan(jobs, told["concurrency"], arrivals, most_kept=told["most_kept"], headers=told["headers"])
        return cls(plan, told["url"], Limits(**told["limits"]))


def packed_part(part: Part) -> bytes:
    """Return what a worker did as one message."""
    head = {
        "outcomes": [_told(one) for one in part.outcomes],
        "watched": asdict(part.watched),
        "cancelled": part.cancelled,
    }
    return frame(json.dumps(head).encode()) + b"".join(times.tobytes() for times in _all_times(part.outcomes))


def unpacked_part(message: bytes) -> Part:
    """Return what a message of ``packed_part`` says."""
    ends = LENGTH + int.from_bytes(message[:LENGTH], "big")
    head, times = json.loads(message[LENGTH:ends]), np.frombuffer(message, dtype=np.int64, offset=ends)
    watched = head["watched"] | {"lags": tuple(head["watched"]["lags"])}
    return Part(tuple(_outcomes(head["outcomes"], times)), Watched(**watched), head["cancelled"])


def _all_times(outcomes: Sequence[Outcome]) -> Iterator[Times]:
    for one in outcomes:
        yield from (getattr(one, name).astype(np.int64) for name in TIMES)


def _told(outcome: Outcome) -> dict[str, Any]:
    told = {one.name: getattr(outcome, one.name) for one in fields(outcome)}
    told |= {name: len(told[name]) for name in TIMES}
    return told | {"asked": asdict(outcome.asked), "usage": outcome.usage and asdict(outcome.usage)}


def _outcomes(told: Sequence[Mapping[str, Any]], times: Times) -> Iterator[Outcome]:
    at = 0
    for one in told:
        taken = {}
        for name in TIMES:
            taken[name], at = times[at : at + one[name]], at + one[name]
        usage = None if one["usage"] is None else Usage(**one["usage"])
        yield Outcome(**{**one, **taken, "asked": Asked(**one["asked"]), "usage": usage})
