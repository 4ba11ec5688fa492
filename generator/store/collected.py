"""Numbers of the files that ``rounds collect`` leaves beside its runs: calibration, cold starts, warm-up, counters.

    calibration.json                                     of the round
    <series>/sessions/<n>/cold_start.json                of the series: each start, and the first on record
    <series>/levels/<level>/<trial>/level.json           of the run, beside what is reported there
    <series>/levels/<level>/<trial>/warm-up/<phase>/     of the run: requests that were sent before the clock

A round that was not collected here has none of them, and one that is still to be collected neither.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator import SCHEMA
from generator.errors import InputError
from generator.kinds import Metric
from generator.model import Series
from generator.places import Place
from generator.runs.requests import Requests
from generator.store.files import leads_out, read_bytes, shown, unreadable
from generator.store.level_file import LEVEL_FILE, OURS
from generator.store.request_columns import REQUESTS_FILE, unpack
from generator.store.runs import trials_of
from generator.units import LARGEST, to_base
from generator.values import Address, Observation, Scope, Source

CALIBRATION: Final = "calibration.json"
COLD_START: Final = "cold_start.json"
SESSIONS: Final = "sessions"
WARM_UP: Final = "warm-up"
PHASES: Final = ("cold", "warm")
FILE_OF: Final[Mapping[Scope, str]] = {"round": CALIBRATION, "series": COLD_START, "level": LEVEL_FILE}
MOST_DIGITS: Final = 19
"""Of a clock in ns: as many as 64 bits hold."""
REMEDY: Final = "restore it, or collect the round again"

Records = Mapping[tuple[str, str], tuple[Place, Metric]]
"""File and key -> the place and its metric."""


def read_collected(folder: Path, series: Sequence[Series], places: Mapping[Place, Metric]) -> list[Observation]:
    """Read what lies beside the runs of a round; nothing where it was not collected.

    Args:
        folder: the round's folder.
        series: the series with their levels.
        places: every place where a number may be written down, and the metric it is of.

    Raises:
        InputError: a file cannot be read, is not as Rounds writes it, or leads out of the round.
    """
    records = {_file_and_key(place): (place, metric) for place, metric in places.items() if place.kind == "record"}
    found = list(_in_file(folder / CALIBRATION, Address("", "round"), folder, records))
    for one in series:
        found += _of_starts(folder, one.id, records)
        for trial, where in trials_of(folder, one):
            found += _of_run(trial, where, folder, records)
    return found


def _file_and_key(place: Place) -> tuple[str, str]:
    file, _, key = place.name.partition(", ")
    return file, key


def _of_run(trial: Path, where: Address, folder: Path, records: Records) -> Iterator[Observation]:
    """Yield what stands in the folder of a run of our own; nothing where another tool drove it."""
    path = trial / LEVEL_FILE
    told = _table(path, folder) if path.exists() else {}
    if told.get("tool") == OURS:
        yield from _in_table(told, path, where, folder, records)
        yield from _of_warm_up(trial, where, folder, records)


def _of_starts(folder: Path, series: str, records: Records) -> Iterator[Observation]:
    """Take each start by its number, and the first as that of the series: later ones may find the files in memory."""
    where = Address("", "series", series)
    starts = [path / COLD_START for path in sessions_of(folder / series) if (path / COLD_START).exists()]
    if not starts:
        return
    yield from _in_file(starts[0], where, folder, records)
    for start in starts:
        yield from _in_file(start, where._replace(trial=int(start.parent.name)), folder, records)
    counted = records.get((f"{SESSIONS}/*", COLD_START))
    if counted is not None:
        source = Source(f"{series}/{SESSIONS}", f"{len(starts)} of {COLD_START}")
        yield _observation(counted, where, len(starts), source)


def sessions_of(series: Path) -> list[Path]:
    """Return the folders of the sessions of a series, in their order.

    Raises:
        InputError: they cannot be listed.
    """
    parent = series / SESSIONS
    try:
        found = [path for path in parent.iterdir() if path.name.isdecimal()] if parent.is_dir() else []
    except OSError as error:
        raise unreadable(parent, error) from error
    return sorted(found, key=lambda path: (len(path.name), path.name))


def _in_file(path: Path, where: Address, folder: Path, records: Records) -> Iterator[Observation]:
    if path.exists():
        yield from _in_table(_table(path, folder), path, where, folder, records)


def _in_table(
    told: Mapping[str, Any], path: Path, where: Address, folder: Path, records: Records
) -> Iterator[Observation]:
    """Yield the numbers of a file that metrics are read from; what is null or not there is not known."""
    file = path.relative_to(folder).as_posix()
    for (name, key), known in records.items():
        number = _number(told, key, path) if name == FILE_OF[where.scope] else None
        if number is not None:
            yield _observation(known, where, number, Source(file, key))


def _table(path: Path, folder: Path) -> dict[str, Any]:
    try:
        told = json.loads(read_bytes(path, within=folder))
    except ValueError as error:
        raise InputError(shown(path), "", "is not JSON", REMEDY) from error
    schema = told.get("schema") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(schema, int):
        raise InputError(shown(path), "", "is not as Rounds writes it", REMEDY)
    if schema > SCHEMA:
        raise InputError(shown(path), "schema", "written by a newer Rounds", "update Rounds to read it")
    return told


def _number(told: Mapping[str, Any], key: str, path: Path) -> float | None:
    found: Any = told
    for step in key.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    if found is None:
        return None
    if isinstance(found, str) and key.endswith("_ns") and found.isdecimal() and len(found) <= MOST_DIGITS:
        return float(found)  # a clock in ns, which JSON's readers would round
    if isinstance(found, bool) or not isinstance(found, int | float) or not abs(found) <= LARGEST:
        raise InputError(shown(path), key, "expected a finite number", REMEDY)
    return float(found)


def _of_warm_up(trial: Path, where: Address, folder: Path, records: Records) -> Iterator[Observation]:
    """Count what was sent before the clock, as the server has counted it too; nothing was is a count of 0."""
    parts = [part for phase in PHASES if (part := _part(trial / WARM_UP / phase, folder)) is not None]
    file = f"{(trial / WARM_UP).relative_to(folder).as_posix()}/*/{REQUESTS_FILE}"
    for key in ("requests", "input_tokens", "output_tokens"):
        known, number = records.get((f"{WARM_UP}/*/{REQUESTS_FILE}", key)), _counted(parts, key)
        if known is not None and number is not None:
            yield _observation(known, where, number, Source(file, key))


def _part(path: Path, folder: Path) -> Requests | None:
    if not os.path.lexists(path / REQUESTS_FILE):
        return None
    try:
        if any(leads_out(file, folder) for file in path.iterdir()):
            raise InputError(shown(path), "", "holds a link that leads out of the round's folder", REMEDY)
    except (OSError, RuntimeError) as error:
        raise unreadable(path, error) from error
    return unpack(path, Source("", ""), folder)


def _counted(parts: Iterable[Requests], key: str) -> float | None:
    """Add up the requests or a column of them; None where one of its numbers is not known."""
    total = float(sum(len(part) if key == "requests" else getattr(part, key).sum() for part in parts))
    return total if total == total else None  # noqa: PLR0124  # NaN is what differs from itself


def _observation(known: tuple[Place, Metric], where: Address, number: float, source: Source) -> Observation:
    place, metric = known
    address = where._replace(metric=metric.key, basis=metric.basis)
    return Observation(address, to_base(number, place.unit), "measured", source, priority=metric.places.index(place))
