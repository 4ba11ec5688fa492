"""round.toml as others may have it: secrets, and how its servers are reached, are struck out."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from generator.redaction import redact
from generator.render.files.report_json import NOT_PUBLISHED
from generator.store.arguments import redact_arguments
from generator.store.redact import redact_entry

ENV: Final = "env"
BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that need no quotes."""
NOTE: Final = "# Written anew by Rounds: what is not to be published was struck out, comments with it.\n"


def publishable(text: str) -> str:
    """Return a round.toml as it may be published: letter by letter where there is nothing to strike out of it.

    What tells how to reach a server is left out, as it is of report.json; secrets in commands and in variables are
    struck out. The numbers keep the digits that were typed.
    """
    raw = tomllib.loads(text, parse_float=Decimal)
    kept = {**raw, "series": [_series(one) for one in raw.get("series", [])]}
    return text if kept == raw and redact(text) == text else NOTE + "".join(_lines(kept))


def _series(table: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in table.items() if key not in NOT_PUBLISHED or key == ENV}
    if ENV in table:
        kept[ENV] = [_variable(one) for one in table[ENV]]
    if "argv" in table:
        kept["argv"] = redact_arguments(table["argv"])
    return kept


def _variable(entry: str) -> str:
    name, _, value = entry.partition("=")
    return f"{name}={redact_entry(name, value)}"


def _lines(tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield TOML: plain keys, then a table for each entry that is one, or a list of them."""
    yield from (f"{name} = {_value(one)}\n" for name, one in tables.items() if not _is_table(one))
    for name, one in tables.items():
        if isinstance(one, dict):
            yield f"\n[{_key(name)}]\n"
            yield from _entries(one)
        elif _is_table(one):
            for each in one:
                yield f"\n[[{_key(name)}]]\n"
                yield from _entries(each)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _entries(table: Mapping[str, Any]) -> Iterator[str]:
    return (f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _quoted(value)
        case int() | Decimal():
            return str(value)
        case datetime.date() | datetime.time():
            return value.isoformat()
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())} }}"
        case _:
            raise TypeError(value)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """Return text as a TOML string: JSON's escapes are TOML's, and DEL needs one in TOML only."""
    return json.dumps(redact(text), ensure_ascii=False).replace("\x7f", "\\u007f")
