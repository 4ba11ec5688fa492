"""round.toml to RoundFile; what pydantic objects to becomes one line that names the key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from generator.declared.round_tables import RoundFile
from generator.declared.table_types import ObjectionError
from generator.errors import InputError, nearest
from generator.store.files import WORK, printable, read_text, shown
from generator.store.toml_file import describe, parse
from generator.store.upgrade import upgrade

ROUND_FILE: Final = "round.toml"

LISTS: Final = frozenset({"series", "level", "claim"})
"""Tables that may be repeated."""
EXPECTED: Final[Mapping[str, str]] = {
    "bool_type": "true or false",
    "date_type": "a date or text",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a number not below {ge:g}",
    "int_type": "a whole number",
    "less_than_equal": "a number not above {le:g}",
    "literal_error": "one of {expected}",
    "model_type": "a table",
    "string_pattern_mismatch": "letters, digits, dots, dashes and underscores",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} character",
    "string_type": "text in quotes",
    "too_short": "at least one entry",
    "tuple_type": "a list",
    "words_type": "text in quotes, or text for zh and for en",
}
"""What a key should hold, by pydantic's name for the error."""


def read_round_file(folder: Path) -> RoundFile:
    """Read and check the round.toml of a folder.

    Raises:
        InputError: it is missing, not TOML, of another schema, or a key of it is unknown, missing or wrong.
    """
    path = folder / ROUND_FILE
    try:
        text = read_text(path, within=folder)
    except FileNotFoundError as error:
        raise _without_one(folder) from error
    raw = upgrade(parse(text, shown(path)), shown(path))
    try:
        return RoundFile.model_validate(_with_tuples(raw))
    except ValidationError as error:
        raise _as_input_error(error, raw, shown(path)) from error


def _without_one(folder: Path) -> InputError:
    if any(folder.glob(f"{WORK}*")):
        problem, remedy = f"has no {ROUND_FILE}: an import into it was cut off", "import again"
    else:
        problem, remedy = f"has no {ROUND_FILE}", "write one, or move the folder out of runs/"
    return InputError(shown(folder), "", problem, remedy)


def _with_tuples(raw: Any) -> Any:  # noqa: ANN401 - whatever TOML holds
    """Turn lists into tuples: strict models take no list for a tuple."""
    if isinstance(raw, dict):
        return {key: _with_tuples(held) for key, held in raw.items()}
    return tuple(_with_tuples(held) for held in raw) if isinstance(raw, list) else raw


def _as_input_error(error: ValidationError, raw: dict[str, Any], file: str) -> InputError:
    names, problem, remedy = objection_to(error, raw, RoundFile)
    return InputError(file, _joined(names), problem, remedy)


def objection_to(error: ValidationError, raw: dict[str, Any], table: type[BaseModel]) -> tuple[list[str], str, str]:
    """Return the names of the key at fault from the outermost table on, what is wrong, and what to do about it."""
    problems = error.errors(include_url=False)
    first = min(problems, key=_is_aside)
    names, innermost = _follow(first["loc"], raw, table)
    return names, *_say(first, innermost)


def _is_aside(error: ErrorDetails) -> tuple[bool, bool]:
    """Say what speaks against an error as the cause of the others.

    A misspelt key also leaves the right one missing, and text for both languages is also no date.
    """
    return error["type"] != "extra_forbidden", error["type"] == "date_type" and isinstance(error["input"], dict)


def _say(error: ErrorDetails, table: type[BaseModel]) -> tuple[str, str]:
    """Return what is wrong and what to do about it."""
    match error["type"]:
        case "extra_forbidden":
            return "there is no such key", nearest(str(error["loc"][-1]), _keys(table))
        case "missing":
            return "is missing", "add it"
        case "value_error":
            objection = error["ctx"]["error"]
            if isinstance(objection, ObjectionError):  # of our own models, which quote nothing unchecked
                return printable(objection.problem), printable(objection.remedy)
    phrase = EXPECTED.get(error["type"])
    expected = phrase.format(**error.get("ctx", {})) if phrase else error["msg"]
    return f"expected {expected}, found {describe(error['input'])}", _rewrite(error)


def _rewrite(error: ErrorDetails) -> str:
    if error["type"] == "tuple_type" and isinstance(error["input"], dict):
        return "double the brackets: [[…]] starts an entry of a list"
    return "correct the value"


def _follow(loc: tuple[int | str, ...], raw: object, table: type[BaseModel]) -> tuple[list[str], type[BaseModel]]:
    """Follow an error's path through the models as far as they go; the rest is pydantic's own words.

    Returns:
        The names on the way, and the table that holds the last of them.
    """
    if not loc:
        return [], table
    name = str(loc[0])
    inner = table_of(table, name)
    held = raw.get(name) if isinstance(raw, dict) else None
    if inner is None:
        return [describe(name)[1:-1]], table
    if isinstance(held, list) and len(loc) > 1 and isinstance(loc[1], int):
        position = loc[1]
        names, found = _follow(loc[2:], held[position], inner)
        return [f"[[{name}]] {_entry_name(held[position], position)}", *names], found
    names, found = _follow(_below(loc, held, inner), held, inner)
    return [_bracketed(name) if table is RoundFile else name, *names], found


def _below(loc: tuple[int | str, ...], held: object, inner: type[BaseModel]) -> tuple[int | str, ...]:
    """Return the keys behind the first; pydantic also names the kind of what is held where there are several."""
    if not isinstance(held, dict):  # one text for both languages has no keys
        return ()
    return loc[2:] if loc[1:2] == (inner.__name__,) else loc[1:]


def _bracketed(name: str) -> str:
    return f"[[{name}]]" if name in LISTS else f"[{name}]"


def _joined(names: list[str]) -> str:
    """Return ``[round] title.zh``, ``[[series]] vllm-bf16, engine`` or a key that stands alone."""
    if len(names) < 2 or not names[0].startswith("["):  # noqa: PLR2004 - a table and a key
        return ".".join(names)
    separator = ", " if names[0].startswith("[[") else " "
    return f"{names[0]}{separator}{'.'.join(names[1:])}"


def _entry_name(entry: object, position: int) -> str:
    name = entry.get("id") if isinstance(entry, dict) else None
    return describe(name)[1:-1] if isinstance(name, str) else f"number {position + 1}"


def _keys(table: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in table.model_fields.items()]


def table_of(table: type[BaseModel], name: str) -> type[BaseModel] | None:
    """Return the model of the table, or of each entry of the list of tables, that a key holds; else None."""
    field = table.model_fields.get(name)
    if field is None:
        return None
    candidates = (field.annotation, *get_args(field.annotation))
    return next((one for one in candidates if isinstance(one, type) and issubclass(one, BaseModel)), None)
