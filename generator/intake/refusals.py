"""What stops an import before anything is written: the round could not be read, or published, any more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.declared.table_types import ID_PATTERN
from generator.errors import InputError, quote
from generator.intake.placing import LevelKey, Placed, Standing
from generator.store.files import leads_out, shown
from generator.store.names import folders_beside, objection_to_round, objection_to_series
from generator.store.published import PUBLISHED_CSV
from generator.store.runs import LEVELS, MOST_LEVELS, MOST_TRIALS

ANOTHER: Final = "choose another series with --series"


def refuse_unreadable(into: Path, placed: Sequence[Placed], standing: Standing) -> None:
    """Refuse runs with which the round could not be read.

    Raises:
        InputError: the name of the round or of a series cannot be, a series is a table, a folder leads out of the
            round, or there would be more levels or trials than are read.
    """
    _refuse_name(into)
    for series in dict.fromkeys(one.series for one in placed):
        _refuse_series(into, series, standing)
    for folder in dict.fromkeys(_parent(one) for one in placed):
        _refuse_link(into, folder)
    _refuse_many(into, placed, standing)


def _refuse_name(into: Path) -> None:
    name = into.resolve().name
    if not re.fullmatch(ID_PATTERN, name):
        problem = f"the folder name {quote(name)} cannot be a round's id"
        raise InputError(shown(into), "", problem, "name it with letters, digits, dots, dashes and underscores")
    objection = objection_to_round(name, folders_beside(into.resolve()))
    if objection is not None:
        raise InputError(shown(into), "", objection, "choose another name")


def _refuse_series(into: Path, series: str, standing: Standing) -> None:
    if series in standing.tables:
        problem = f"the series is this table, and cannot have runs beside it in {LEVELS}/"
        raise InputError(shown(into / series / PUBLISHED_CSV), "", problem, ANOTHER)
    problem_of_name = objection_to_series(series, standing.names)
    if problem_of_name is not None:
        raise InputError(shown(into), f"series {series}", problem_of_name, ANOTHER)


def _parent(one: Placed) -> str:
    return one.folder.rpartition("/")[0]


def _refuse_link(into: Path, folder: str) -> None:
    """Refuse a folder that a link leads out of the round: what is written there would not be the round's."""
    existing = into / folder
    while not existing.exists() and existing != into:
        existing = existing.parent
    if existing != into and leads_out(existing, into):
        problem = "is, or lies behind, a link that leads out of the round's folder"
        raise InputError(shown(existing), "", problem, "copy the folder itself into the round")


def _refuse_many(into: Path, placed: Sequence[Placed], standing: Standing) -> None:
    levels: dict[str, set[str]] = {}
    trials: dict[LevelKey, set[str]] = {}
    for series, level, trial in (
        *((one.series, one.level, one.trial) for one in standing.there),
        *((one.series, one.level, str(one.trial)) for one in placed),
    ):
        levels.setdefault(series, set()).add(level)
        trials.setdefault((series, level), set()).add(trial)
    for (series, level), found in trials.items():
        _refuse_more(into / series / LEVELS / level, len(found), MOST_TRIALS, "trials")
    for series, names in levels.items():
        _refuse_more(into / series / LEVELS, len(names), MOST_LEVELS, "levels")


def _refuse_more(folder: Path, found: int, most: int, what: str) -> None:
    if found > most:
        problem = f"would have {found} {what}, more than {most}"
        raise InputError(shown(folder), "", problem, "import fewer files, or some of them into another series or round")
