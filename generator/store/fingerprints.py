"""What each series ran on: fingerprint.json of its sessions or put by hand, round.toml, and what its runs say.

    <series>/sessions/<n>/fingerprint.json    as ``rounds collect`` writes it
    <series>/fingerprint.json                 the same keys put down by hand, as many as are known

Files come from outside: names, folders, keys and hosts are struck out of them once more, and what they hold is bounded.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from generator import SCHEMA
from generator.declared.round_tables import RoundFile, SeriesTable
from generator.declared.table_types import Day, said_of
from generator.errors import InputError, quote
from generator.machines.flags import ENVIRONMENT, FLAG, family_of, flags_of
from generator.machines.records import Fact, Facts, Family, Machine, RunTime, Session
from generator.model import Series, Trial
from generator.redaction import STRUCK, redact
from generator.runs.imported import Description
from generator.store.arguments import redact_arguments
from generator.store.collected import sessions_of
from generator.store.files import printable, read_bytes, shown
from generator.store.level_file import LEVEL_FILE, LevelFile, read_level_file
from generator.store.numbers import LARGEST
from generator.store.redact import redact_entry
from generator.store.round_file import ROUND_FILE
from generator.store.runs import trials_of
from generator.values import Source

FINGERPRINT: Final = "fingerprint.json"
REMEDY: Final = "restore it, or write it as docs/rounds.md says"
DEEPEST: Final = 8
MOST_FACTS: Final = 2000
MOST_SESSIONS: Final = 1000
LONGEST_NAME: Final = 80
LONGEST: Final = 200
"""Characters of a fact; of a longer one the end is a hash, so that two that differ stay different."""
LONGEST_READ: Final = 8 * LONGEST
"""Characters in which secrets are looked for; what lies behind them is not kept."""
NO_FACTS: Final = frozenset({"schema", "unknown", "index", "argv", "environment"})
"""Keys that hold nothing to compare, or what is read apart."""
OF_BUILD: Final = frozenset({"engine.version", "engine.build", "engine.commit"})
UNSAID: Final = re.compile(r"\bunknown\b", re.IGNORECASE)
"""What a server that was built outside its repository calls its own version: it says nothing."""
SEED: Final = "seed"
DIGITS: Final = re.compile(r"[0-9]{1,40}")
ENDED: Final = ("ended", "end_time", "date")
RUN_KEYS: Final = ("model", "engine", "tool")


def read_machines(
    folder: Path, file: RoundFile, series: Sequence[Series], described: Mapping[Trial, Description]
) -> dict[str, Machine]:
    """Return what is known of the machine of each series.

    Args:
        folder: the round's folder.
        file: its round.toml.
        series: the series with their levels.
        described: what each run says of itself.

    Raises:
        InputError: a fingerprint is not JSON, is none, or leads out of the round.
    """
    return {one.id: _machine(folder, file, one, described) for one in series}


def _machine(folder: Path, file: RoundFile, series: Series, described: Mapping[Trial, Description]) -> Machine:
    table = series.table
    family = family_of(table.kind, table.engine)
    sessions = tuple(_sessions(folder, series.id, family))
    by_hand = _fingerprint(folder / series.id / FINGERPRINT, folder, family)
    layers = [
        *(one.facts for one in sessions), by_hand or {}, _of_table(table, family), _of_round(file),
        _of_runs(series.id, described),
    ]  # fmt: skip
    return Machine(
        facts=_merged(layers),
        sessions=sessions,
        runs=tuple(_runs(folder, series)),
        family=family,
        has_flags=table.argv is not None or any(_has_flags(facts) for facts in layers[: len(sessions) + 1]),
    )


def _merged(layers: Sequence[Facts]) -> dict[str, Fact]:
    """Return the facts of several places: the first that knows one is believed; of flags, the first that knows any."""
    merged: dict[str, Fact] = {}
    for facts in layers:
        knows_flags = _has_flags(merged)
        for path, fact in facts.items():
            if not (knows_flags and path.startswith(FLAG)):
                merged.setdefault(path, fact)
    return merged


def _has_flags(facts: Facts) -> bool:
    return any(path.startswith(FLAG) for path in facts)


def _sessions(folder: Path, series: str, family: Family | None) -> Iterator[Session]:
    sessions = sessions_of(folder / series)
    if len(sessions) > MOST_SESSIONS:
        parent = shown(sessions[0].parent)
        raise InputError(parent, "", f"has more than {MOST_SESSIONS} sessions", "split the round")
    for session in sessions:
        facts = _fingerprint(session / FINGERPRINT, folder, family)
        if facts is not None:
            yield Session(session.name, facts)


def _fingerprint(path: Path, folder: Path, family: Family | None) -> Facts | None:
    """Return the facts of a file; None where there is none."""
    try:
        told = json.loads(read_bytes(path, within=folder), object_pairs_hook=partial(_once, path))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise InputError(shown(path), "", "is not JSON", REMEDY) from error
    if not isinstance(told, dict):
        raise InputError(shown(path), "", "is not a table of facts", REMEDY)
    _refuse_newer(told.get("schema", SCHEMA), path)
    return _bounded(_of_fingerprint(told, family), path.relative_to(folder).as_posix())


def _once(path: Path, entries: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a table whose keys are there once: of two that differ, neither is chosen."""
    table = dict(entries)
    if len(table) < len(entries):
        twice = next(name for name, times in Counter(name for name, _ in entries).items() if times > 1)
        raise InputError(shown(path), "", f"has the entry {quote(twice)} twice", "keep one of them")
    return table


def _refuse_newer(schema: object, path: Path) -> None:
    if not isinstance(schema, int) or isinstance(schema, bool):
        raise InputError(shown(path), "schema", "expected a whole number", REMEDY)
    if schema > SCHEMA:
        raise InputError(shown(path), "schema", "written by a newer Rounds", "update Rounds to read it")


def _bounded(entries: Iterator[tuple[str, str, str]], file: str) -> dict[str, Fact]:
    """Return path -> fact of (path, key in the file, text); no more than are ever asked for.

    Of what something was struck out, it is no longer known whether two are the same: it is left out.
    """
    found: dict[str, Fact] = {}
    for path, key, text in entries:
        if len(found) >= MOST_FACTS:
            break
        if STRUCK in text:
            continue
        found.setdefault(_name(path), Fact(_cut(text), Source(file, _name(key))))
    return found


def _name(path: str) -> str:
    return printable(redact(path[:LONGEST_READ])[:LONGEST_NAME])


def _cut(text: str) -> str:
    return _hashed(" ".join(printable(text).split()), LONGEST)


def _hashed(text: str, most: int) -> str:
    """Return a text; of one that is too long the beginning and a hash."""
    if len(text) <= most:
        return text
    return f"{text[: most - 20]}… #{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _of_fingerprint(told: Mapping[str, Any], family: Family | None) -> Iterator[tuple[str, str, str]]:
    """Yield path, key and text of all facts of a fingerprint."""
    yield from _flags(told.get("argv"), family, "argv")
    environment = told.get("environment")
    for name, value in environment.items() if isinstance(environment, dict) else ():
        if isinstance(value, str):
            yield ENVIRONMENT + name, f"environment.{name}", redact_entry(name, _hashed(value, LONGEST_READ))
    gpu = told.get("gpu")
    if isinstance(gpu, dict) and isinstance(gpu.get("gpus"), list) and gpu["gpus"]:
        yield "gpu.count", "gpu.gpus", str(len(gpu["gpus"]))
    flat = _flat({name: one for name, one in told.items() if name not in NO_FACTS}, "", 0)
    yield from ((path, key, text) for path, key, text in flat if path not in OF_BUILD or not UNSAID.search(text))


def _flags(argv: object, family: Family | None, key: str) -> Iterator[tuple[str, str, str]]:
    """Yield the flags of a command; secrets and home folders are struck out before it is taken apart."""
    if isinstance(argv, list | tuple):
        words = redact_arguments([_hashed(str(word), LONGEST_READ) for word in argv[:MOST_FACTS]])
        for flag, value in flags_of(words, family).items():
            yield FLAG + flag, key, value


def _flat(thing: object, path: str, depth: int) -> Iterator[tuple[str, str, str]]:
    if depth > DEEPEST or thing is None:
        return
    if isinstance(thing, dict):
        for name, one in thing.items():
            if name not in NO_FACTS:
                yield from _flat(one, f"{path}.{name}" if path else name, depth + 1)
    elif isinstance(thing, list):
        yield from _of_list(thing, path, depth)
    elif path:
        name = path.rpartition(".")[2]
        yield path, path, redact_entry(name, _text(thing))


def _of_list(thing: Sequence[object], path: str, depth: int) -> Iterator[tuple[str, str, str]]:
    """Yield what the entries of a list have in common by name, each text once: GPUs of one kind are one fact."""
    texts: dict[str, dict[str, None]] = {}
    for one in thing[:MOST_FACTS]:
        for below, _, text in _flat(one, path, depth + 1):
            texts.setdefault(below, {})[text] = None
    for below, said in texts.items():
        yield below, below, " / ".join(said)


def _text(thing: object) -> str:
    if isinstance(thing, bool):
        return str(thing).lower()
    if isinstance(thing, int | float):
        return f"{thing:.12g}" if abs(thing) < LARGEST else "too large"
    return _hashed(str(thing), LONGEST_READ)


def _of_table(table: SeriesTable, family: Family | None) -> Facts:
    """Return what round.toml says of a series."""
    told = {
        "gpu.driver": ("driver", table.driver), "gpu.cuda": ("cuda", table.cuda), "host": ("host", table.host),
        "engine.name": ("engine", table.engine), "engine.version": ("version", table.version),
        "model.precision": ("precision", table.precision),
    }  # fmt: skip
    entries = [(path, key, redact(text)) for path, (key, text) in told.items() if text is not None]
    entries += _flags(table.argv, family, "argv")
    entries += [
        (ENVIRONMENT + name, "env", redact_entry(name, value))
        for name, _, value in (entry.partition("=") for entry in table.env)
    ]
    place = f"[[series]] {table.id}, "
    facts = _bounded(((path, place + key, text) for path, key, text in entries), ROUND_FILE)
    said = _said("gpu.gpus.name", place + "gpu", table.gpu)
    return {**said, **_said("date", place + "date", table.date), **facts}


def _of_round(file: RoundFile) -> Facts:
    """Return what round.toml says of all series alike; a date in words may be that of several days."""
    gpu, date = file.hardware.gpu, file.round.date
    told = {
        "gpu.driver": ("[hardware] driver", file.hardware.driver),
        "gpu.cuda": ("[hardware] cuda", file.hardware.cuda),
        "date": ("[round] date", date.isoformat() if isinstance(date, datetime.date) else None),
    }
    facts = _bounded(iter([(path, key, text) for path, (key, text) in told.items() if text is not None]), ROUND_FILE)
    return {**_said("gpu.gpus.name", "[hardware] gpu", gpu), **facts}


def _said(path: str, key: str, told: Day | None) -> dict[str, Fact]:
    """Return a fact that an author has words for; both languages lose what is struck out of one."""
    if told is None:
        return {}
    words = said_of(told)
    zh, en = (_bounded(iter([(path, key, redact(one))]), ROUND_FILE) for one in (words.zh, words.en))
    if not (zh and en):
        return {}
    return {path: replace(en[path], chinese=None if zh == en else zh[path].text)}


def _of_runs(series: str, described: Mapping[Trial, Description]) -> Facts:
    """Return what the runs of a series say of themselves, each text once."""
    said: dict[str, dict[str, None]] = {}
    for (of, _, _), told in described.items():
        for key in RUN_KEYS if of == series else ():
            if told.get(key):
                said.setdefault(key, {})[_without_folder(told[key])] = None
    entries = ((f"run.{key}", key, redact(" / ".join(texts))) for key, texts in said.items())
    return _bounded(entries, f"{series}/levels")


def _without_folder(text: str) -> str:
    """Return the last name of an absolute path; a name with an owner stays whole."""
    return text.rstrip("/").rpartition("/")[2] if text.startswith("/") else text


def _runs(folder: Path, series: Series) -> Iterator[RunTime]:
    for trial, where in trials_of(folder, series):
        if (trial / LEVEL_FILE).exists():
            source = Source(f"{trial.relative_to(folder).as_posix()}/{LEVEL_FILE}", "started")
            yield _run_time(read_level_file(trial, folder), where.level or "", where.trial, source)


def _run_time(file: LevelFile, level: str, trial: int | None, source: Source) -> RunTime:
    steps = file.summary.get("client_clock_steps")
    ended = next((said for key in ENDED if isinstance(said := file.summary.get(key), str)), None)
    counted = float(steps) if isinstance(steps, int | float) and not isinstance(steps, bool) else None
    return RunTime(level, trial, file.started, ended, counted, source, _seed(file.summary))


def _seed(summary: Mapping[str, str | float | bool | None]) -> str | None:
    """Return the seed that a run names, at whatever depth: our client writes it as text, others as a number."""
    named = (value for name, value in summary.items() if name == SEED or name.endswith(f".{SEED}"))
    texts = (f"{value:.17g}" if isinstance(value, int | float) else value or "" for value in named)
    return next((text for text in texts if DIGITS.fullmatch(text)), None)
