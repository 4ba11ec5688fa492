"""The table that `vllm bench serve` prints, found in logs among whatever else stands there."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.importers.vllm.names import Scalar
from generator.importers.vllm.refusals import of_sglang
from generator.store.documents import read_lines
from generator.store.files import shown
from generator.store.unpacking import Progress

BEGIN: Final = re.compile(r"(?<!=)={4,}+ Serving Benchmark Result ={4,}")
END: Final = re.compile(r"={20,}$")
COLOUR: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
NAMESPACE: Final = re.compile(r"\b(?P<name>model|num_prompts|request_rate|max_concurrency)=(?P<value>'[^']*'|[^,')]+)")
FLAGS: Final = {
    "--model": "model",
    "--num-prompts": "num_prompts",
    "--request-rate": "request_rate",
    "--max-concurrency": "max_concurrency",
}
"""What the command line tells that the table does not always."""


@dataclass(slots=True)
class Table:
    """One printed table: its rows by label, what was asked for, and the line that it begins in."""

    line: int
    rows: dict[str, Scalar] = field(default_factory=dict)
    asked: dict[str, Scalar] = field(default_factory=dict)


def arguments(words: Sequence[str]) -> dict[str, Scalar]:
    """Return what the words of a command line ask for, by the names of the JSON file."""
    pairs = [word.split("=", 1) for word in words if "=" in word] + [list(pair) for pair in pairwise(words)]
    return {FLAGS[flag]: _value(text) for flag, text in pairs if flag in FLAGS}


def read_tables(path: Path, progress: Progress) -> list[Table]:
    """Return the printed tables of a text, in their order.

    A table takes what was asked for from the last command before it; a single table, from one after it.

    Raises:
        InputError: a table is cut off, or is one of another client's; the file cannot be read.
    """
    tables: list[Table] = []
    asked: dict[str, Scalar] = {}
    open_table: Table | None = None
    for number, line in enumerate(_lines(path, progress), start=1):
        if BEGIN.search(line):
            _refuse_open(open_table, path)
            open_table = Table(number, asked=asked)
            tables.append(open_table)
        elif open_table is None:
            asked = _asked(line) or asked
        elif END.match(line):
            open_table = None
        else:
            _add_row(open_table, line, path)
    _refuse_open(open_table, path)
    if len(tables) == 1 and not tables[0].asked:
        tables[0].asked = asked
    return tables


def _lines(path: Path, progress: Progress) -> Iterator[str]:
    """Yield the lines of a text; a progress bar's carriage returns end one too."""
    return (COLOUR.sub("", line).rstrip() for line in read_lines(path, progress))


def _add_row(table: Table, line: str, path: Path) -> None:
    label, colon, rest = (part.strip() for part in line.partition(":"))
    if not (label and colon and rest) or len(rest.split(maxsplit=1)) > 1:
        return
    if label == "Backend":
        raise of_sglang(shown(path), f"line {table.line}")
    value = _value(rest)
    if not isinstance(value, str):
        table.rows[label] = value


def _asked(line: str) -> dict[str, Scalar]:
    """Return what a line says of the command: the tool's own print of its arguments, or the command itself."""
    if "Namespace(" in line:
        return {found["name"]: _value(found["value"].strip("'")) for found in NAMESPACE.finditer(line)}
    if "bench serve" in line or "benchmark_serving.py" in line:
        return arguments(_words(line))
    return {}


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a quote is left open: the command goes on in the next line
        return [word.strip("'\"") for word in line.split()]


def _value(text: str) -> Scalar:
    """Return a number as such; None for None, and for what is infinite or not a number."""
    if text == "None":
        return None
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else None


def _refuse_open(table: Table | None, path: Path) -> None:
    if table is not None:
        problem = "the printed table is cut off: its last line, of equals signs, is missing"
        raise InputError(shown(path), f"line {table.line}", problem, "copy the whole output of the tool")
