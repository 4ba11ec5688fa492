"""Runs that become trials of one level although they describe themselves differently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from generator.intake.placing import LevelKey, Placed, There
from generator.runs.imported import Description, description, differences


@dataclass(frozen=True, slots=True)
class Mixed:
    """Levels of a series whose trials differ in the same things: name -> the texts that are given."""

    series: str
    levels: tuple[str, ...]
    told: Mapping[str, tuple[str, ...]]


def mixed(placed: Sequence[Placed], there: Iterable[There]) -> list[Mixed]:
    """Return the levels that runs make mixed.

    Args:
        placed: the runs.
        there: the runs that the round has already.
    """
    trials: dict[LevelKey, list[Description]] = {(one.series, one.level): [] for one in placed}
    for known in there:
        if (known.series, known.level) in trials:
            trials[known.series, known.level].append(description(known.run))
    for one in placed:
        trials[one.series, one.level].append(description(one.arrived.run))
    return _grouped({key: told for key, said in trials.items() if (told := differences(said))})


def _grouped(found: Mapping[LevelKey, Mapping[str, tuple[str, ...]]]) -> list[Mixed]:
    """Put levels of a series together that differ in things of the same names."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (series, level), told in found.items():
        groups[series, tuple(told)].append(level)
    return [
        Mixed(series, tuple(levels), {name: _texts(name, (found[series, level] for level in levels)) for name in names})
        for (series, names), levels in groups.items()
    ]


def _texts(name: str, told: Iterable[Mapping[str, tuple[str, ...]]]) -> tuple[str, ...]:
    return tuple(sorted({text for one in told for text in one[name]}))
