"""Keys of a model's own files, asked for with their bounds: what is missing or wrong is said in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.architecture.records import MOST_LAYERS, UnknownArchitectureError
from generator.errors import quote

LARGEST: Final = 10**9
"""The largest of the counts and dimensions that a model's file gives: vocabularies have a thousandth of it."""


@dataclass(frozen=True, slots=True)
class Keys:
    """A table of a model's file. ``place`` stands in front of its keys where an error names them."""

    table: Mapping[str, Any]
    place: str = ""

    def has(self, key: str) -> bool:
        """Say whether a key is there and not null."""
        return self.table.get(key) is not None

    def whole(self, *names: str, default: int | None = None) -> int:
        """Return a whole number above 0, under the first of several names that is there.

        Raises:
            UnknownArchitectureError: none is there and there is no default, or it is no such number.
        """
        key = next((name for name in names if self.has(name)), None)
        if key is None:
            if default is None:
                raise UnknownArchitectureError(self.place + names[0], "is missing")
            return default
        return self._bounded(key, self.table[key], 1)

    def count(self, key: str, default: int = 0) -> int:
        """Return a whole number from 0 on."""
        return self._bounded(key, self.table[key], 0) if self.has(key) else default

    def flag(self, key: str, default: bool) -> bool:
        """Return what is true or false."""
        found = self.table.get(key)
        if found is not None and not isinstance(found, bool):
            raise UnknownArchitectureError(self.place + key, f"expected true or false, found {quote(found)}")
        return default if found is None else found

    def word(self, key: str) -> str:
        """Return a text; empty where there is none."""
        found = self.table.get(key)
        if found is not None and not isinstance(found, str):
            raise UnknownArchitectureError(self.place + key, f"expected a text, found {quote(found)}")
        return found or ""

    def table_at(self, key: str) -> Keys | None:
        """Return the table below a key; None where there is none."""
        found = self.table.get(key)
        if found is not None and not isinstance(found, Mapping):
            raise UnknownArchitectureError(self.place + key, f"expected a table, found {quote(found)}")
        return None if found is None else Keys(found, f"{self.place}{key}.")

    def layers(self, *names: str, default: int | None = None) -> int:
        """Return the number of layers, which is bounded further: each is looked at."""
        found = self.whole(*names, default=default)
        if found > MOST_LAYERS:
            raise UnknownArchitectureError(self.place + names[0], f"is {found}, more than {MOST_LAYERS}")
        return found

    def per_layer(self, key: str, layers: int, default: int | None = None) -> list[int]:
        """Return a whole number from 0 on for each layer: of a list, or the same for all."""
        found = self.table.get(key)
        if not isinstance(found, Sequence) or isinstance(found, str | bytes):
            if found is None and default is None:
                raise UnknownArchitectureError(self.place + key, "is missing")
            return [default if found is None else self._bounded(key, found, 0)] * layers  # type: ignore[list-item]
        if len(found) < layers:
            raise UnknownArchitectureError(
                self.place + key, f"is a list of {len(found)}, not one for each of {layers} layers"
            )
        return [self._bounded(key, one, 0) for one in found[:layers]]

    def words(self, key: str, layers: int) -> list[str] | None:
        """Return a word for each layer; None where there is no such list."""
        found = self.table.get(key)
        if found is None:
            return None
        if not isinstance(found, list | tuple) or not all(isinstance(one, str) for one in found):
            raise UnknownArchitectureError(self.place + key, f"expected a list of words, found {quote(found)}")
        if len(found) != layers:
            raise UnknownArchitectureError(
                self.place + key, f"is a list of {len(found)}, not one for each of {layers} layers"
            )
        return list(found)

    def _bounded(self, key: str, found: object, least: int) -> int:
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= LARGEST:
            problem = f"expected a whole number from {least} to {LARGEST}, found {quote(found)}"
            raise UnknownArchitectureError(self.place + key, problem)
        return found
