"""The tests of a llama-bench file as records: entry -> what stands there, whatever the format is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.store.documents import is_rule, markdown_cells, read_documents, read_lines, read_rows
from generator.store.files import shown
from generator.store.looks import refuse_without
from generator.store.recognition import BEGINS_JSON
from generator.store.unpacking import Progress, unpacked_head
from generator.text import counted

Record = Mapping[str, Any]
Placed = tuple[Record, str]
"""A record, and where in the file it stands."""

NEEDED: Final = ("n_prompt", "n_gen", "avg_ts")
REMEDY: Final = "import what llama-bench prints with -o json, jsonl, csv, sql or md"

INSERT: Final = re.compile(r"INSERT INTO llama_bench \(([^()]*)\)\s*VALUES\s*\((.*)\);?\s*")
QUOTED: Final = re.compile(r"\s*'((?:[^']|'')*+)'\s*(?:,|$)")

TEST: Final = re.compile(r"(?:pp(\d{1,9}))?(?:\+?tg(\d{1,9}))?(?: @ d(\d{1,9}))?")
BUILD: Final = re.compile(r"build: ([0-9a-f]{6,40}|unknown) \((\d{1,9})\)")
SPREAD: Final = re.compile(r"([0-9.]+)(?:\s*±\s*([0-9.]+))?")
COLUMNS: Final = {
    "model": "model_type",
    "size": "model_size",
    "params": "model_n_params",
    "backend": "backends",
    "ngl": "n_gpu_layers",
    "fa": "flash_attn",
    "threads": "n_threads",
    "sm": "split_mode",
    "mmap": "use_mmap",
    "ncmoe": "n_cpu_moe",
}
"""Columns of the table for people -> the entries of the other formats."""


def records_of(path: Path, progress: Progress) -> Iterator[Placed]:
    """Yield the tests of a file.

    Raises:
        InputError: while iterating; the file cannot be read, or something in it is no test.
    """
    head = unpacked_head(path)
    if BEGINS_JSON.match(head):
        yield from _from_json(path, progress)
    elif b"INSERT INTO llama_bench" in head or b"CREATE TABLE IF NOT EXISTS llama_bench" in head:
        yield from _from_sql(path, progress)
    elif re.search(rb"^\s*\|", head, re.MULTILINE):
        yield from _from_table(path, progress)
    else:
        yield from _from_csv(path, progress)


def _from_json(path: Path, progress: Progress) -> Iterator[Placed]:
    for nth, document in enumerate(read_documents(path, progress), start=1):
        yield _whole(_unwrapped(document), path, f"object {nth}"), f"object {nth}"


def _unwrapped(document: object) -> Record:
    """Return the record, also one that another program has put into an object of its own."""
    if not isinstance(document, dict):
        return {}
    inner = next((one for one in document.values() if isinstance(one, dict) and "avg_ts" in one), None)
    if "avg_ts" in document or inner is None:
        return document
    around = {f"around.{name}": value for name, value in document.items() if value is not inner}
    return {**around, **inner}


def _from_csv(path: Path, progress: Progress) -> Iterator[Placed]:
    header: list[str] = []
    for line, row in enumerate(read_rows(path, progress), start=1):
        if "build_commit" in row:
            header = row
        elif header and any(row):
            yield _named(header, row, path, f"row {line}"), f"row {line}"


def _named(header: Sequence[str], row: Sequence[str], path: Path, place: str) -> Record:
    if len(row) != len(header):
        problem = counted("has {n} {n:cell|cells}, and the header {m}", n=len(row), m=len(header))
        raise InputError(shown(path), place, problem, "remove the row, or run this test again")
    return _whole(dict(zip(header, row, strict=True)), path, place)


def _from_sql(path: Path, progress: Progress) -> Iterator[Placed]:
    for line, text in enumerate(read_lines(path, progress), start=1):
        found = INSERT.fullmatch(text)
        if found:
            names = [name.strip() for name in found[1].split(",")]
            yield _named(names, _values(found[2]), path, f"line {line}"), f"line {line}"


def _values(text: str) -> list[str]:
    """Return the quoted values of a VALUES list; what is not quoted ends it."""
    found, end = [], 0
    while one := QUOTED.match(text, end):
        found.append(one[1].replace("''", "'"))
        end = one.end()
        if end == len(text):
            break
    return found


def _from_table(path: Path, progress: Progress) -> Iterator[Placed]:
    """Yield the rows of the tables for people; the build is named below a table."""
    waiting: list[Placed] = []
    header: list[str] = []
    for line, text in enumerate(read_lines(path, progress), start=1):
        cells = markdown_cells(text)
        build = BUILD.search(text)
        if "test" in cells and "t/s" in cells:
            header = cells
        elif not cells:
            header = []
        elif header and not is_rule(cells):
            waiting.append((_of_row(header, cells, path, f"line {line}"), f"line {line}"))
        if build:
            told = {"build_commit": build[1], "build_number": build[2]}
            yield from (({**record, **told}, place) for record, place in waiting)
            waiting = []
    yield from waiting


def _of_row(header: Sequence[str], cells: Sequence[str], path: Path, place: str) -> Record:
    named = dict(zip(header, cells, strict=False))
    test, speed = TEST.fullmatch(named.get("test", "")), SPREAD.fullmatch(named.get("t/s", ""))
    if len(cells) != len(header) or test is None or speed is None:
        problem = "is no row of llama-bench's table: its test or its speed cannot be read"
        raise InputError(shown(path), place, problem, REMEDY)
    told = {COLUMNS.get(name, name): cell for name, cell in named.items() if name not in ("test", "t/s")}
    lengths = dict(zip(("n_prompt", "n_gen", "n_depth"), (int(one or 0) for one in test.groups()), strict=True))
    return _whole({**told, **lengths, "avg_ts": speed[1], "stddev_ts": speed[2]}, path, place)


def _whole(record: Record, path: Path, place: str) -> Record:
    refuse_without(record, NEEDED, file=shown(path), place=place, tool="llama-bench", remedy=REMEDY)
    return record
