"""The requests in benchmark_data.db, an SQLite file that EvalScope leaves beside its summary.

A stranger's database is opened for reading alone and as a file that nobody changes, so that neither it nor a journal
beside it is written; nothing of its schema is run; and what it may cost is bounded. Its answers are pickles, and are
not even read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote as as_url

from generator.errors import InputError
from generator.runs.requests import MOST_SECONDS, Requests
from generator.store.files import printable, shown, unreadable
from generator.store.foreign import number
from generator.store.request_columns import MOST_REQUESTS
from generator.store.request_rows import UNKNOWN_ERROR, RequestRows
from generator.values import Source

DATABASE: Final = "benchmark_data.db"
TABLE: Final = "result"
COLUMNS: Final = (
    "start_time", "inter_token_latencies", "success", "latency", "first_chunk_latency", "prompt_tokens",
    "completion_tokens", "is_stream",
)  # fmt: skip
NEEDED: Final = frozenset({"success", "latency"})
LARGEST_CELL: Final = 64 * 2**20
STEPS: Final = 100_000
MOST_STEPS: Final = 20_000
"""Instructions of SQLite between two looks at the clock, and how many looks a file may take: two billion in all."""
JOURNALS: Final = ("-wal", "-journal")
"""Endings of files beside a database in which changes wait to be written into it, or to be taken back."""
BEGINS: Final = b"SQLite format 3\0"


def requests_in(path: Path) -> Requests | None:
    """Return the requests of a database; None where it holds none.

    Raises:
        InputError: it is no database of EvalScope, cannot be read, or holds more requests than are read again.
    """
    rows = RequestRows()
    try:
        with closing(_opened(path)) as database:
            for row in _rows(database, path):
                _add(rows, row)
    except OSError as error:
        raise unreadable(path, error) from error
    except (sqlite3.Error, OverflowError, ValueError) as error:
        raise _damaged(path) from error
    return rows.requests(Source(printable(path.name), TABLE))


def _refuse_unsettled(path: Path) -> None:
    """Refuse a database with a journal: opened as it is, some of its requests may be missing."""
    for ending in JOURNALS:
        beside = path.with_name(path.name + ending)
        if beside.is_file() and beside.stat().st_size:
            problem = f"is not the whole database: what lies in {printable(beside.name)} was not yet written into it"
            raise InputError(shown(path), "", problem, "open and close it once with sqlite3, and import it again")


def _opened(path: Path) -> sqlite3.Connection:
    _refuse_unsettled(path)
    with path.open("rb") as file:
        if file.read(len(BEGINS)) != BEGINS:
            raise sqlite3.DatabaseError
    url = f"file:{as_url(str(path.resolve()))}?mode=ro&immutable=1"
    database = sqlite3.connect(url, uri=True)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_CELL)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.execute("PRAGMA trusted_schema=OFF")
    database.execute("PRAGMA query_only=ON")
    database.text_factory = _text
    looks = iter(range(MOST_STEPS))
    database.set_progress_handler(lambda: next(looks, None) is None, STEPS)
    return database


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _rows(database: sqlite3.Connection, path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the table; a view of that name, which could be anything, is none."""
    kinds = database.execute("SELECT type FROM sqlite_master WHERE name = ?", (TABLE,)).fetchall()
    there = {name for _, name, *_ in database.execute(f"PRAGMA table_info({TABLE})")}
    if kinds != [("table",)] or not there >= NEEDED:
        problem = f"has no table `{TABLE}` with the latencies of requests"
        raise InputError(shown(path), "", problem, "move it elsewhere to import the summary alone")
    names = [name for name in COLUMNS if name in there]
    found = database.execute(f"SELECT {', '.join(names)} FROM {TABLE}")  # noqa: S608 - our names
    for nth, row in enumerate(found):
        if nth == MOST_REQUESTS:
            problem = f"holds more than {MOST_REQUESTS} requests"
            raise InputError(shown(path), "", problem, "move it elsewhere to import the summary alone")
        yield dict(zip(names, row, strict=True))


def _add(rows: RequestRows, row: Mapping[str, Any]) -> None:
    streamed = number(row.get("is_stream", 1)) != 0
    rows.add(
        start=number(row.get("start_time")), e2el=number(row.get("latency")),
        ttft=number(row.get("first_chunk_latency")) if streamed else None,
        input_tokens=number(row.get("prompt_tokens")), output_tokens=number(row.get("completion_tokens")),
        gaps=_gaps(row.get("inter_token_latencies")) if streamed else (),
        error=None if number(row.get("success")) == 1 else UNKNOWN_ERROR,
    )  # fmt: skip


def _gaps(text: object) -> list[float]:
    """Return the gaps between chunks, which stand there as JSON; none where they cannot be read."""
    try:
        found = json.loads(text) if isinstance(text, str) else []
    except (ValueError, RecursionError):
        return []
    return (
        [min(gap, MOST_SECONDS) for one in found if (gap := number(one)) is not None] if isinstance(found, list) else []
    )


def _damaged(path: Path) -> InputError:
    problem = "is no SQLite database, is damaged, or takes too long to read"
    return InputError(shown(path), "", problem, "move it elsewhere to import the summary alone, or copy it again")
