"""published.toml: facts of a series that are no column of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError, nearest
from generator.kinds import Metric
from generator.places import Place
from generator.store.files import read_text, shown
from generator.store.numbers import LARGEST
from generator.store.toml_file import decimal_of, describe, parse
from generator.units import to_base
from generator.values import Address, Observation, Origin, Source

PUBLISHED_TOML: Final = "published.toml"

Known = Mapping[str, Mapping[str, tuple[Place, Metric]]]
"""Table -> key -> the place and its metric."""


def read_facts(folder: Path, series: str, places: Mapping[Place, Metric], origin: Origin) -> tuple[Observation, ...]:
    """Read the facts of a series; none where there is no such file.

    Raises:
        InputError: a table or key is unknown, or does not hold a finite number from 0 on.
    """
    path = folder / series / PUBLISHED_TOML
    try:
        text = read_text(path, within=folder)
    except FileNotFoundError:
        return ()
    known = _known(places)
    raw = parse(text, shown(path), parse_float=decimal_of)
    return tuple(
        _observation(series, known[table][key], _number(found, f"[{table}] {key}", shown(path)), origin)
        for table, key, found in _entries(raw, known, shown(path))
    )


def _known(places: Mapping[Place, Metric]) -> Known:
    known: dict[str, dict[str, tuple[Place, Metric]]] = {}
    for place, metric in places.items():
        if place.kind == "fact":
            table, _, key = place.name.partition(".")
            known.setdefault(table, {})[key] = (place, metric)
    return known


def _entries(raw: dict[str, Any], known: Known, file: str) -> Iterator[tuple[str, str, object]]:
    for table, keys in raw.items():
        name = describe(table)[1:-1]
        if table not in known:
            raise InputError(file, f"[{name}]", "there is no such table", nearest(table, known))
        if not isinstance(keys, dict):
            problem = f"expected a table, found {describe(keys)}"
            raise InputError(file, f"[{name}]", problem, f"write [{name}] and its keys below")
        for key, found in keys.items():
            if key not in known[table]:
                place = f"[{name}] {describe(key)[1:-1]}"
                raise InputError(file, place, "there is no such key", nearest(key, known[table]))
            yield table, key, found


def _number(found: object, place: str, file: str) -> Decimal:
    remedy = "write a plain number, or remove the key where nothing is known"
    if isinstance(found, bool) or not isinstance(found, int | Decimal):
        raise InputError(file, place, f"expected a number, found {describe(found)}", remedy)
    number = Decimal(found)
    if not number.is_finite() or not 0 <= number <= LARGEST:
        problem = f"expected a number from 0 to {LARGEST:g}, found {describe(found)}"
        raise InputError(file, place, problem, remedy)
    return number


def _observation(series: str, known: tuple[Place, Metric], number: Decimal, origin: Origin) -> Observation:
    place, metric = known
    table, _, key = place.name.partition(".")
    exponent = number.as_tuple().exponent
    return Observation(
        address=Address(metric.key, "series", series, basis=metric.basis),
        value=to_base(float(number), place.unit),
        origin=origin,
        source=Source(f"{series}/{PUBLISHED_TOML}", f"[{table}] {key}"),
        decimals=-exponent if isinstance(exponent, int) and exponent <= 0 else None,
        priority=metric.places.index(place),
    )
