"""The order of rounds in time, on every page, in histories and among neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import PurePath
from typing import Final

from generator.declared.round_tables import RoundFile
from generator.frame import Analysis
from generator.machines.times import when
from generator.model import Round
from generator.store.names import Natural, natural

Place = tuple[bool, date, Natural]
"""Compares as rounds follow each other: whether there is a day, the day, and the id."""
NO_DAY: Final = date.min


def in_order(rounds: Iterable[Analysis]) -> list[Analysis]:
    """Return rounds by their days, those of one day by their ids; those of no known day come before all others."""
    return sorted(rounds, key=lambda one: place_of(one.round))


def place_of(round_: Round) -> Place:
    """Return where a round stands among others."""
    return place(round_.id, day_of(round_))


def place(round_id: str, day: date | None) -> Place:
    """Return where a round of some id and day stands among others."""
    return day is not None, day or NO_DAY, natural(PurePath(round_id))


def day_of(round_: Round) -> date | None:
    """Return the day of a round: the one it declares, else the first on which one of its series was measured.

    None where neither is known: words for a date, as "08-15 / 08-24", are none.
    """
    return declared_day(round_.file) or _first_measured(round_)


def declared_day(file: RoundFile) -> date | None:
    """Return the day that a round declares; None where it declares none, or words."""
    return file.round.date if isinstance(file.round.date, date) else None


def _first_measured(round_: Round) -> date | None:
    found = (when(machine) for machine in round_.machines.values())
    return min((one.first.date() for one in found if one is not None and one.first is not None), default=None)
