"""Foreign documents as plain values: JSON in all its spellings, YAML, tables of text. The importers read through here.

What is kept of a file is bounded, and so is its depth; what is larger is read entry by entry, through a *sink*.
"""

from __future__ import annotations

import codecs
import datetime
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import IncrementalNewlineDecoder, StringIO
from itertools import islice
from pathlib import Path
from typing import Any, Final

import yaml

from generator.errors import InputError, quote
from generator.store.csv_rows import BadRow, CsvRows
from generator.store.files import leads_out, shown
from generator.store.json_stream import Event, read_events
from generator.store.unpacking import Progress, pieces

Sink = Callable[[Any], object]
Sinks = Mapping[str, Sink]
"""Dotted path of a list, without indices -> what takes its entries one by one; they are not kept."""

DEEPEST: Final = 64
MOST_VALUES: Final = 4_000_000
"""Values of a document that are kept: half a gigabyte of memory. Of a text, 64 characters count as one."""
LARGEST_SLOW: Final = 64 * 2**20
"""Bytes of the largest YAML or table that is read: neither is read as a stream."""
LONGEST_LINE: Final = 2**16
"""Characters that are read of one line, up to the last blank among them: no word is cut, for half a key looks like
none. A log without line breaks does not fill the memory."""
LINE_GOES_ON: Final = "…"
"""Ends a line of which not all was read."""
LONGEST_NUMBER: Final = 300
"""Characters of a YAML number: sixtieths of sixtieths that are no longer fit a double."""
MOST_ROWS: Final = 1_000_000
SEPARATORS: Final = ",;\t|"
MARKDOWN_ROW: Final = re.compile(r"\s*\|(.*)\|\s*")
TOO_DEEP: Final = f"is nested more than {DEEPEST} deep"
TOO_MUCH: Final = "holds more than can be kept of one document"
REMEDY: Final = "import the file as the tool wrote it"


def drop(_: object) -> None:
    """Take an entry and keep nothing of it: a sink for texts and for whatever no number is read from."""


def read_document(path: Path, progress: Progress, sinks: Sinks | None = None) -> Any:  # noqa: ANN401 - any JSON
    """Return the one value of a JSON file; NaN and what is infinite are None.

    Args:
        path: the file; it may be packed, or UTF-16.
        progress: told how many more bytes have been read.
        sinks: what takes the entries of long lists.

    Raises:
        InputError: it cannot be read, is no JSON, says an entry twice, is too deep or large, or holds several values.
    """
    reader = _Reader(path, progress, sinks or {})
    found = list(reader.values())
    if len(found) != 1:
        problem = f"holds {len(found)} JSON values, where one should be"
        raise InputError(shown(path), "", problem, REMEDY)
    return found[0]


def read_documents(path: Path, progress: Progress, sinks: Sinks | None = None) -> Iterator[Any]:
    """Yield the values of a JSON file one by one, in lines or glued together; of a list, its entries.

    Args and errors are those of ``read_document``, which come while iterating.
    """
    return _Reader(path, progress, sinks or {}).entries()


class _Reader:
    """The values of a stream of JSON events, as trees."""

    def __init__(self, path: Path, progress: Progress, sinks: Sinks) -> None:
        self._file = shown(path)
        self._events: Iterator[Event] = read_events(path, progress)
        self._sinks = sinks
        self._begun = 0
        self._kept = 0.0

    def values(self) -> Iterator[Any]:
        """Yield every value that is no entry of another one."""
        for event, value in self._events:
            yield self._counted(event, value, "")

    def entries(self) -> Iterator[Any]:
        """Yield the same, and of a list its entries."""
        for event, value in self._events:
            if event == "start_array":
                yield from self._entries("")
            else:
                yield self._counted(event, value, "")

    def _counted(self, event: str, value: object, path: str) -> Any:  # noqa: ANN401 - any JSON
        """Return a value that is not kept beside the last: the room is all its own."""
        self._begun += 1
        self._kept = 0
        return self._value(event, value, path, 1)

    def _entries(self, path: str) -> Iterator[Any]:
        for event, value in self._events:
            if event == "end_array":
                return
            yield self._counted(event, value, path)

    def _value(self, event: str, value: Any, path: str, depth: int) -> Any:  # noqa: ANN401 - any JSON
        if event.startswith("start_") and depth > DEEPEST:
            raise self._odd(TOO_DEEP)
        if event == "start_map":
            return self._object(path, depth)
        if event == "start_array":
            return self._list(path, depth)
        return value

    def _object(self, path: str, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for event, name in self._events:
            if event == "end_map":
                return made
            if name in made:
                raise self._odd(f"has the entry {quote(name)} twice")
            event, value = next(self._events)  # noqa: PLW2901 - the value's own event
            self._take_room(value)
            self._kept += len(name) / 64
            below = f"{path}.{name}" if path else name
            made[name] = self._value(event, value, below, depth + 1)
        return made

    def _list(self, path: str, depth: int) -> list[Any]:
        if path in self._sinks:
            self._pour(path)
            return []
        made: list[Any] = []
        append = made.append
        for event, value in islice(self._events, MOST_VALUES + 1):
            if event == "number":  # most of the largest files
                append(value)
            elif event == "end_array":
                self._take_room(None, len(made))
                return made
            else:
                self._take_room(value)
                append(self._value(event, value, path, depth + 1))
        raise self._odd(TOO_MUCH)

    def _pour(self, path: str) -> None:
        """Hand the entries of a list to its sink; each has the room that is left to itself."""
        sink, kept = self._sinks[path], self._kept
        for event, value in self._events:
            if event == "end_array":
                return
            self._kept = kept
            sink(self._value(event, value, path, 1))

    def _take_room(self, value: object, values: int = 1) -> None:
        self._kept += values + len(value) / 64 if isinstance(value, str) else values
        if self._kept > MOST_VALUES:
            raise self._odd(TOO_MUCH)

    def _odd(self, problem: str) -> InputError:
        return InputError(self._file, f"object {self._begun}", problem, REMEDY)


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc] # one of two
    """Builds plain values alone; what looks like a number or a time, and cannot be one, stays the text that it is."""


def _number_or_text(build: Callable[[Any, yaml.Node], object]) -> Callable[[Any, yaml.Node], object]:
    def built(loader: yaml.SafeLoader, node: yaml.Node) -> object:
        if len(node.value) > LONGEST_NUMBER:
            return node.value
        try:
            return build(loader, node)
        except (ValueError, ArithmeticError, LookupError, AttributeError):
            return node.value

    return built


for _tag in ("int", "float", "bool", "timestamp"):
    _full = f"tag:yaml.org,2002:{_tag}"
    _Loader.add_constructor(_full, _number_or_text(yaml.SafeLoader.yaml_constructors[_full]))


def read_yaml(path: Path, progress: Progress) -> Any:  # noqa: ANN401 - any YAML
    """Return the value of a YAML file; times are text, as JSON has them.

    Raises:
        InputError: it cannot be read, is no YAML, or is too deep or large.
    """
    try:
        return _Plain(path).value(yaml.load(_text(path, progress), _Loader))  # noqa: S506 - a SafeLoader
    except RecursionError as error:
        raise InputError(shown(path), "", TOO_DEEP, REMEDY) from error
    except (yaml.YAMLError, ValueError, TypeError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark is not None else ""
        said = getattr(error, "problem", None) or error
        raise InputError(shown(path), place, f"is not YAML: {quote(said)[1:-1]}", REMEDY) from error


class _Plain:
    """What YAML holds as JSON would hold it; an alias, by which few bytes become many, takes the room of its copy."""

    def __init__(self, path: Path) -> None:
        self._file = shown(path)
        self._kept = 0

    def value(self, value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any YAML
        self._kept += 1
        if depth > DEEPEST or self._kept > MOST_VALUES:
            problem = TOO_DEEP if depth > DEEPEST else TOO_MUCH
            raise InputError(self._file, "", problem, REMEDY)
        if isinstance(value, dict):
            return {str(name): self.value(inner, depth + 1) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.value(inner, depth + 1) for inner in value]
        if isinstance(value, datetime.date):  # a datetime is one
            return value.isoformat()
        return value if isinstance(value, str | int | float | bool | None) else None


def _text(path: Path, progress: Progress) -> str:
    """Return a text whole; bytes that are no UTF-8 as U+FFFD."""
    found: list[bytes] = []
    size = 0
    for piece in pieces(path, progress):
        size += len(piece)
        if size > LARGEST_SLOW:
            problem = f"is larger than {LARGEST_SLOW // 2**20} MiB"
            raise InputError(shown(path), "", problem, "import the JSON that the tool writes, or cut the file")
        found.append(piece)
    return b"".join(found).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def read_lines(path: Path, progress: Progress) -> Iterator[str]:
    """Yield the lines of a text, however long it is, without their ends; a carriage return ends one, too.

    Of a line of more than ``LONGEST_LINE`` characters the first words come, and ``LINE_GOES_ON`` behind them.

    Raises:
        InputError: while iterating; it cannot be read.
    """
    rest, first = "", True
    decode = IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8")("replace"), translate=True).decode
    for piece in pieces(path, progress):
        text = decode(piece).removeprefix("\ufeff") if first else decode(piece)
        *lines, rest = (rest + text).split("\n")
        yield from map(_first_words, lines)
        first = False
        rest = rest[: LONGEST_LINE + 1]  # one more, by which a line is known to be too long
    last = rest + decode(b"", True)
    if last:
        yield from map(_first_words, last.split("\n"))


def _first_words(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    kept = line[:LONGEST_LINE]
    return kept[: max(kept.rfind(" "), kept.rfind("\t")) + 1] + LINE_GOES_ON


def read_rows(path: Path, progress: Progress) -> list[list[str]]:
    """Return the rows of a table of text: cells without blanks around them; an empty line is an empty row.

    Commas, semicolons, tabs or bars separate the cells: whichever the file has most of.

    Raises:
        InputError: it cannot be read, is larger than a table is, or its quotes do not close.
    """
    text = _text(path, progress)
    separator = max(SEPARATORS, key=text[:LONGEST_LINE].count)
    rows: list[list[str]] = []
    found = CsvRows(StringIO(text, newline=""), separator)
    for row in found:
        if isinstance(row, BadRow):
            raise InputError(shown(path), f"line {row.line}", str(row), REMEDY)
        rows.append([cell.strip() for cell in row])
        if len(rows) > MOST_ROWS:
            raise InputError(shown(path), f"line {found.line}", f"more than {MOST_ROWS} rows", REMEDY)
    return rows


def markdown_cells(line: str) -> list[str]:
    """Return the cells of a row of a table in Markdown; none where the line is no row."""
    found = MARKDOWN_ROW.fullmatch(line)
    return [cell.strip() for cell in found[1].split("|")] if found else []


def is_rule(cells: Sequence[str]) -> bool:
    """Say whether a row of a table in Markdown is the rule below its header, or empty."""
    return set("".join(cells)) <= set("-: ")


def blocks_of(rows: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """Return the tables that stand in one file below each other, an empty row between them."""
    found: list[list[list[str]]] = [[]]
    for row in rows:
        if any(row):
            found[-1].append(list(row))
        elif found[-1]:
            found.append([])
    return [block for block in found if block]


def joined_header(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of columns whose header has several rows: ``TTFT.Successful.mean``.

    A cell that is empty in any row but the last goes on with the one to its left.
    """
    *upper, last = rows
    filled = [_carried(row, len(last)) for row in upper]
    return [".".join(part for part in (*above, name) if part) for *above, name in zip(*filled, last, strict=True)]


def _carried(row: Sequence[str], width: int) -> list[str]:
    carried, last = [], ""
    for cell in [*row, *[""] * width][:width]:
        last = cell or last
        carried.append(last)
    return carried


def sibling(path: Path, name: str) -> Path | None:
    """Return the file of a name that lies beside another one; None where there is none, or it leads elsewhere."""
    beside = path.parent / name
    try:
        if os.path.lexists(beside) and beside.is_file() and not leads_out(beside, path.parent):
            return beside
    except (OSError, RuntimeError):
        return None
    return None


def read_beside(path: Path, name: str, read: Callable[[Path, Progress], Any] = read_document) -> Any:  # noqa: ANN401 - any JSON
    """Return what a file holds that lies beside another one, which stands without it.

    None where there is none, or it cannot be read.
    """
    beside = sibling(path, name)
    with suppress(InputError):
        return read(beside, drop) if beside is not None else None
    return None
