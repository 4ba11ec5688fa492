"""How a reference server is to behave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from generator.collect.reference.model import PLAUSIBLE, Machine

Style = Literal["vllm", "llamacpp"]
"""Whose names, shapes and log lines are used. The timing is the same."""

Stage = Literal["import", "weights", "compile", "kv", "warm_up"]
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)
"""Of a start, in their order."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set.

    Attributes:
        style: whose answers and log lines it imitates.
        machine: the timing model, the slots and the KV pool.
        noise: standard deviation of the logarithm of each step's time; 0 for none.
        seed: of the noise.
        load_seconds: how long it answers 503 after its start.
        stages: seconds of each stage of its start, instead of that; the log tells of them.
        tokens_per_chunk: tokens in one event of a stream; the last event has what is left.
        idle_seconds: how long a kept-alive connection may be idle before it is closed.
        most_requests: answers on one connection before it is closed; 0 for no limit.
        stats_seconds: between two lines of statistics in vLLM's log.
    """

    style: Style = "vllm"
    machine: Machine = PLAUSIBLE
    noise: float = 0.0
    seed: int = 0
    load_seconds: float = 0.0
    stages: Mapping[Stage, float] = field(default_factory=dict)
    tokens_per_chunk: int = 1
    idle_seconds: float = 5.0
    most_requests: int = 0
    stats_seconds: float = 10.0
