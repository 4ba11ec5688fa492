"""The keys of round.toml, a table of the manual for each of its tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from generator.declared.round_tables import RoundFile
from generator.declared.table_types import Words, key_text
from generator.reference.holds import holds
from generator.reference.markdown import code, table
from generator.text import Lang, Text

KEY: Final = Text(zh="键", en="key")
HOLDS: Final = Text(zh="填什么", en="type")
DEFAULT: Final = Text(zh="不写时", en="default")
MEANING: Final = Text(zh="含义", en="meaning")


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table: ``default`` is what stands for it as TOML, empty where nothing does."""

    name: str
    holds: Text
    meaning: Text
    is_required: bool
    default: str

    @property
    def starred(self) -> str:
        """Return its name, with a star where it must be there."""
        return f"{code(self.name)} *" if self.is_required else code(self.name)


def table_of_keys(lang: Lang) -> str:
    """Return all tables of round.toml with their keys."""
    found = []
    for name, model in tables().items():
        rows = [(key.starred, key.holds[lang], key.meaning[lang]) for key in keys_of(model)]
        found.append(f"### {code(name)}\n\n{table((KEY, HOLDS, MEANING), rows, lang)}")
    return "\n\n".join(found)


def table_with_defaults(name: str, chosen: Collection[str], lang: Lang) -> str:
    """Return some keys of one table of round.toml, in the order in which they are chosen.

    Raises:
        KeyError: there is no such table, or no such key in it.
    """
    there = {key.name: key for key in keys_of(tables()[name])}
    rows = [
        (key.starred, key.holds[lang], code(key.default) if key.default else "", key.meaning[lang])
        for key in (there[one] for one in chosen)
    ]
    return table((KEY, HOLDS, DEFAULT, MEANING), rows, lang)


def tables() -> dict[str, type[BaseModel]]:
    """Return the models of the tables of round.toml by their heads, ``[round]`` or ``[[series]]``."""
    found: dict[str, type[BaseModel]] = {}
    for name, field in RoundFile.model_fields.items():
        is_list = get_origin(field.annotation) is tuple
        for model in _models(field.annotation):
            found[f"[[{name}]]" if is_list else f"[{name}]"] = model
    return found


def keys_of(model: type[BaseModel]) -> Iterator[Key]:
    """Return the keys of a table in their order, those of a table within it with dots."""
    for name, field in model.model_fields.items():
        nested = [one for one in _models(field.annotation) if one is not Words]
        if nested:
            yield from (_within(name, field, key) for key in keys_of(nested[0]))
        else:
            told = holds(field.rebuild_annotation())
            yield Key(name, told, key_text(field), field.is_required(), _default(field))


def _within(name: str, field: FieldInfo, key: Key) -> Key:
    """Return a key of a table within another: it must be there only where that one must."""
    return Key(f"{name}.{key.name}", key.holds, key.meaning, key.is_required and field.is_required(), key.default)


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


def _default(field: FieldInfo) -> str:
    found: Any = field.default
    return "" if field.is_required() or found is None or found == () or field.default_factory else json.dumps(found)
