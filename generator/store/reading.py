"""A round's folder to a Round, and a folder of rounds to the list of them."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from generator.declared.round_tables import RoundFile
from generator.declared.table_types import ID_PATTERN
from generator.errors import InputError, quote
from generator.kinds import Engine, Importer, Metric
from generator.model import Integrity, Round, Series, Trial
from generator.places import Place
from generator.runs.imported import Description
from generator.runs.in_flight import with_gauges
from generator.runs.requests import Requests
from generator.store.architecture import read_architectures
from generator.store.beside import Beside
from generator.store.claims_file import read_claims
from generator.store.collected import read_collected
from generator.store.counters import read_counters
from generator.store.devices import read_devices
from generator.store.facts import read_facts
from generator.store.files import leads_out, shown, unreadable
from generator.store.fingerprints import read_machines
from generator.store.flag_numbers import read_flags
from generator.store.manifest import BrokenManifestError, Hashes, check_integrity, data_sha256, hash_data
from generator.store.names import folders_beside, natural, objection_to_round, objection_to_series
from generator.store.not_measured import why_no_latency
from generator.store.profile import read_profile
from generator.store.prose import Vocabulary, read_prose
from generator.store.published import PUBLISHED_CSV, Published, read_published
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.store.runs import LEVELS, has_runs, read_runs, refuse_strays
from generator.store.server_log import read_server_logs
from generator.store.settings import declared
from generator.store.telemetry import read_telemetry
from generator.values import Observation, Origin

NO_IMPORTERS: Final[Mapping[str, Importer]] = {}
NO_ENGINES: Final[Mapping[str, Engine]] = {}


def list_rounds(runs: Path) -> list[Path]:
    """Return the folders in a folder of rounds, hidden ones left out, ``round-2`` before ``round-10``.

    A link to nowhere, or one that cannot be followed, is among them: reading it says what is wrong.

    Raises:
        InputError: the folder is missing or cannot be read.
    """
    try:
        return sorted((p for p in runs.iterdir() if not p.name.startswith(".") and _may_be_round(p)), key=natural)
    except FileNotFoundError as error:
        raise InputError(shown(runs), "", "there is no such folder", "name the folder of the rounds") from error
    except OSError as error:
        raise unreadable(runs, error) from error


def _may_be_round(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError:
        return True


def read_round(
    folder: Path,
    places: Mapping[Place, Metric],
    vocabulary: Vocabulary | None = None,
    importers: Mapping[str, Importer] = NO_IMPORTERS,
    engines: Mapping[str, Engine] = NO_ENGINES,
    *,
    resealing: bool = False,
) -> Round:
    """Read a round.

    Args:
        folder: the round's folder; its name is the round's id.
        places: every place where a number may be written down, and the metric it is of.
        importers: readers of files of other tools that lie among the data, by name.
        engines: servers whose logs may lie among the data, by name.
        vocabulary: what the authors' prose may speak of; None takes any section and any unit.
        resealing: take a manifest that is none as absent, because it is to be replaced.

    Raises:
        InputError: something in the folder cannot be used; the error says where, and what to do.
    """
    try:
        return _read_round(folder, places, vocabulary, importers, engines, resealing=resealing)
    except (OSError, RecursionError, MemoryError, UnicodeError) as error:
        # What a disk or a hostile file can do to any reader, met where no better word was found for it. One
        # round must not stop the others; a mistake of ours shows as another exception and stays one.
        why = error.strerror if isinstance(error, OSError) else type(error).__name__
        raise InputError(shown(folder), "", f"cannot be read ({why})", "look for damaged or odd files in it") from error


def _read_round(
    folder: Path,
    places: Mapping[Place, Metric],
    vocabulary: Vocabulary | None,
    importers: Mapping[str, Importer],
    engines: Mapping[str, Engine],
    *,
    resealing: bool,
) -> Round:
    round_id = _round_id(folder)
    file = read_round_file(folder)
    series, observations, requests, described = _read_series(folder, file, places, importers)
    settings = declared(file, shown(folder / ROUND_FILE), series, places)
    collected = read_collected(folder, series, places)
    machines = read_machines(folder, file, series, described)
    profile, of_profile = read_profile(folder, places)
    beside = (
        read_server_logs(folder, series, places, engines, requests),
        read_telemetry(folder, series, places),
        read_counters(folder, series, places),
        read_architectures(folder, file, series, machines, places),
        read_devices(series, machines, places),
        read_flags(series, machines, places),
        of_profile,
    )
    found = [seen for one in beside for seen in one.observations]
    unread = {address: why for one in beside for address, why in one.unread.items()}
    hashes = hash_data(folder)
    return Round(
        id=round_id,
        file=file,
        series=series,
        observations=(*observations, *settings, *collected, *found),
        integrity=_integrity(folder, hashes, resealing=resealing),
        data_sha256=data_sha256(folder, hashes),
        prose=read_prose(folder, vocabulary),
        requests=_with_server(requests, beside),
        described=described,
        machines=machines,
        unread=why_no_latency(series, observations, requests, places) | unread,
        claims=read_claims(folder, file, series, vocabulary),
        profile=profile,
    )


def _with_server(requests: Mapping[Trial, Requests], beside: Iterable[Beside]) -> dict[Trial, Requests]:
    """Return the requests with what engines said of themselves, and when they did what, while these went on."""
    told = dict(requests)
    for one in beside:
        told |= {at: with_gauges(told[at], said) for at, said in one.gauges.items() if at in told}
        told |= {at: replace(told[at], server=said) for at, said in one.times.items() if at in told}
    return told


def _integrity(folder: Path, hashes: Hashes, *, resealing: bool) -> Integrity:
    try:
        return check_integrity(folder, hashes)
    except BrokenManifestError:
        if resealing:
            return Integrity("absent")
        raise


def _read_series(
    folder: Path, file: RoundFile, places: Mapping[Place, Metric], importers: Mapping[str, Importer]
) -> tuple[tuple[Series, ...], list[Observation], dict[Trial, Requests], dict[Trial, Description]]:
    origin: Origin = "transcribed" if file.round.origin == "transcribed" else "reported"
    series: list[Series] = []
    observations: list[Observation] = []
    requests: dict[Trial, Requests] = {}
    described: dict[Trial, Description] = {}
    ids = [table.id for table in file.series]
    for table in file.series:
        _refuse_series(folder, table.id, ids)
        refuse_strays(folder, table.id, importers)
        if has_runs(folder, table.id):
            ran = read_runs(folder, table.id, places, importers, file.level)
            requests |= ran.requests
            described |= ran.described
            found = Published(ran.levels, ran.observations)
        elif table.is_collectable and not (folder / table.id / PUBLISHED_CSV).exists():
            found = Published((), ())
        else:
            found = read_published(folder, table.id, places, origin)
        series.append(Series(table, found.levels))
        observations += found.observations
        observations += read_facts(folder, table.id, places, origin)
    return tuple(series), observations, requests, described


def _refuse_series(folder: Path, series: str, ids: Iterable[str]) -> None:
    """Refuse an id that cannot be a folder's name, and a series whose data lie in a folder of another name."""
    problem = objection_to_series(series, ids)
    if problem is not None:
        raise InputError(shown(folder / ROUND_FILE), f"[[series]] {series}", problem, "choose another id")
    if has_runs(folder, series):
        if (folder / series / PUBLISHED_CSV).exists():
            problem = f"stands beside {LEVELS}/: a series has runs or a table of results"
            raise InputError(shown(folder / series / PUBLISHED_CSV), "", problem, "keep one of them")
        return
    if (folder / series / PUBLISHED_CSV).exists():
        return
    strays = _folders_of_no_series(folder, ids)
    if strays:
        problem = f"series {series} has no data, and no series is named after the folder {quote(min(strays))}"
        remedy = "give both the same name, or take that folder away"
        raise InputError(shown(folder / series / PUBLISHED_CSV), "", problem, remedy)


def _folders_of_no_series(folder: Path, ids: Iterable[str]) -> set[str]:
    """Return the folders with results that round.toml does not name: a mistyped id must not hide them."""
    found = {path.parent.name for kept in (PUBLISHED_CSV, LEVELS) for path in folder.glob(f"*/{kept}")}
    return {name for name in found if not name.startswith(".")} - set(ids)


def _round_id(folder: Path) -> str:
    _refuse_no_folder(folder)
    name = (folder if folder.name not in ("", "..") else folder.resolve()).name
    if not re.fullmatch(ID_PATTERN, name):
        problem = f"the folder name {quote(name)} cannot be a round's id"
        raise InputError(shown(folder), "", problem, "rename it: letters, digits, dots, dashes and underscores")
    objection = objection_to_round(name, folders_beside(folder))
    if objection is not None:
        raise InputError(shown(folder), "", objection, "rename it")
    return name


def _refuse_no_folder(folder: Path) -> None:
    remedy = "name the folder of a round"
    try:
        found = folder.stat()
        if folder.is_symlink() and leads_out(folder, folder.parent):
            raise InputError(shown(folder), "", "is a link that leads elsewhere", "name the folder itself, or copy it")
    except FileNotFoundError as error:
        problem = "is a link to nowhere" if folder.is_symlink() else "there is no such folder"
        raise InputError(shown(folder), "", problem, remedy) from error
    except (OSError, RuntimeError) as error:
        raise unreadable(folder, error) from error
    if not stat.S_ISDIR(found.st_mode):
        raise InputError(shown(folder), "", "is not a folder", remedy)
