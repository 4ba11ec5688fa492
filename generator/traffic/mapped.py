"""Files whose columns or entries the user names: ``--map input=prompt_tokens,output=usage.out,time=created:ms``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from generator.declared.profiles import Clock
from generator.errors import InputError, nearest, quote
from generator.text import counted
from generator.traffic.rows import Row, UnfitError, date, duration, length, moment, number
from generator.traffic.traces import header_of

Field = Literal["input", "output", "time", "duration"]
FIELDS: Final[tuple[Field, ...]] = get_args(Field)
UNITS: Final[Mapping[str, float]] = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
"""Unit of time -> how many of it a second has: powers of ten that floats hold exactly."""
SINCE_1970: Final = 1e8
"""Seconds from which on a number is taken for a time since 1970: in 1973, before anybody served a model."""
MAGNITUDES: Final = ((1e17, "ns"), (1e14, "us"), (1e11, "ms"))
"""Times since 1970 without a unit tell by their size what they count."""
OPTION: Final = "--map"


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or the way to an entry, and the unit of its numbers; none where they tell it themselves."""

    name: str
    unit: str = ""


Mapped = Mapping[Field, Column]


def mapping_of(told: str) -> Mapped:
    """Return what ``--map`` says.

    Raises:
        InputError: it names no column, a field that there is none, a field twice, or a unit of another kind.
    """
    found: dict[Field, Column] = {}
    for part in filter(None, (one.strip() for one in told.split(","))):
        field, _, column = part.partition("=")
        known = next((one for one in FIELDS if one == field.strip()), None)
        if known is None:
            raise InputError(OPTION, "", f"there is no {quote(field)} to map", nearest(field, FIELDS))
        if known in found or not column.strip():
            raise InputError(OPTION, "", f"{known} has to name one column", f"write {known}=COLUMN")
        found[known] = _column(known, column.strip())
    if not found:
        raise InputError(OPTION, "", "maps nothing", f"write input=COLUMN; there are {', '.join(FIELDS)}")
    return found


def _column(field: Field, told: str) -> Column:
    name, _, unit = told.rpartition(":")
    if field not in ("time", "duration") or not name:
        return Column(told)
    if unit not in UNITS:
        raise InputError(OPTION, "", f"{quote(unit)} is no unit of {field}", f"write one of {', '.join(UNITS)}")
    return Column(name, unit)


class Reader:
    """Reads requests off values by the name of their field; the first time tells what clock there is."""

    def __init__(self, mapped: Mapped) -> None:
        """Take what is mapped."""
        self.clock: Clock = "start"
        self._mapped = mapped
        self._unit: str | None = None

    def row(self, told: Mapping[Field, object]) -> Row:
        """Return the request of some values, of which empty ones are not known.

        Raises:
            UnfitError: one of them is no such number, or none is there.
        """
        there = {field: raw for field, raw in told.items() if raw not in (None, "")}
        if not there:
            raise UnfitError("", "has none of the columns that are mapped", "correct --map")
        given, made = (length(there[field], field) if field in there else None for field in ("input", "output"))
        at = self._moment(there["time"]) if "time" in there else None
        took = self._duration(there["duration"]) if "duration" in there else None
        return Row(None, given, made, at, took)

    def _duration(self, raw: object) -> float:
        return duration(raw, "duration", UNITS[self._mapped["duration"].unit or "s"])

    def _moment(self, raw: object) -> float:
        """Return a time in s; the first one settles its unit and its clock for all."""
        column = self._mapped["time"]
        if isinstance(raw, str) and not _is_number(raw):
            at = date(raw, "time")
            self._settle("date", "file" if _is_naive(raw) else "utc")
            return at
        found = number(raw, "time")
        unit = self._unit or column.unit or next((unit for least, unit in MAGNITUDES if found >= least), "s")
        per_second = UNITS.get(unit)
        if per_second is None:
            raise UnfitError("time", "is a number among dates", "give all times alike")
        at = moment(found, "time", per_second)
        self._settle(unit, "utc" if at >= SINCE_1970 else "start")
        return at

    def _settle(self, unit: str, clock: Clock) -> None:
        if self._unit is None:
            self._unit, self.clock = unit, clock
        elif self._unit != unit:
            raise UnfitError("time", "is a date among numbers", "give all times alike")


def _is_number(raw: str) -> bool:
    try:
        float(raw)
    except ValueError:
        return False
    return True


def _is_naive(raw: str) -> bool:
    """Say whether a date has no zone."""
    return not (raw.rstrip().endswith(("Z", "z")) or "+" in raw or raw.rpartition("-")[2].count(":") == 1)


def of_object(mapped: Mapped, reader: Reader) -> Callable[[Mapping[str, Any]], Row]:
    """Return the reader of an object; dots in a name lead into objects within it."""
    paths = {field: (column.name, column.name.split(".")) for field, column in mapped.items()}

    def read(one: Mapping[str, Any]) -> Row:
        return reader.row({field: _entry(one, *path) for field, path in paths.items()})

    return read


def _entry(one: Mapping[str, Any], name: str, steps: Sequence[str]) -> object:
    if name in one:
        return one[name]
    found: Any = one
    for step in steps:
        found = found.get(step) if isinstance(found, dict) else None
    return found


def of_cells(mapped: Mapped, reader: Reader, header: Sequence[str], file: str) -> Callable[[Sequence[str]], Row]:
    """Return the reader of a line of a table.

    Raises:
        InputError: the table has no column of a name that is mapped.
    """
    names = header_of(header)
    for column in mapped.values():
        if column.name.lower() not in names:
            problem = f"has no column {quote(column.name)}"
            raise InputError(file, "line 1", problem, "name one that its first line has")
    places = {field: names.index(column.name.lower()) for field, column in mapped.items()}
    last = max(places.values())

    def read(cells: Sequence[str]) -> Row:
        if len(cells) <= last:
            raise UnfitError("", counted("has {n} {n:cell|cells}, and the header {m}", n=len(cells), m=len(names)))
        return reader.row({field: cells[place].strip() for field, place in places.items()})

    return read
