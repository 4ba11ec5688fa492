"""A round's folder to a Round, and a folder of rounds to the list of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from generator.errors import InputError, quote
from generator.kinds import Metric, Place
from generator.model import ID_PATTERN, Round, RoundFile, Series
from generator.store.facts import read_facts
from generator.store.files import shown, unreadable
from generator.store.manifest import PROSE, check_integrity, data_sha256, hash_data
from generator.store.prose import Vocabulary, read_prose
from generator.store.published import read_published
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.store.settings import declared
from generator.values import Observation, Origin


def list_rounds(runs: Path) -> list[Path]:
    """Return the folders in a folder of rounds, hidden ones left out, ``round-2`` before ``round-10``.

    Raises:
        InputError: the folder is missing or cannot be read.
    """
    try:
        return sorted((p for p in runs.iterdir() if p.is_dir() and not p.name.startswith(".")), key=_natural)
    except FileNotFoundError as error:
        raise InputError(shown(runs), "", "there is no such folder", "name the folder of the rounds") from error
    except OSError as error:
        raise unreadable(runs, error) from error


def read_round(folder: Path, places: Mapping[Place, Metric], vocabulary: Vocabulary | None = None) -> Round:
    """Read a round.

    Args:
        folder: the round's folder; its name is the round's id.
        places: every place where a number may be written down, and the metric it is of.
        vocabulary: what the authors' prose may speak of; None takes any section and any unit.

    Raises:
        InputError: something in the folder cannot be used; the error says where, and what to do.
    """
    round_id = _round_id(folder)
    file = read_round_file(folder)
    series, observations = _read_series(folder, file, places)
    settings = declared(file, shown(folder / ROUND_FILE), series, places)
    hashes = hash_data(folder)
    return Round(
        id=round_id,
        file=file,
        series=series,
        observations=(*observations, *settings),
        integrity=check_integrity(folder, hashes),
        data_sha256=data_sha256(folder, hashes),
        prose=read_prose(folder, vocabulary),
    )


def _read_series(
    folder: Path, file: RoundFile, places: Mapping[Place, Metric]
) -> tuple[tuple[Series, ...], list[Observation]]:
    origin: Origin = "transcribed" if file.round.origin == "transcribed" else "reported"
    series: list[Series] = []
    observations: list[Observation] = []
    for table in file.series:
        if table.id.lower() == PROSE:
            problem = f"{PROSE} is the folder of the round's text"
            raise InputError(shown(folder / ROUND_FILE), f"[[series]] {table.id}", problem, "choose another id")
        published = read_published(folder, table.id, places, origin)
        series.append(Series(table, published.levels))
        observations += published.observations
        observations += read_facts(folder, table.id, places, origin)
    return tuple(series), observations


def _round_id(folder: Path) -> str:
    try:
        there = folder.is_dir()
    except OSError as error:
        raise unreadable(folder, error) from error
    if not there:
        raise InputError(shown(folder), "", "there is no such folder", "name the folder of a round")
    name = (folder if folder.name not in ("", "..") else folder.resolve()).name
    if re.fullmatch(ID_PATTERN, name):
        return name
    problem = f"the folder name {quote(name)} cannot be a round's id"
    raise InputError(shown(folder), "", problem, "rename it: letters, digits, dots, dashes and underscores")


def _natural(path: Path) -> tuple[list[tuple[int, str]], str]:
    """Order runs of digits by the number they make."""
    parts = re.split(r"([0-9]+)", path.name)
    return [(int(part), "") if part[:1].isdecimal() and part.isascii() else (-1, part) for part in parts], path.name
