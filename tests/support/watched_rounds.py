"""Rounds in memory whose levels were run, and what was sampled or counted beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from generator.model import Round, Trial
from tests.support.memory_round import NOTHING, Numbers, address, memory_round, observation


def watched_round(levels: Mapping[str, Numbers], *, of_series: Mapping[str, Numbers] = NOTHING) -> Round:
    """Make a round of one series ``s`` whose levels ``c1``, ``c8`` were run once; numbers in base units."""
    numbers = {level: {"concurrency": float(level[1:]), **seen} for level, seen in levels.items()}
    return measured(
        memory_round({"s": numbers}, of_series=of_series, runs={("s", level, None): None for level in levels})
    )


def repeated_round(*trials: Numbers) -> Round:
    """Make a round whose only level ``c1`` was run several times, with numbers for each run."""
    seen = [
        observation(address(name, "level", "s", "c1", trial=trial), value)
        for trial, numbers in enumerate(trials, start=1)
        for name, value in numbers.items()
    ]
    runs: dict[Trial, None] = {("s", "c1", trial): None for trial in range(1, len(trials) + 1)}
    return measured(memory_round({"s": {"c1": {"concurrency": 1.0}}}, further=seen, runs=runs))


def measured(round_: Round) -> Round:
    """Return a round as one that was measured, and not copied from a publication."""
    about = round_.file.round.model_copy(update={"origin": "measured"})
    return replace(round_, file=round_.file.model_copy(update={"round": about}))
