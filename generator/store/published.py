"""published.csv: the levels of a series and their numbers, as a publication gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.declared.table_types import ID_PATTERN
from generator.errors import InputError, quote
from generator.kinds import AS_PUBLISHED, Metric
from generator.model import Level
from generator.places import Place
from generator.store.files import read_text, shown
from generator.store.numbers import Rejected, Typed, parse_number
from generator.store.table import Row, read_table
from generator.units import to_base
from generator.values import Address, Observation, Origin, Source

PUBLISHED_CSV: Final = "published.csv"
LEVEL: Final = "level"
LOADS: Final = ("concurrency", "rate")
DIGITS_OF_AN_ID: Final = 15


@dataclass(frozen=True, slots=True)
class Published:
    """What a table gave: the levels by rising load, and every number found."""

    levels: tuple[Level, ...]
    observations: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class _Reader:
    """The reading of one table; ``columns`` are the places by the name of their column."""

    file: str
    series: str
    origin: Origin
    columns: Mapping[str, tuple[Place, Metric]]

    def level(self, row: Row) -> Level:
        loads: dict[str, float] = {name: self.number(row, name).value for name in LOADS if name in row.cells}
        if not loads:
            problem = "the row has neither a concurrency nor a rate"
            raise InputError(self.file, f"line {row.line}", problem, "fill in one of them")
        for name, load in loads.items():
            if load <= 0:
                raise InputError(self.file, _place(row, name), "the load is 0", "write a number above 0")
        return Level(self._id(row, loads), loads.get("concurrency"), loads.get("rate"))

    def _id(self, row: Row, loads: Mapping[str, float]) -> str:
        name, load = next(iter(loads.items()))
        level = row.cells.get(LEVEL, f"{name[0]}{load:.{DIGITS_OF_AN_ID}g}")
        if re.fullmatch(ID_PATTERN, level):
            return level
        if LEVEL not in row.cells:
            problem = f"{quote(row.cells[name])} is too large to name a level after"
            raise InputError(self.file, _place(row, name), problem, "check the number, or add a level column")
        problem = f"the level id {quote(level)} is not letters, digits, dots, dashes and underscores"
        raise InputError(self.file, f"line {row.line}, column {LEVEL}", problem, "write an id such as c8")

    def number(self, row: Row, column: str) -> Typed:
        read = parse_number(row.cells[column], may_be_negative=column.endswith(AS_PUBLISHED))
        if isinstance(read, Rejected):
            raise InputError(self.file, _place(row, column), read.problem, read.remedy)
        return read

    def observation(self, row: Row, column: str, level: Level) -> Observation:
        place, metric = self.columns[column]
        typed = self.number(row, column)
        return Observation(
            address=Address(metric.key, "level", self.series, level.id, metric.basis),
            value=to_base(typed.value, place.unit),
            origin=self.origin,
            source=Source(f"{self.series}/{PUBLISHED_CSV}", _place(row, column)),
            decimals=typed.decimals,
            priority=metric.places.index(place),
        )


def read_published(folder: Path, series: str, places: Mapping[Place, Metric], origin: Origin) -> Published:
    """Read the table of a series.

    Args:
        folder: the round's folder.
        series: the id of the series, which is the name of its folder.
        places: every place where a number may be written down, and the metric it is of.
        origin: what the numbers are worth.

    Raises:
        InputError: the table is missing, or something in it is wrong.
    """
    path = folder / series / PUBLISHED_CSV
    try:
        text = read_text(path, within=folder)
    except FileNotFoundError as error:
        remedy = f"write {series}/{PUBLISHED_CSV} or remove the series"
        raise InputError(shown(path), "", f"series {series} has no data", remedy) from error
    columns = {place.name: (place, metric) for place, metric in places.items() if place.kind == "column"}
    reader = _Reader(shown(path), series, origin, columns)
    rows = read_table(text, reader.file, {*columns, LEVEL})
    levels = [reader.level(row) for row in rows]
    _refuse_twins(rows, levels, reader.file)
    observations = [
        reader.observation(row, column, level)
        for row, level in zip(rows, levels, strict=True)
        for column in row.cells
        if column != LEVEL
    ]
    return Published(tuple(sorted(levels, key=lambda level: level.order)), tuple(observations))


def _place(row: Row, column: str) -> str:
    return f"line {row.line}, column {column}"


def _refuse_twins(rows: list[Row], levels: list[Level], file: str) -> None:
    first: dict[str, int] = {}
    for row, level in zip(rows, levels, strict=True):
        if level.id in first:
            problem = f"the level {level.id} is there twice, first in line {first[level.id]}"
            raise InputError(file, f"line {row.line}", problem, "remove one, or tell them apart in a level column")
        first[level.id] = row.line
