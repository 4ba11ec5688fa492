"""TOML text to tables, with one line for whatever is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, Final

from generator.errors import InputError, quote

POSITION: Final = re.compile(r"^(?P<problem>.*) \(at (?P<place>line \d+, column \d+|end of document)\)$", re.DOTALL)
KINDS: Final[dict[type, str]] = {str: "text", list: "a list", tuple: "a list", dict: "a table"}


def parse(text: str, file: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        InputError: the text is not TOML.
    """
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(file, str(error)) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets without end
        raise _not_toml(file, "a number too long or brackets too deep") from error


def describe(found: object) -> str:
    """Return what a key holds, short and safe to print."""
    if isinstance(found, str):
        return quote(found)
    if isinstance(found, bool):
        return str(found).lower()
    if type(found) in KINDS:
        return KINDS[type(found)]
    try:
        return quote(found)[1:-1]
    except ValueError:  # a whole number of more digits than Python prints
        return "a very long number"


def _not_toml(file: str, message: str) -> InputError:
    match = POSITION.match(message)
    place, problem = (match["place"], match["problem"]) if match else ("", message)
    return InputError(file, place, f"not TOML: {quote(problem)[1:-1]}", "correct the syntax (https://toml.io)")
