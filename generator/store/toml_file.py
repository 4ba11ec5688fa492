"""TOML text to tables, with one line for whatever is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from generator.errors import InputError, quote
from generator.store.numbers import vanishes

POSITION: Final = re.compile(r"^(?P<problem>.*) \(at (?P<place>line \d+, column \d+|end of document)\)$", re.DOTALL)
DEEPEST: Final = 16
"""Tables within tables, or parts of a dotted key; ours have three."""
LONG_KEY: Final = re.compile(r"(?<![^\s.=\[\]#])(?:[^\s.=\[\]#]+[ \t]*\.[ \t]*){64}")
"""A dotted key that would take the parser a time that grows with the square of its parts."""
KINDS: Final[dict[type, str]] = {str: "text", list: "a list", tuple: "a list", dict: "a table"}


class _UnreadableNumberError(ValueError):
    """A number that TOML allows and that no float or Decimal comes near."""


def float_of(text: str) -> float:
    """Return the float that a TOML number is. Raises what ``parse`` reports."""
    value = float(text) + 0.0  # turns -0.0 into 0.0
    if vanishes(text, value):
        raise _UnreadableNumberError(text)
    return value


def decimal_of(text: str) -> Decimal:
    """Return a TOML number with the decimals that were typed. Raises what ``parse`` reports."""
    try:
        value = Decimal(text)
    except InvalidOperation as error:  # an exponent of more digits than a Decimal has
        raise _UnreadableNumberError(text) from error
    float_of(text)
    return value or abs(value)  # turns -0.0 into 0.0


def parse(text: str, file: str, parse_float: Callable[[str], Any] = float_of) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Args:
        text: the whole file.
        file: its name for error lines.
        parse_float: ``float_of``, or ``decimal_of`` where the decimals matter.

    Raises:
        InputError: the text is not TOML, is nested too deep, or holds a number that cannot be read.
    """
    long_key = LONG_KEY.search(text)
    if long_key is not None:
        raise _too_deep(file, f"line {text.count(chr(10), 0, long_key.start()) + 1}")
    try:
        raw = tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(file, str(error)) from error
    except _UnreadableNumberError as error:
        raise InputError(file, "", f"the number {quote(error)} cannot be read", "check its exponent") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets without end
        raise _not_toml(file, "a number too long or brackets too deep") from error
    if _depth(raw) > DEEPEST:
        raise _too_deep(file, "")
    return raw


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


def _depth(raw: object) -> int:
    """Return how deep tables and lists lie within each other, without recursion; deeper than allowed is enough."""
    layer, depth = [raw], 0
    while layer and depth <= DEEPEST:
        depth += 1
        inner = (one.values() if isinstance(one, dict) else one for one in layer if isinstance(one, dict | list))
        layer = [held for group in inner for held in group]
    return depth


def _too_deep(file: str, place: str) -> InputError:
    return InputError(file, place, "tables or keys are nested too deep", "use the keys of the manual only")


def _not_toml(file: str, message: str) -> InputError:
    match = POSITION.match(message)
    place, problem = (match["place"], match["problem"]) if match else ("", message)
    return InputError(file, place, f"not TOML: {quote(problem)[1:-1]}", "correct the syntax (https://toml.io)")
