"""The claims of a round: ``[[claim]]`` of round.toml, and claims.csv beside it where there are many.

A column of claims.csv is a key of ``[[claim]]``; phrases have a column for each language (``text_zh``, ``text_en``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from generator.declared.claim_table import ClaimTable
from generator.declared.round_tables import RoundFile
from generator.declared.table_types import Wording
from generator.errors import InputError, nearest, quote
from generator.model import Series
from generator.store.files import read_text, shown
from generator.store.manifest import CLAIMS
from generator.store.numbers import Rejected, parse_number
from generator.store.prose import Vocabulary
from generator.store.round_file import ROUND_FILE, objection_to
from generator.store.table import Row, read_table
from generator.text import LANGS, Text
from generator.told.claims import PERCENT, Claim
from generator.units import FACTORS, UNITLESS, base_unit

PHRASES: Final = ("text", "source", "reason")
NUMBERS: Final = ("value", "tolerance")
WORDS: Final = frozenset(f"{key}_{lang}" for key in PHRASES for lang in LANGS)
COLUMNS: Final = frozenset(ClaimTable.model_fields) - set(PHRASES) | WORDS
MOST_CLAIMS: Final = 2000
"""Rows of the longest claims.csv that is read: each is a line of a page."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A claim as it stands in a file, and how an error line names the place of one of its keys."""

    table: ClaimTable
    file: str
    place: str

    def refuse(self, key: str, problem: str, remedy: str) -> InputError:
        return InputError(self.file, f"{self.place}, {key}" if key else self.place, problem, remedy)


@dataclass(frozen=True, slots=True)
class _Known:
    """What a claim may be of; ``levels`` are those that each series has, or is to have."""

    vocabulary: Vocabulary
    levels: dict[str, tuple[str, ...]]


def read_claims(
    folder: Path, file: RoundFile, series: Sequence[Series], vocabulary: Vocabulary | None = None
) -> tuple[Claim, ...]:
    """Return the claims of a round: those of round.toml, then those of claims.csv.

    Args:
        folder: the round's folder.
        file: its round.toml.
        series: the series with their levels.
        vocabulary: the metrics that there are; None takes any.

    Raises:
        InputError: claims.csv cannot be read, a claim is not one, is there twice, or speaks of a metric, series, level
            or unit that is not there.
    """
    toml = shown(folder / ROUND_FILE)
    entries = [_Entry(table, toml, f"[[claim]] {table.id}") for table in file.claim]
    entries += _of_table(folder)
    _refuse_twins(entries)
    if vocabulary is not None:
        known = _Known(vocabulary, {one.id: _levels(one, file) for one in series})
        for entry in entries:
            _refuse_unknown(entry, known)
    return tuple(_claim(entry.table) for entry in entries)


def _levels(series: Series, file: RoundFile) -> tuple[str, ...]:
    planned = [entry.id for entry in file.level if entry.speaks_of(series.id)]
    return tuple(dict.fromkeys([*(level.id for level in series.levels), *planned]))


def _of_table(folder: Path) -> Iterator[_Entry]:
    path = folder / CLAIMS
    try:
        text = read_text(path, within=folder)
    except FileNotFoundError:
        return
    for row in read_table(text, shown(path), COLUMNS, each="claim", most=MOST_CLAIMS):
        yield _of_row(row, shown(path))


def _of_row(row: Row, file: str) -> _Entry:
    place = f"line {row.line}"
    raw: dict[str, Any] = {key: cell for key, cell in row.cells.items() if key in ClaimTable.model_fields}
    for key in PHRASES:
        written = {lang: row.cells[f"{key}_{lang}"] for lang in LANGS if f"{key}_{lang}" in row.cells}
        if written:
            raw[key] = written
    for key in NUMBERS:
        if key in raw:
            raw[key] = _number(key, raw[key], file, place)
    try:
        return _Entry(ClaimTable.model_validate(raw), file, place)
    except ValidationError as error:
        names, problem, remedy = objection_to(error, raw, ClaimTable)
        named = f", column {'_'.join(names[:2])}" if names else ""
        raise InputError(file, f"{place}{named}", problem, remedy) from error


def _number(key: str, cell: str, file: str, place: str) -> str | float:
    """Return a number as the model takes it: the value with the digits that were written."""
    read = parse_number(cell, may_be_negative=key == "value")
    if isinstance(read, Rejected):
        raise InputError(file, f"{place}, column {key}", read.problem, read.remedy)
    return cell if key == "value" and read.decimals is not None else read.value


def _refuse_twins(entries: Sequence[_Entry]) -> None:
    first: dict[str, _Entry] = {}
    for entry in entries:
        other = first.setdefault(entry.table.id, entry)
        if other is not entry:
            problem = f"the claim {entry.table.id} is there twice, first in {Path(other.file).name}, {other.place}"
            raise entry.refuse("", problem, "give each an id of its own")


def _refuse_unknown(entry: _Entry, known: _Known) -> None:
    table = entry.table
    if table.series is not None and table.series not in known.levels:
        raise _no_such(entry, "series", table.series, known.levels)
    if table.level is not None and table.level not in known.levels[table.series or ""]:
        raise _no_such(entry, "level", table.level, known.levels[table.series or ""])
    if table.metric is None:
        return
    bases = {basis for name, basis in known.vocabulary.scopes if name == table.metric}
    if not bases:
        raise _no_such(entry, "metric", table.metric, {name for name, _ in known.vocabulary.scopes})
    if table.basis not in bases:
        raise _no_such(entry, "basis", table.basis or "none", {basis or "none" for basis in bases})
    _refuse_scope(entry, known.vocabulary.scopes[table.metric, table.basis])
    _refuse_unit(entry, known.vocabulary.units[table.metric, table.basis])


def _no_such(entry: _Entry, key: str, found: str, known: Collection[str]) -> InputError:
    remedy = nearest(found, known) if known else f"leave {key} out"
    return entry.refuse(key, f"there is no {key} {quote(found)}", remedy)


def _refuse_scope(entry: _Entry, scope: str) -> None:
    """Refuse a claim that does not say of what it states a number, or says more than there is."""
    table = entry.table
    needed = {"round": (False, False), "series": (True, False), "pair": (True, False)}.get(scope, (True, True))
    for key, is_needed in zip(("series", "level"), needed, strict=True):
        is_named = getattr(table, key) is not None
        if is_named != is_needed:
            kind = "level" if needed[1] else "series" if needed[0] else "whole round"
            remedy = f"{'add' if is_needed else 'leave out'} {key}"
            raise entry.refuse("metric", f"{table.metric} is a number of a {kind}", remedy)


def _refuse_unit(entry: _Entry, own: str) -> None:
    unit = entry.table.unit
    if unit is None or (unit == PERCENT and own in UNITLESS):
        return
    if unit not in FACTORS:
        raise _no_such(entry, "unit", unit, [*FACTORS, PERCENT])
    if base_unit(unit) != base_unit(own):
        problem = f"{entry.table.metric} is measured in {own}, not in {unit}"
        raise entry.refuse("unit", problem, "convert the number, or correct the metric")


def _claim(table: ClaimTable) -> Claim:
    return Claim(
        id=table.id,
        kind=table.kind,
        metric=table.metric,
        series=table.series,
        level=table.level,
        basis=table.basis,
        op=table.op,
        stated=_written(table.value),
        unit=table.unit,
        tolerance=Decimal(repr(table.tolerance)) if table.tolerance is not None else None,
        text=_text(table.text),
        source=_text(table.source),
        reason=_text(table.reason),
    )


def _written(value: float | str | None) -> Decimal | None:
    """Return the number with the digits that were written; a TOML number has those of its shortest form."""
    if value is None or isinstance(value, str):
        return Decimal(value) if value is not None else None
    written = Decimal(repr(float(value)))
    whole = written.to_integral_value()
    return whole.quantize(Decimal(1)) if written == whole else written


def _text(words: Wording | None) -> Text | None:
    return words.text() if words is not None else None
