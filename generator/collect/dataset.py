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

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from generator.collect.arrivals import Seconds
from generator.errors import InputError, quote
from generator.store.csv_rows import BadRow, CsvRows, cells_of
from generator.store.files import leads_out, shown, unreadable
from generator.store.json_stream import BYTE_ORDER_MARK, UTF_16
from generator.traffic.objects import objects
from generator.traffic.rows import PLACE, Row, UnfitError
from generator.traffic.traces import csv_kind, header_of, json_kind

LARGEST: Final = 2**30
"""Bytes of the largest file that is read; ShareGPT as it is published has two thirds of it."""
MOST_ROWS: Final = 200_000
"""Requests that are taken, from the beginning of the file."""
MOST_LETTERS: Final = 2**28
"""Characters of prompts that are held in memory; what stands behind them in the file is not read."""
HEAD: Final = 4096

Told = TypeVar("Told")

KNOWN: Final = "ShareGPT JSON, JSON lines with prompt or text, Mooncake JSON lines, Azure LLM CSV, BurstGPT CSV"


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
    """Take requests until there are enough; what cannot be sent, or came before, is counted and left out."""
    rows: list[Row] = []
    seen: set[str] = set()
    left_out = letters = 0
    for row in found:
        if row is None or not _can_be_sent(row) or row.text in seen:
            left_out += 1
            continue
        if row.text is not None:
            seen.add(row.text)
            letters += len(row.text)
        rows.append(row)
        if len(rows) >= MOST_ROWS or letters > MOST_LETTERS:
            break
    return rows, left_out


def _can_be_sent(row: Row) -> bool:
    """Say whether a request asks something, and had an answer as far as that is told."""
    return row.output_tokens != 0 and (row.text is not None or bool(row.input_tokens))


# JSON: one list of objects, or objects one after another.


def _from_json(path: Path) -> tuple[str, Iterator[Row | None]]:
    file, found = shown(path), objects(path)
    first = next(found, None)
    if first is None:
        raise InputError(file, "", "is empty", f"take {PLACE}")
    known = json_kind(first)
    if known is None:
        names = ", ".join(map(quote, list(first)[:6])) or "nothing"
        raise InputError(file, "object 1", f"has {names}, which no known dataset has", f"known are: {KNOWN}")

    def rows() -> Iterator[Row | None]:
        yield _read(known.read, first, file, "object 1")
        for number, one in enumerate(found, start=2):
            yield _read(known.read, one, file, f"object {number}")

    return known.kind, rows()


def _read(read: Callable[[Told], Row | None], told: Told, file: str, place: str) -> Row | None:
    """Read one request; say where it stands if it cannot be read."""
    try:
        return read(told)
    except UnfitError as error:
        where = f"{place}, {error.field}" if error.field else place
        raise InputError(file, where, error.problem, error.remedy) from error


# CSV: a trace, with its columns named in the first line.


def _from_csv(path: Path, head: bytes) -> tuple[str, Iterator[Row | None]]:
    first = head.partition(b"\n")[0].decode("utf-8", "replace").strip()
    header = header_of(cells_of(first))
    known = csv_kind(header)
    if known is None:
        problem = f"begins with {quote(first)}, as no known dataset does" if first else "is empty"
        raise InputError(shown(path), "", problem, f"known are: {KNOWN}")
    read, file = known.reader(header), shown(path)
    return known.kind, (_read(read, cells, file, f"line {line}") for line, cells in _lines(path))


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines behind the header, each with its number."""
    rows = None
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = CsvRows(file)
            for cells in rows:
                if isinstance(cells, BadRow):
                    raise InputError(shown(path), f"line {cells.line}", str(cells), f"take {PLACE}")
                if cells and rows.line > 1:
                    yield rows.line, cells
    except UnicodeDecodeError as error:
        line = rows.line if rows is not None else 1
        raise InputError(shown(path), f"line {line}", "is not UTF-8", f"take {PLACE}") from error
    except OSError as error:
        raise unreadable(path, error) from error
