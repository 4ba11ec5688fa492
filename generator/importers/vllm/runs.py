"""Runs from what was read of a result of `vllm bench serve`: its load, its own numbers, its requests."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from generator.errors import InputError, quote
from generator.importers.vllm.names import (
    BACKENDS,
    CAPS,
    ENGINES,
    FAILED,
    LATENCY_NAMES,
    MODELS,
    NAMES,
    RATES,
    Scalar,
    is_number,
)
from generator.importers.vllm.objects import ResultObject
from generator.importers.vllm.refusals import SGLANG, no_result, of_sglang
from generator.importers.vllm.requests import requests_of
from generator.importers.vllm.table import Table, arguments
from generator.redaction import redact
from generator.runs.imported import Reported, Run
from generator.store.numbers import LARGEST
from generator.store.redact import redact_entry
from generator.values import Source

TOOL: Final = "vllm bench serve"
LONGEST_CALLED: Final = 60
"""Characters of the name of an entry that was struck out."""
UNLIMITED: Final = frozenset({"inf", "infinity"})
REMEDY: Final = "correct the entry, or import the file as the tool wrote it"
NEEDED: Final = ("duration", "completed")
"""What every result has, under one name or another; and with them, one of these."""

THROUGHPUTS: Final = frozenset({"request_throughput", "output_throughput", "total_token_throughput"})


def run_of_object(result: ResultObject, file: str, source: Source) -> Run | None:
    """Return the run that a JSON object tells of; None for one that never came to an end, and says so.

    Args:
        result: the object as it was read.
        file: how error lines call the file.
        source: where the object was read.

    Raises:
        InputError: the object is no result, or an entry of it cannot be.
    """
    entries = {**arguments(result.arguments), **result.scalars, **result.metrics}
    if not result.metrics and result.scalars.get("ok") is False:
        return None
    if not SGLANG.isdisjoint(entries):
        raise of_sglang(file, source.place)
    missing = _missing(entries)
    if missing:
        raise no_result(file, source.place, result.names, missing)
    return replace(
        _Entries(entries, file, source.place).run(),
        struck_out=tuple(dict.fromkeys(map(_called, result.struck_out))),
        damaged_texts=result.damaged,
        requests=requests_of(result, source, file),
    )


def run_of_table(table: Table, file: str, place: str) -> Run:
    """Return the run that a printed table tells of.

    Raises:
        InputError: the table lacks what every result has, or a number of it cannot be.
    """
    missing = _missing(table.rows)
    if missing:
        raise no_result(file, place, table.rows, missing)
    return _Entries({**table.asked, **table.rows}, file, place).run()


def _missing(entries: Mapping[str, Scalar]) -> list[str]:
    known = {NAMES[name][0] for name, value in entries.items() if name in NAMES and is_number(value)}
    missing = [metric for metric in NEEDED if metric not in known]
    return missing or ([] if known & THROUGHPUTS else ["request_throughput"])


class _Entries:
    """The plain entries of one result, read for what they mean."""

    def __init__(self, entries: Mapping[str, Scalar], file: str, place: str) -> None:
        self._entries = entries
        self._file = file
        self._place = place

    def run(self) -> Run:
        return Run(
            tool=TOOL,
            place=self._place,
            started=self._started(),
            model=self._text(MODELS),
            engine=self._engine(),
            label=self._text(("label",)),
            concurrency=self._load(CAPS),
            rate=self._load(RATES),
            swept=self._swept(),
            summary={redact(name): _publishable(name, value) for name, value in self._entries.items()},
            reported=tuple(self._reported()),
        )

    def _started(self) -> str | None:
        """Return when the load began. The tool writes ``date`` once the load is over, so the duration is taken off."""
        date, duration = self._entries.get("date"), self._entries.get("duration")
        if not isinstance(date, str) or not isinstance(duration, int | float):
            return None
        try:
            ended = datetime.strptime(date, "%Y%m%d-%H%M%S")  # noqa: DTZ007 - the file gives no zone
            return (ended - timedelta(seconds=duration)).isoformat(timespec="seconds")
        except (ValueError, OverflowError):
            return None

    def _text(self, names: tuple[str, ...]) -> str | None:
        for name in names:
            value = self._entries.get(name)
            if isinstance(value, str) and value.strip():
                return redact_entry(name, value.strip())
        return None

    def _engine(self) -> str | None:
        """Return the engine; ``backend`` names one in a few of its values, and a protocol in the others."""
        for name in ENGINES:
            value = self._text((name,))
            if value and (name != "backend" or value.lower() in BACKENDS):
                return value
        return None

    def _load(self, names: tuple[str, ...]) -> float | None:
        """Return the limit that the first of the names gives; null and infinity are no limit."""
        name = next((name for name in names if name in self._entries), None)
        value = self._entries[name] if name else None
        if value is None or (isinstance(value, str) and value.strip().lower() in UNLIMITED | {"none", ""}):
            return None
        number = _as_number(value)
        if number is None or not 0 < number <= LARGEST:
            raise self._odd(f"`{name}` is {quote(value)}, neither a number above 0 nor inf")
        return number

    def _swept(self) -> dict[str, str]:
        """Return what a sweep varies: its runner adds that at the end of a result, after ``run_number``."""
        names = list(self._entries)
        if "run_number" not in names:
            return {}
        added = names[names.index("run_number") + 1 :]
        values = {name: _publishable(name, self._entries[name]) for name in added if name not in NAMES}
        return {redact(name): v if isinstance(v, str) else json.dumps(v) for name, v in values.items()}

    def _reported(self) -> Iterator[Reported]:
        """Yield the numbers that mean something, the first of each metric."""
        found: dict[str, Reported] = {}
        for name, value in self._entries.items():
            if name in NAMES and not _no_sample(name, value):
                metric, unit = NAMES[name]
                found.setdefault(metric, Reported(metric, name, unit, self._amount(name, value)))
        if "requests" not in found:
            yield from self._attempted(found.get("completed"))
        yield from found.values()

    def _attempted(self, completed: Reported | None) -> Iterator[Reported]:
        """Yield the attempted requests where the file gives them in two parts only."""
        failed = next((name for name in FAILED if is_number(self._entries.get(name))), None)
        if failed and completed:
            total = completed.value + self._amount(failed, self._entries[failed])
            yield Reported("requests", f"{completed.key} + {failed}", "1", total)

    def _amount(self, name: str, value: Scalar) -> float:
        number = _as_number(value)
        if number is None or not 0 <= number <= LARGEST:
            raise self._odd(f"`{name}` is {quote(value)}, where a number from 0 to {LARGEST:g} should be")
        if not number.is_integer() and (name in FAILED or NAMES[name][1] == "1"):
            raise self._odd(f"`{name}` is {quote(value)}, where a whole number should be")
        return number + 0.0  # −0.0 is 0

    def _odd(self, problem: str) -> InputError:
        return InputError(self._file, self._place, problem, REMEDY)


def _no_sample(name: str, value: Scalar) -> bool:
    """Say whether an entry gives no number: the tool writes the latency 0 where it has nothing to take it from."""
    return not is_number(value) or (value == 0 and name in LATENCY_NAMES)


def _as_number(value: Scalar) -> float | None:
    try:
        number = math.nan if value is None or isinstance(value, bool) else float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _called(name: str) -> str:
    """Return the name of an entry that was struck out, which may itself hold what must not be published."""
    name = redact(name)
    return name if len(name) <= LONGEST_CALLED else f"{name[:LONGEST_CALLED]}…"


def _publishable(name: str, value: Scalar) -> Scalar:
    return redact_entry(name, value) if isinstance(value, str) else value
