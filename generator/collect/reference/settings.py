"""How a reference server is to behave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.collect.reference.model import PLAUSIBLE, Machine

Style = Literal["vllm", "llamacpp"]
"""Whose names, shapes and log lines are used. The timing is the same."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set.

    Attributes:
        style: whose answers and log lines it imitates.
        machine: the timing model, the slots and the KV pool.
        noise: standard deviation of the logarithm of each step's time; 0 for none.
        seed: of the noise.
        load_seconds: how long it answers 503 after its start.
        tokens_per_chunk: tokens in one event of a stream; the last event has what is left.
        idle_seconds: how long a kept-alive connection may be idle before it is closed.
        most_requests: answers on one connection before it is closed; 0 for no limit.
    """

    style: Style = "vllm"
    machine: Machine = PLAUSIBLE
    noise: float = 0.0
    seed: int = 0
    load_seconds: float = 0.0
    tokens_per_chunk: int = 1
    idle_seconds: float = 5.0
    most_requests: int = 0
