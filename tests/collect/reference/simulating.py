"""The scheduler of the reference server without a clock: each step ends when it says."""

from __future__ import annotations

from collections.abc import Iterable

from generator.collect.reference.scheduler import Engine, Sequence, Token


def simulate(engine: Engine, arrivals: Iterable[Sequence]) -> list[Token]:
    """Return every token of requests that come when they say, as a server that is never late would make them."""
    for sequence in sorted(arrivals, key=lambda one: one.arrived):
        engine.arrive(sequence)
    tokens: list[Token] = []
    at = 0
    while (step := engine.begin(at)) is not None:
        tokens += engine.finish(step)
        at = step.ends
    return tokens
