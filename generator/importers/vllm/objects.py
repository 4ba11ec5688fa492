"""The objects of a result file of `vllm bench serve`, read from a stream of JSON events without a tree of them.

Long arrays become packed columns as they pass; texts of users are counted and dropped.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from generator.errors import InputError, quote
from generator.importers.vllm.names import Scalar
from generator.numeric.spilled import Pile
from generator.store.json_stream import Event
from generator.store.request_rows import kind_of_error

COLUMNS: Final = frozenset({"input_lens", "output_lens", "ttfts", "latencies", "start_times"})
SCALARS: Final = frozenset({"string", "number", "boolean", "null"})
TEXTS: Final = frozenset({"generated_text", "generated_texts", "prompt", "prompts", "text", "texts"})
LONGEST_TEXT: Final = 1000
"""Characters of the longest entry that is taken for a setting; what is longer is taken for a text of a user."""

LONGEST_NAME: Final = 200
"""Characters of the longest name of an entry that is taken for a name; what is longer is taken for a text as well."""

MOST_ENTRIES: Final = 10_000
DAMAGED: Final = "\ufffd"
REMEDY: Final = "import the file as the tool wrote it"


@dataclass(slots=True)
class ResultObject:
    """One JSON object that may be a result.

    Attributes:
        scalars: plain entries, in the order of the file.
        metrics: plain entries of the object ``metrics``, which programs that call the tool write.
        arguments: the list ``command``: the words of the command line.
        columns: arrays of numbers by name, one number a request; what is null is NaN.
        gaps: ``itls`` one after another, in seconds; None where the file has none.
        gap_counts: how many of them each request has.
        errors: None for a request without an error, else the kind of it; None where the file has none.
        answers: how many texts were generated; None where the file has none.
        damaged: how many of them are not valid UTF-8.
        struck_out: names of entries that were dropped because they hold texts.
        others: names of further entries that are objects or arrays.
    """

    scalars: dict[str, Scalar] = field(default_factory=dict)
    metrics: dict[str, Scalar] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    columns: dict[str, array[float]] = field(default_factory=dict)
    gaps: Pile | None = None
    gap_counts: array[int] | None = None
    errors: list[str | None] | None = None
    answers: int | None = None
    damaged: int = 0
    struck_out: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Return the names of all entries that were looked at, plain ones first."""
        return [*self.scalars, *self.metrics, *self.others, *self.columns]


class ObjectReader:
    """Reads the objects of a stream one after another, whether they stand in a list, in lines or glued together."""

    def __init__(self, file: str, events: Iterator[Event]) -> None:
        """Read from ``events``; ``file`` is how error lines call the file."""
        self._file = file
        self._events = events
        self._number = 0

    @property
    def place(self) -> str:
        """Return which object is being read."""
        return f"object {self._number}"

    def objects(self) -> Iterator[ResultObject]:
        """Yield every object that is no entry of another one.

        Raises:
            InputError: a value is no object, or an array of numbers holds something else.
        """
        for event, _ in self._events:
            if event == "start_map":
                self._number += 1
                yield self._object()
            elif event in SCALARS:
                problem = f"holds a bare {event} where a result, which is an object, should be"
                raise InputError(self._file, f"after {self.place}" if self._number else "", problem, REMEDY)

    def _object(self) -> ResultObject:
        made = ResultObject()
        for name, event, value in self._entries():
            self._entry(made, name, event, value)
        return made

    def _entries(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the name of each entry of the object just begun, and the event that its value begins with."""
        for count, (event, name) in enumerate(self._events, start=1):
            if event == "end_map":
                return
            if count > MOST_ENTRIES:
                raise self._odd(f"has more than {MOST_ENTRIES} entries: this is no benchmark result")
            yield name, *next(self._events)

    def _entry(self, made: ResultObject, name: str, event: str, value: Any) -> None:  # noqa: ANN401 - JSON
        if event in SCALARS:
            self._scalar(made, name, value)
        elif event == "start_array":
            self._array(made, name)
        elif name == "metrics":
            made.metrics = self._plain_entries()
        else:
            self._skip_noted(made, name)

    @staticmethod
    def _scalar(made: ResultObject, name: str, value: Scalar) -> None:
        if _is_text(name, value):
            made.struck_out.append(name)
        else:
            made.scalars[name] = value

    def _array(self, made: ResultObject, name: str) -> None:
        if name in COLUMNS:
            made.columns[name] = self._numbers(name)
        elif name == "itls":
            made.gaps, made.gap_counts = self._lists_of_numbers(name)
        elif name == "errors":
            made.errors = [kind_of_error(text) for text in self._texts(name)]
        elif name == "generated_texts":
            self._generated(made, name)
        elif name == "command":
            made.arguments = [text[:LONGEST_TEXT] for text in self._texts(name)]
            made.struck_out.append(name)
        else:
            self._skip_noted(made, name)

    def _generated(self, made: ResultObject, name: str) -> None:
        made.answers = 0
        for text in self._texts(name):
            made.answers += 1
            made.damaged += DAMAGED in text
        made.struck_out.append(name)

    def _numbers(self, name: str) -> array[float]:
        column = array("d")
        append = column.append
        for event, value in self._events:
            if event == "number":
                append(value)
            elif event == "null":
                append(math.nan)
            elif event == "end_array":
                break
            else:
                raise self._odd(f"entry {len(column) + 1} of {name} is no number ({_called(event, value)})")
        return column

    def _lists_of_numbers(self, name: str) -> tuple[Pile, array[int]]:
        numbers, counts, own = Pile("d"), array("q"), array("d")
        append = own.append
        inside = False
        for event, value in self._events:
            if event == "number" and inside:
                append(value)
            elif event == "end_array":
                if not inside:
                    break
                numbers.extend(own)
                counts.append(len(own))
                del own[:]
                inside = False
            elif event == "start_array" and not inside:
                inside = True
            elif event == "null" and not inside:
                counts.append(0)
            else:
                raise self._odd(f"request {len(counts) + 1} in {name} is no list of numbers ({_called(event, value)})")
        return numbers, counts

    def _texts(self, name: str) -> Iterator[str]:
        """Yield the texts of an array; null is the empty one."""
        for count, (event, value) in enumerate(self._events, start=1):
            if event == "string":
                yield value
            elif event == "null":
                yield ""
            elif event == "end_array":
                return
            else:
                raise self._odd(f"entry {count} of {name} is no text ({_called(event, value)})")

    def _plain_entries(self) -> dict[str, Scalar]:
        """Return the plain entries of the object just begun, and pass over the others."""
        plain: dict[str, Scalar] = {}
        for name, event, value in self._entries():
            if event not in SCALARS:
                self._skip()
            elif not _is_text(name, value):
                plain[name] = value
        return plain

    def _skip_noted(self, made: ResultObject, name: str) -> None:
        made.others.append(name)
        if self._skip():
            made.struck_out.append(name)

    def _skip(self) -> bool:
        """Pass over the array or object just begun; say whether it holds a text. Depth costs nothing here."""
        depth, texts = 1, False
        for event, _ in self._events:
            if event in {"start_map", "start_array"}:
                depth += 1
            elif event in {"end_map", "end_array"}:
                depth -= 1
                if not depth:
                    break
            elif event == "string":
                texts = True
        return texts

    def _odd(self, problem: str) -> InputError:
        return InputError(self._file, self.place, problem, REMEDY)


def _is_text(name: str, value: Scalar) -> bool:
    """Say whether a plain entry may hold a text of a user, in its name or behind it."""
    is_text = isinstance(value, str) and (name in TEXTS or len(value) > LONGEST_TEXT)
    return is_text or len(name) > LONGEST_NAME


def _called(event: str, value: object) -> str:
    """Return how an error line calls a value that should not be where it is."""
    words = {"start_map": "an object", "start_array": "a list", "null": "null", "map_key": "an object"}
    return words.get(event) or quote(value)
