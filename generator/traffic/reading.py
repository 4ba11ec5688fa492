"""A file of single requests, recognised by its content, as a stream of them; lines that cannot be read are counted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from generator.declared.profiles import MOST_QUOTES, Clock, Kind, Note
from generator.errors import InputError
from generator.store.csv_rows import BadRow, CsvRows, cells_of
from generator.store.files import shown
from generator.store.unpacking import Progress, pieces, unpacked_head
from generator.traffic.access_log import LINE, AccessLog
from generator.traffic.lines import lines_of
from generator.traffic.llamacpp_log import LlamaLog
from generator.traffic.mapped import Mapped, Reader, of_cells, of_object
from generator.traffic.objects import objects
from generator.traffic.rows import Row, UnfitError
from generator.traffic.traces import csv_kind, header_of, json_kind
from generator.traffic.vllm_log import VllmLog

ALL_BAD: Final = 20_000
"""Lines without one that can be read after which a file is taken for something else."""
OTHER_LINES: Final = 8
"""Lines of a log's head in which those of an access log are looked for."""
KNOWN: Final = (
    "known are traces (Azure LLM, BurstGPT, Mooncake), ShareGPT and JSON Lines with prompts, logs of vLLM and "
    "llama-server, access logs; name the columns of any other JSON Lines or CSV with --map"
)
LLAMA_MARKS: Final = re.compile(
    rb"print_timing|prompt eval time|launch_slot_|slot is processing|srv +update_slots|llama_model_loader|llama_perf"
)
VLLM_MARKS: Final = re.compile(
    rb"(?:Received|Added|Finished) request |vLLM (?:API )?server|Avg prompt throughput: |\(APIServer pid=|vllm\."
    rb'|"POST /v1/(?:chat/)?completions HTTP'
)

Told = TypeVar("Told")


class Bad(NamedTuple):
    """A line that cannot be read, and why."""

    why: UnfitError


class Aside(NamedTuple):
    """A line that is no request."""


Found = Row | Bad | Aside
ASIDE: Final = Aside()


@dataclass(slots=True)
class Reading:
    """The requests of a file, one after another; ``clock`` and ``notes`` are known when all have been read.

    Attributes:
        kind: what the file is.
        found: the requests, and what is none.
        clock: returns what the times are on.
        notes: what has to be known of the numbers.
        open_quotes: the first lines of a table that open a quote and do not close it; they count as bad.
    """

    kind: Kind
    found: Iterator[Found]
    clock: Callable[[], Clock]
    notes: set[Note] = field(default_factory=set)
    open_quotes: list[int] = field(default_factory=list)


def read_traffic(path: Path, mapped: Mapped | None = None, progress: Progress = lambda _: None) -> Reading:
    """Return the requests of a file.

    Args:
        path: the file; packed ones are unpacked as they are read.
        mapped: the columns that the user names; None takes the file for what it looks like.
        progress: is told how many bytes have been read.

    Raises:
        InputError: at once, it cannot be read or is of no known kind; while iterating, none of it can be read.
    """
    head = unpacked_head(path)
    if not head.strip():
        raise InputError(shown(path), "", "is empty", "name a file of requests")
    reading = _opened(path, head, mapped, progress)
    reading.found = _unless_all_bad(reading.found, path)
    return reading


def _opened(path: Path, head: bytes, mapped: Mapped | None, progress: Progress) -> Reading:
    lines = partial(_lines, path, progress)
    begin = head.lstrip()[:1]
    if begin == b"{" and _is_log(head):
        return _log(path, head, progress)
    if begin in (b"{", b"["):
        return _json(path, head, mapped, progress)
    if mapped is not None:
        return _csv(path, head, mapped, lines())
    if csv_kind(_header(head)) is not None:
        return _csv(path, head, None, lines())
    if any(LINE.match(line) for line in head.split(b"\n")[:OTHER_LINES]):
        log = AccessLog()
        return Reading("access_log", _each(log.row, lines()), lambda: "file", {"as_nginx"})
    return _log(path, head, progress)


def _lines(path: Path, progress: Progress) -> Iterator[bytes]:
    return lines_of(pieces(path, progress))


def _is_log(head: bytes) -> bool:
    """Say whether lines of JSON are those of a server that logs so."""
    first = head.partition(b"\n")[0]
    return b'"msg"' in first or (b'"message"' in first and b'"level' in first)


def _log(path: Path, head: bytes, progress: Progress) -> Reading:
    marks = {"vllm_log": len(VLLM_MARKS.findall(head)), "llamacpp_log": len(LLAMA_MARKS.findall(head))}
    if not any(marks.values()):
        raise InputError(shown(path), "", "is of no known kind", KNOWN)
    if marks["llamacpp_log"] >= marks["vllm_log"]:
        llama = LlamaLog()
        return Reading("llamacpp_log", llama.rows(pieces(path, progress)), lambda: llama.clock, llama.notes)
    vllm = VllmLog()
    return Reading("vllm_log", vllm.rows(lines_of(pieces(path, progress))), lambda: vllm.clock, vllm.notes)


def _unless_all_bad(found: Iterator[Found], path: Path) -> Iterator[Found]:
    """Pass all on, unless there is nothing but what cannot be read."""
    bad, good, why = 0, False, ""
    for one in found:
        if isinstance(one, Bad):
            bad, why = bad + 1, why or one.why.said
        else:
            good = True
        if bad > ALL_BAD and not good:
            break
        yield one
    if not good:
        lines = f"none of its {bad} lines" if bad <= ALL_BAD else f"none of its first {ALL_BAD} lines"
        problem = f"{lines} can be read as a request; the first {why}" if bad else "holds no request"
        raise InputError(shown(path), "", problem, KNOWN)


def _each(read: Callable[[Told], Row | None], told: Iterable[Told]) -> Iterator[Found]:
    """Read one after another; what cannot be read is passed on as bad."""
    for one in told:
        try:
            row = read(one)
        except UnfitError as error:
            yield Bad(error)
        else:
            yield ASIDE if row is None else row


# JSON: a line each, or a list, or objects over several lines.


def _json(path: Path, head: bytes, mapped: Mapped | None, progress: Progress) -> Reading:
    if _is_line_each(head):
        first = next((one for line in head.split(b"\n") if (one := _object(line)) is not None), None)
        kind, clock, read = _object_reader(path, first or {}, mapped)
        notes: set[Note] = set()
        return Reading(kind, _each(_of_line(read), _filled(lines_of(pieces(path, progress)))), clock, notes)
    found = objects(path, progress)
    first = next(found, None)
    if first is None:
        raise InputError(shown(path), "", "holds no request", KNOWN)
    kind, clock, read = _object_reader(path, first, mapped)
    reading = Reading(kind, iter(()), clock)
    reading.found = _each(read, _as_far_as_it_goes(chain([first], found), reading.notes))
    return reading


def _is_line_each(head: bytes) -> bool:
    """Say whether a file has an object in each line: the first one that is whole is one."""
    whole = head.split(b"\n")[:-1] or [head]
    lines = [line for line in whole if line.strip()]
    return any(_object(line) is not None for line in lines[:2]) or (head.lstrip()[:1] == b"{" and b"\n" not in head)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


ReadOne = Callable[[Mapping[str, Any]], Row | None]


def _object_reader(
    path: Path, first: Mapping[str, Any], mapped: Mapped | None
) -> tuple[Kind, Callable[[], Clock], ReadOne]:
    if mapped is not None:
        reader = Reader(mapped)
        return "mapped_json", lambda: reader.clock, of_object(mapped, reader)
    known = json_kind(first)
    if known is None:
        raise InputError(shown(path), "", "is JSON of no known kind", KNOWN)
    return known.kind, lambda: known.clock, known.read


def _of_line(read: ReadOne) -> Callable[[bytes], Row | None]:
    def row(line: bytes) -> Row | None:
        found = _object(line)
        if found is None:
            raise UnfitError("", "is no object of JSON")
        return read(found)

    return row


def _filled(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (line for line in lines if line and not line.isspace())


def _as_far_as_it_goes(found: Iterator[dict[str, Any]], notes: set[Note]) -> Iterator[dict[str, Any]]:
    """Yield objects until one cannot be read: what stands behind it in a list cannot be found."""
    try:
        yield from found
    except InputError:
        notes.add("cut_off")


# CSV: columns named in the first line.


def _header(head: bytes, delimiter: str = ",") -> list[str]:
    first = head.partition(b"\n")[0].decode("utf-8", "replace").strip()
    return header_of(cells_of(first, delimiter))


def _csv(path: Path, head: bytes, mapped: Mapped | None, lines: Iterator[bytes]) -> Reading:
    first = head.partition(b"\n")[0]
    delimiter = max(",;\t", key=lambda sign: first.count(sign.encode()))
    rows = _rows(lines, delimiter)
    header = _header(head, delimiter)
    if mapped is not None:
        reader = Reader(mapped)
        return _table("mapped_csv", of_cells(mapped, reader, header, shown(path)), rows, lambda: reader.clock)
    known = csv_kind(header)
    if known is None:  # nobody asks unless it is known
        raise InputError(shown(path), "", "is of no known kind", KNOWN)
    return _table(known.kind, known.reader(header), rows, lambda: known.clock)


def _rows(lines: Iterator[bytes], delimiter: str) -> Iterator[list[str] | BadRow]:
    """Yield the rows below the header that are not empty."""
    rows = CsvRows((line.decode("utf-8", "replace") for line in lines), delimiter)
    return (cells for cells in rows if cells and rows.line > 1)


def _table(
    kind: Kind,
    read: Callable[[Sequence[str]], Row],
    rows: Iterator[list[str] | BadRow],
    clock: Callable[[], Clock],
) -> Reading:
    reading = Reading(kind, iter(()), clock)

    def row(cells: list[str] | BadRow) -> Row:
        if not isinstance(cells, BadRow):
            return read(cells)
        if cells.is_open and len(reading.open_quotes) < MOST_QUOTES:
            reading.open_quotes.append(cells.line)
        raise UnfitError("", str(cells))

    reading.found = _each(row, rows)
    return reading
