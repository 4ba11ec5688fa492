"""round.toml to RoundFile; what pydantic objects to becomes one line that names the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from generator.errors import InputError, nearest
from generator.model import RoundFile
from generator.store.files import read_text, shown
from generator.store.toml_file import describe, parse
from generator.store.upgrade import upgrade

ROUND_FILE: Final = "round.toml"

EXPECTED: Final[Mapping[str, str]] = {
    "bool_type": "true or false",
    "date_type": "text or a date",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a number not below {ge:g}",
    "int_type": "a whole number",
    "less_than_equal": "a number not above {le:g}",
    "literal_error": "one of {expected}",
    "model_type": "a table",
    "string_pattern_mismatch": "letters, digits, dots, dashes and underscores, 80 at most, the first a letter or digit",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} character",
    "string_type": "text in quotes",
    "too_short": "at least one entry",
    "tuple_type": "a list",
}
"""What a key should hold, by pydantic's name for the error."""


def read_round_file(folder: Path) -> RoundFile:
    """Read and check the round.toml of a folder.

    Raises:
        InputError: it is missing, not TOML, of another schema, or a key is unknown, missing or of a wrong type.
    """
    path = folder / ROUND_FILE
    try:
        text = read_text(path, within=folder)
    except FileNotFoundError as error:
        remedy = "write one, or move the folder out of runs/"
        raise InputError(shown(folder), "", f"has no {ROUND_FILE}", remedy) from error
    raw = upgrade(parse(text, shown(path)), shown(path))
    try:
        return RoundFile.model_validate(_with_tuples(raw))
    except ValidationError as error:
        raise _as_input_error(error, raw, shown(path)) from error


def _with_tuples(raw: Any) -> Any:  # noqa: ANN401 - whatever TOML holds
    """Turn lists into tuples: strict models take no list for a tuple."""
    if isinstance(raw, dict):
        return {key: _with_tuples(held) for key, held in raw.items()}
    return tuple(_with_tuples(held) for held in raw) if isinstance(raw, list) else raw


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where in the file an error lies: as an error line names it, and the keys known there."""

    place: str
    known: tuple[str, ...]


def _as_input_error(error: ValidationError, raw: dict[str, Any], file: str) -> InputError:
    problems = error.errors(include_url=False)
    # A misspelt key also leaves the right one missing: the misspelling is the cause.
    first = min(problems, key=lambda problem: problem["type"] != "extra_forbidden")
    spot = _find(first["loc"], raw)
    if first["type"] == "extra_forbidden":
        return InputError(
            file, spot.place, "there is no such key", nearest(str(first["loc"][-1]), spot.known)
        )
    if first["type"] == "missing":
        return InputError(file, spot.place, "is missing", "add it")
    if first["type"] == "value_error":
        return InputError(file, spot.place, describe(str(first["ctx"]["error"]))[1:-1], "correct it")
    return InputError(file, spot.place, _mismatch(first), "correct it")


def _mismatch(problem: ErrorDetails) -> str:
    phrase = EXPECTED.get(problem["type"])
    expected = phrase.format(**problem.get("ctx", {})) if phrase else problem["msg"]
    return f"expected {expected}, found {describe(problem['input'])}"


def _find(loc: tuple[int | str, ...], raw: Any) -> _Spot:  # noqa: ANN401 - whatever TOML holds
    """Follow an error's path through models and file, as far as both go: the rest is pydantic's own words."""
    place, model, keys = "", RoundFile, []
    parts = list(loc)
    while parts:
        name = str(parts.pop(0))
        raw = raw.get(name) if isinstance(raw, dict) else None
        inner = _table_of(model, name)
        if inner is None:
            keys.append(describe(name)[1:-1])
            break
        model = inner
        if isinstance(raw, list) and parts and isinstance(parts[0], int):
            position = parts.pop(0)
            raw = raw[int(position)]
            place = f"[[{name}]] {_entry_name(raw, int(position))}"
        elif not place:
            place = f"[{name}]"
        else:
            keys.append(name)
    known = tuple(field.alias or key for key, field in model.model_fields.items())
    return _Spot(_joined(place, ".".join(keys)), known)


def _joined(place: str, key: str) -> str:
    if not (place and key):
        return place or key
    return f"{place}, {key}" if place.startswith("[[") else f"{place} {key}"


def _entry_name(entry: object, position: int) -> str:
    name = entry.get("id") if isinstance(entry, dict) else None
    return describe(name)[1:-1] if isinstance(name, str) else f"number {position + 1}"


def _table_of(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    """Return the model of the table, or of each entry of the list of tables, that a key holds; else None."""
    field = model.model_fields.get(name)
    if field is None:
        return None
    candidates = (field.annotation, *get_args(field.annotation))
    return next((one for one in candidates if isinstance(one, type) and issubclass(one, BaseModel)), None)
