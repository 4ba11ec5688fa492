"""An analysis as bytes that hold values alone, and back: how each is written follows from the types of its records.

What occurs in many records, as an address, is written once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from generator.declared.table_types import Strict
from generator.frame import Analysis
from generator.text import Text
from generator.values import Address, Source

PLAIN: Final = frozenset({str, int, float, bool, NoneType})
SHARED: Final = (Address, Text, Source)
LARGEST: Final = 64 * 2**20
"""Bytes of the columns of one round; a round of longer ones is read anew each time."""
HEAD: Final = 8
"""Bytes that say how long the JSON is; behind it lie the columns."""


class NotKeptError(Exception):
    """Something that these bytes do not hold."""


def packed(analysis: Analysis) -> bytes:
    """Return an analysis as bytes: the same ones for equal analyses.

    Raises:
        NotKeptError: it holds too much, or what is not of the type that its record declares.
    """
    state = State()
    try:
        body = form(Analysis).write(analysis, state)
        shared = [list(map(_row_of(kind), state.numbers[kind])) for kind in SHARED]
        text = json.dumps([shared, body], ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise NotKeptError from error
    return b"".join([len(text).to_bytes(HEAD, "big"), text, *state.columns])


def unpacked(data: bytes) -> Analysis:
    """Return the analysis that such bytes were made of.

    Raises:
        NotKeptError: they are no such bytes.
    """
    end = HEAD + int.from_bytes(data[:HEAD], "big")
    try:
        shared, body = json.loads(data[HEAD:end].decode("utf-8", "surrogatepass"))
        records = {kind: list(map(_record_of(kind), rows)) for kind, rows in zip(SHARED, shared, strict=True)}
        analysis = form(Analysis).read(body, State(records=records, data=memoryview(data)[end:]))
    except (TypeError, ValueError, KeyError, IndexError, RecursionError) as error:
        raise NotKeptError from error
    if not isinstance(analysis, Analysis):
        raise NotKeptError
    return analysis


@dataclass(slots=True)
class State:
    """What is known while an analysis is written or read.

    Attributes:
        numbers: written so far of what is shared: class -> record -> its number.
        columns: written so far.
        records: read: class -> the records that are shared, by number.
        data: the columns that are read, one behind the other.
        taken: bytes written to the columns, or read from them, so far.
    """

    numbers: dict[type, dict[Any, int]] = field(default_factory=lambda: {kind: {} for kind in SHARED})
    columns: list[bytes] = field(default_factory=list)
    records: Mapping[type, list[Any]] = field(default_factory=dict)
    data: memoryview = field(default_factory=lambda: memoryview(b""))
    taken: int = 0


Turn = Callable[[Any, State], Any]


@dataclass(frozen=True, slots=True)
class Form:
    """How objects of one type are made JSON, and made again of it."""

    write: Turn
    read: Turn


AS_IT_IS: Final = Form(lambda found, _: found, lambda found, _: found)


@cache
def form(hint: Any) -> Form:  # noqa: ANN401  # a type, as annotations write it
    """Return how objects of a type are written; raises TypeError where that is not known."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in PLAIN or origin is Literal:
        return AS_IT_IS
    if origin in (Union, UnionType):
        return _one_of(tuple(part for part in parts if part is not NoneType))
    if origin is tuple:
        return _many(form(parts[0])) if parts[1:] == (...,) else _row(tuple(form(part) for part in parts))
    if origin is np.ndarray:
        return _column(np.dtype(get_args(parts[1])[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(form(parts[0]), form(parts[1]))
    return _of_class(hint)


def _of_class(kind: type) -> Form:
    if kind in SHARED:
        return _shared(kind)
    if is_dataclass(kind) or issubclass(kind, tuple):
        return _record(kind)
    return _table(kind) if issubclass(kind, Strict) else OTHERS[kind]


def _one_of(kinds: tuple[Any, ...]) -> Form:
    """Return how one of several types is written, or nothing: with its name, where they are classes of records."""
    if all(form(kind) is AS_IT_IS for kind in kinds):
        return AS_IT_IS
    if len(kinds) == 1:
        one = form(kinds[0])
        return Form(
            lambda found, state: None if found is None else one.write(found, state),
            lambda found, state: None if found is None else one.read(found, state),
        )
    named = {kind.__name__: form(kind) for kind in kinds}
    return Form(
        lambda found, state: [type(found).__name__, named[type(found).__name__].write(found, state)],
        lambda found, state: named[found[0]].read(found[1], state),
    )


def _many(one: Form) -> Form:
    if one is AS_IT_IS:
        return Form(lambda found, _: list(found), lambda found, _: tuple(found))
    return Form(
        lambda found, state: [one.write(each, state) for each in found],
        lambda found, state: tuple([one.read(each, state) for each in found]),
    )


def _row(forms: tuple[Form, ...]) -> Form:
    return Form(
        lambda found, state: [one.write(each, state) for one, each in zip(forms, found, strict=True)],
        lambda found, state: tuple([one.read(each, state) for one, each in zip(forms, found, strict=True)]),
    )


def _mapping(key: Form, value: Form) -> Form:
    """Return how a mapping is written: in pairs, whose order is kept."""
    return Form(
        lambda found, state: [[key.write(k, state), value.write(v, state)] for k, v in found.items()],
        lambda found, state: {key.read(k, state): value.read(v, state) for k, v in found},
    )


def _column(dtype: np.dtype[Any]) -> Form:
    def write(column: Any, state: State) -> int:  # noqa: ANN401  # an array, as its record declares
        state.taken += column.nbytes
        if column.dtype != dtype or column.ndim != 1 or state.taken > LARGEST:
            raise TypeError
        state.columns.append(column.tobytes())
        return len(column)

    def read(length: int, state: State) -> Any:  # noqa: ANN401  # an array, as its record declares
        begin, state.taken = state.taken, state.taken + length * dtype.itemsize
        return np.frombuffer(state.data[begin : state.taken], dtype).copy()

    return Form(write, read)


def _shared(kind: type) -> Form:
    """Return how a record is written that occurs many times: as its number."""

    def write(record: Any, state: State) -> int:  # noqa: ANN401  # a record of that class
        _refuse_other(record, kind)
        numbers = state.numbers[kind]
        return numbers.setdefault(record, len(numbers))

    return Form(write, lambda number, state: state.records[kind][number])


def _record(kind: type) -> Form:
    """Return how a record is written: as the list of its fields, whose forms are found when there is one."""

    @cache
    def turned() -> list[tuple[int, Form]]:
        forms = map(form, _hints(kind).values())
        return [(at, one) for at, one in enumerate(forms) if one is not AS_IT_IS]

    row_of, record_of = _row_of(kind), _record_of(kind)

    def write(record: Any, state: State) -> list[Any]:  # noqa: ANN401  # a record of that class
        _refuse_other(record, kind)
        row = row_of(record)
        for at, one in turned():
            row[at] = one.write(row[at], state)
        return row

    def read(row: list[Any], state: State) -> Any:  # noqa: ANN401  # a record of that class
        for at, one in turned():
            if row[at] is not None:
                row[at] = one.read(row[at], state)
        return record_of(row)

    return Form(write, read)


def _refuse_other(record: object, kind: type) -> None:
    if type(record) is not kind:
        raise TypeError(kind)


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Return the types of the fields of a record, in the order in which it is made of them."""
    found = get_type_hints(kind)
    return {one.name: found[one.name] for one in fields(kind)} if is_dataclass(kind) else found


def _row_of(kind: type) -> Callable[[Any], list[Any]]:
    """Return what takes the fields of a record out of it."""
    names = list(_hints(kind))
    if len(names) == 1:
        return lambda record: [getattr(record, names[0])]
    taken = attrgetter(*names) if is_dataclass(kind) else iter
    return lambda record: list(taken(record))


def _record_of(kind: type) -> Callable[[list[Any]], Any]:
    """Return what makes a record of its fields; it refuses too few and too many."""
    of_tuple: Callable[[list[Any]], Any] | None = getattr(kind, "_make", None)
    return of_tuple or (lambda row: kind(*row))


def _table(kind: type[Strict]) -> Form:
    """Return how a table that an author declared is written: with the keys that were given."""

    def write(table: Any, _: State) -> Any:  # noqa: ANN401  # a table of that class
        _refuse_other(table, kind)
        return table.model_dump(mode="json", by_alias=True, exclude_unset=True)

    return Form(write, lambda told, _: kind.model_validate_json(json.dumps(told)))


OTHERS: Final[Mapping[type, Form]] = {Decimal: Form(lambda found, _: str(found), lambda found, _: Decimal(found))}
