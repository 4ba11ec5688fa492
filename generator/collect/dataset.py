"""A dataset file beside round.toml: prompts or lengths of real users, and when they came.

What a file is, is told by its content:

    ShareGPT      JSON: ``[{"conversations": [{"from": "human", "value": "…"}, …]}, …]``; the first words of each human
    JSON lines    ``{"prompt": "…"}`` or ``{"text": "…"}``, at will with ``output_tokens`` and ``timestamp`` (ms)
    Mooncake      JSON lines: ``timestamp`` (ms), ``input_length``, ``output_length``; shared prefixes are not made
    Azure LLM     CSV: ``TIMESTAMP`` (a date), ``ContextTokens``, ``GeneratedTokens``
    BurstGPT      CSV: ``Timestamp`` (s), ``Request tokens``, ``Response tokens``

Texts are sent as they are, and nothing of them is kept. Where a file has lengths only, prompts are made of words.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from ijson.common import ObjectBuilder

from generator.collect.arrivals import Seconds
from generator.errors import InputError, quote
from generator.store.files import leads_out, shown, unreadable
from generator.store.json_stream import BYTE_ORDER_MARK, UTF_16, read_events

LARGEST: Final = 2**30
"""Bytes of the largest file that is read; ShareGPT as it is published has two thirds of it."""
MOST_ROWS: Final = 200_000
"""Requests that are taken, from the beginning of the file."""
MOST_LETTERS: Final = 2**28
"""Characters of prompts that are held in memory; what stands behind them in the file is not read."""
LONGEST: Final = 2_000_000
"""Tokens of the longest prompt or answer that can be asked for."""
HEAD: Final = 4096

PROMPTS: Final = ("prompt", "text", "input_text")
OUTPUTS: Final = ("output_tokens", "output_length", "output_len", "max_tokens")
CONVERSATIONS: Final = ("conversations", "conversation")
HUMANS: Final = frozenset({"human", "user"})
MS: Final = 1000

KNOWN: Final = "ShareGPT JSON, JSON lines with prompt or text, Mooncake JSON lines, Azure LLM CSV, BurstGPT CSV"
PLACE: Final = "the file as it was published"


@dataclass(frozen=True, slots=True)
class Row:
    """One request: its text, or its tokens; those of its answer; when it came, in s on any clock. None: unknown."""

    text: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    at: float | None = None


@dataclass(frozen=True)
class Dataset:
    """The requests of a file, each text once; in the order of time where each has one, else in that of the file.

    Attributes:
        file: how error lines call it.
        kind: ``sharegpt``, ``jsonl``, ``mooncake``, ``azure`` or ``burstgpt``.
        rows: at least one.
        left_out: requests of the file without words or without an answer, and texts that it has again.
    """

    file: str
    kind: str
    rows: tuple[Row, ...]
    left_out: int = 0

    @cached_property
    def times(self) -> Seconds:
        """Return when the requests came, in s after the first, rising; nothing where some have no time."""
        at = np.array([math.nan if row.at is None else row.at for row in self.rows], dtype=np.float64)
        return at - at[0] if np.isfinite(at).all() else at[:0]

    def draw(self, first: int, count: int, seed: int) -> tuple[list[Row], int]:
        """Return some requests out of a shuffled deck, and how many of them somebody else has drawn before.

        Runs that draw with one seed and from places that do not overlap have no request in common, as long as there
        are enough of them; then the deck is gone through again.

        Args:
            first: how many of the deck were drawn before.
            count: how many are drawn.
            seed: of the shuffling.
        """
        deck = np.random.default_rng(seed).permutation(len(self.rows))
        drawn = [self.rows[deck[place % len(deck)]] for place in range(first, first + count)]
        return drawn, max(0, first + count - max(first, len(deck)))

    def in_order(self, first: int, count: int) -> list[Row]:
        """Return so many requests as they came, from a place on; behind the last comes the first again."""
        return [self.rows[place % len(self.rows)] for place in range(first, first + count)]


def read_dataset(folder: Path, name: str | None) -> Dataset | None:
    """Read the dataset file of a round; None where it names none.

    Args:
        folder: of the round; the file has to lie in it.
        name: the path of the file from there.

    Raises:
        InputError: the file is not there, leads out of the folder, is too large, of no known kind, or holds nothing.
    """
    if name is None:
        return None
    path = folder / name
    head = _head(path, folder)
    kind, found = _from_json(path) if head.lstrip()[:1] in (b"{", b"[") else _from_csv(path, head)
    rows, left_out = _taken(found)
    if not rows:
        raise InputError(shown(path), "", "has no request that could be sent", f"take {PLACE}")
    if all(row.at is not None for row in rows):
        rows.sort(key=lambda row: row.at or 0.0)
    return Dataset(shown(path), kind, tuple(rows), left_out)


def _head(path: Path, folder: Path) -> bytes:
    try:
        _refuse_unfit(path, folder)
        with path.open("rb") as file:
            head = file.read(HEAD)
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "is not there", "put the file of dataset_file beside round.toml") from error
    except (OSError, RuntimeError) as error:
        raise unreadable(path, error) from error
    if head.startswith(UTF_16):
        raise InputError(shown(path), "", "is UTF-16 and not UTF-8", "save the file as UTF-8")
    return head.removeprefix(BYTE_ORDER_MARK)


def _refuse_unfit(path: Path, folder: Path) -> None:
    if leads_out(path, folder):
        problem = "lies outside of the round's folder"
        raise InputError(shown(path), "", problem, "copy the file beside round.toml, and name it in dataset_file")
    if not path.is_file():  # a pipe would be waited for
        raise InputError(shown(path), "", "is not a file", "name one in dataset_file")
    if path.stat().st_size > LARGEST:
        problem = f"is larger than {LARGEST // 2**20} MiB"
        raise InputError(shown(path), "", problem, "cut it: a round needs as many requests as it sends")


def _taken(found: Iterator[Row | None]) -> tuple[list[Row], int]:
    """Take requests until there are enough; what is None, or a text that came before, is counted and left out."""
    rows: list[Row] = []
    seen: set[str] = set()
    left_out = letters = 0
    for row in found:
        if row is None or row.text in seen:
            left_out += 1
            continue
        if row.text is not None:
            seen.add(row.text)
            letters += len(row.text)
        rows.append(row)
        if len(rows) >= MOST_ROWS or letters > MOST_LETTERS:
            break
    return rows, left_out


# JSON: one list of objects, or objects one after another.


def _from_json(path: Path) -> tuple[str, Iterator[Row | None]]:
    file, objects = shown(path), _objects(path)
    first = next(objects, None)
    if first is None:
        raise InputError(file, "", "is empty", f"take {PLACE}")
    kind, read = _json_kind(first, file)

    def rows() -> Iterator[Row | None]:
        yield read(first, file, "object 1")
        for number, one in enumerate(objects, start=2):
            yield read(one, file, f"object {number}")

    return kind, rows()


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    builder, depth, number = None, 0, 0
    for event, value in read_events(path, lambda _: None):
        if builder is None:
            if event in ("start_array", "end_array"):
                continue
            if event != "start_map":
                place = f"after object {number}" if number else ""
                raise InputError(shown(path), place, f"holds a bare {event}, not an object", f"take {PLACE}")
            builder, number = ObjectBuilder(), number + 1
        builder.event(event, value)
        depth += event.startswith("start_") - event.startswith("end_")
        if not depth:
            yield builder.value
            builder = None


ReadObject = Callable[[Mapping[str, Any], str, str], Row | None]


def _json_kind(first: Mapping[str, Any], file: str) -> tuple[str, ReadObject]:
    if any(name in first for name in CONVERSATIONS):
        return "sharegpt", _conversation
    if any(name in first for name in PROMPTS):
        return "jsonl", _prompt
    if "input_length" in first:
        return "mooncake", _mooncake
    names = ", ".join(map(quote, list(first)[:6])) or "nothing"
    raise InputError(file, "object 1", f"has {names}, which no known dataset has", f"known are: {KNOWN}")


def _conversation(one: Mapping[str, Any], file: str, place: str) -> Row | None:
    """Return what the human says first; None where there is no such thing, which is common."""
    turns: object = next((one[name] for name in CONVERSATIONS if name in one), [])
    if not isinstance(turns, list):
        raise InputError(file, place, "has a conversation that is no list", f"take {PLACE}")
    said = (turn for turn in turns if isinstance(turn, dict) and turn.get("from", turn.get("role")) in HUMANS)
    turn = next(said, {})
    text = turn.get("value", turn.get("content"))
    return Row(text) if isinstance(text, str) and text.strip() else None


def _prompt(one: Mapping[str, Any], file: str, place: str) -> Row | None:
    name = next((name for name in PROMPTS if name in one), PROMPTS[0])
    text = one.get(name)
    if not isinstance(text, str):
        raise InputError(file, f"{place}, {name}", "is not a text", "give each object a prompt or a text")
    made = next((_length(one[key], file, f"{place}, {key}") for key in OUTPUTS if one.get(key) is not None), None)
    at = one.get("timestamp")
    row = Row(text, None, made, None if at is None else _number(at, file, f"{place}, timestamp") / MS)
    return row if text.strip() and made != 0 else None


def _mooncake(one: Mapping[str, Any], file: str, place: str) -> Row | None:
    given = _length(one.get("input_length"), file, f"{place}, input_length")
    made = _length(one.get("output_length"), file, f"{place}, output_length")
    at = None if one.get("timestamp") is None else _number(one["timestamp"], file, f"{place}, timestamp") / MS
    return Row(None, given, made, at) if given and made else None


# CSV: a trace, with its columns named in the first line.


@dataclass(frozen=True, slots=True)
class _Columns:
    kind: str
    at: str
    given: str
    made: str
    time: Callable[[str, str, str], float]


def _from_csv(path: Path, head: bytes) -> tuple[str, Iterator[Row | None]]:
    first = head.partition(b"\n")[0].decode("utf-8", "replace").strip()
    header = [name.strip().lower() for name in next(csv.reader([first]), [])] if "\0" not in first else []
    columns = next((one for one in TRACES if {one.at, one.given, one.made} <= set(header)), None)
    if columns is None:
        problem = f"begins with {quote(first)}, as no known dataset does" if first else "is empty"
        raise InputError(shown(path), "", problem, f"known are: {KNOWN}")
    return columns.kind, _csv_rows(path, columns, header)


def _csv_rows(path: Path, columns: _Columns, header: Sequence[str]) -> Iterator[Row | None]:
    file = shown(path)
    at, given, made = (header.index(name) for name in (columns.at, columns.given, columns.made))
    for line, cells in _lines(path):
        place = f"line {line}"
        if len(cells) <= max(at, given, made):
            raise InputError(file, place, f"has {len(cells)} cells, and the header {len(header)}", f"take {PLACE}")
        asked, answered = _length(cells[given], file, place), _length(cells[made], file, place)
        time = columns.time(cells[at], file, place)
        yield Row(None, asked, answered, time) if asked and answered else None


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines behind the header, each with its number."""
    reader = None
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            next(reader, None)
            for cells in reader:
                if cells:
                    yield reader.line_num, cells
    except (csv.Error, UnicodeDecodeError) as error:
        line = reader.line_num + 1 if reader is not None else 1
        raise InputError(shown(path), f"line {line}", "is not CSV in UTF-8", f"take {PLACE}") from error
    except OSError as error:
        raise unreadable(path, error) from error


def _date(cell: str, file: str, place: str) -> float:
    """Return a date in s since 1970; one without a zone is taken for UTC, as only differences matter."""
    try:
        read = datetime.fromisoformat(cell.strip())
        return (read if read.tzinfo is not None else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise InputError(file, place, f"{quote(cell)} is no date", f"take {PLACE}") from error


def _number(raw: object, file: str, place: str) -> float:
    try:
        number = float(raw) if isinstance(raw, int | float | str) and not isinstance(raw, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(file, place, f"{quote(raw)} is no number", f"take {PLACE}")
    return number


def _length(raw: object, file: str, place: str) -> int:
    """Return a length in tokens; 0 is one as well, of a request that failed."""
    number = _number(raw, file, place)
    if not 0 <= number <= LONGEST or number != int(number):
        problem = f"{quote(raw)} is no length: expected a whole number of tokens up to {LONGEST}"
        raise InputError(file, place, problem, "correct the line, or remove it")
    return int(number)


TRACES: Final = (
    _Columns("azure", "timestamp", "contexttokens", "generatedtokens", _date),
    _Columns("burstgpt", "timestamp", "request tokens", "response tokens", _number),
)
