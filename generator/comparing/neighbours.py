"""Which rounds of a site are compared with each other: those of one family, each against the one before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.comparing.settings import plain_name
from generator.frame import Analysis

REACH: Final = 40
"""Rounds before a pair that noise is learnt from: what is older tells of another time, and costs as much."""

Key = tuple[str, str]
"""A model and an engine."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two rounds of one family, and the rounds of it before them, in the order of the list."""

    base: Analysis
    head: Analysis
    earlier: tuple[Analysis, ...]


def neighbours(rounds: Sequence[Analysis]) -> Iterator[Neighbours]:
    """Yield each round with the nearest one before it that serves the same model with one of the same engines.

    Others could only end "not comparable". One look at each round: a thousand rounds take a thousand steps.
    """
    seen: dict[Key, list[tuple[int, Analysis]]] = {}
    for at, head in enumerate(rounds):
        keys = _keys(head)
        known = [seen[key] for key in keys if key in seen]
        if known:
            *before, (_, nearest) = max(known, key=_last)
            yield Neighbours(nearest, head, tuple(one for _, one in before[-REACH:]))
        for key in keys:
            seen.setdefault(key, []).append((at, head))


def _last(rounds: Sequence[tuple[int, Analysis]]) -> int:
    return rounds[-1][0]


def _keys(analysis: Analysis) -> list[Key]:
    engines = dict.fromkeys(plain_name(one.table.engine or one.id) for one in analysis.round.series)
    return [(model_of(analysis), engine) for engine in engines]


def are_related(one: Analysis, other: Analysis) -> bool:
    """Say whether two rounds serve the same model with an engine in common."""
    return not set(_keys(one)).isdisjoint(_keys(other))


def families(rounds: Sequence[Analysis]) -> dict[str, tuple[Analysis, ...]]:
    """Return the rounds of each model, in the order of the list, by the name of the model."""
    found: dict[str, list[Analysis]] = {}
    for one in rounds:
        found.setdefault(model_of(one), []).append(one)
    return {model: tuple(members) for model, members in found.items()}


def model_of(analysis: Analysis) -> str:
    """Return the model that a round serves."""
    return analysis.round.file.model.name
