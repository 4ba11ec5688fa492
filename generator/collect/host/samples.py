"""Samples on disk: lines that are appended while a level runs, and samples.parquet once it has closed.

A line is the readings of one source at one moment, or a gap::

    {"t_mono_ns": 12, "t_wall_ns": 17, "source": "gpu0", "values": {"power": 61.5}, "notes": {"ecc": "NotSupported"}}
    {"t_mono_ns": 12, "t_wall_ns": 17, "source": "nvml", "gap": "missed", "seconds": 1.0, "note": ""}

samples.parquet is long, a row a number, for sources come and go and differ in what they say. Its rows are ordered by
source, field and time: each series lies in one piece, and takes two to three bytes a sample. A field that could not be
read has one row without a value when that began, with the reason in ``note``, and no more until it can be read again. A
gap is a row of the field ``gap``: its seconds as the value, its kind and reason as the note.
"""

from __future__ import annotations

import io
import json
import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from generator.collect.host.readings import Reading
from generator.store.files import unreadable, write_atomically
from generator.telemetry.own_samples import COLUMNS

SAMPLES_FILE: Final = "samples.parquet"
LINES_FILE: Final = "samples.jsonl"
GAP: Final = "gap"
LONGEST_LINE: Final = 1 << 20

_NAMES: Final = ["source", "field", "note"]
_TIMES: Final = {"t_mono_ns": "DELTA_BINARY_PACKED", "t_wall_ns": "DELTA_BINARY_PACKED"}

Row = tuple[int, int, str, str, float | None, str | None]


@dataclass(slots=True)
class Lines:
    """A file of lines that several threads append to. A fault of the disk ends the writing and raises nothing.

    Attributes:
        path: the file; what it holds already is kept.
        fault: why nothing more was written; empty while all is well.
    """

    path: Path
    fault: str = ""
    _file: IO[str] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _reasons: dict[tuple[str, str], str] = field(default_factory=dict)

    def open(self) -> None:
        """Open the file. A line that a killed run left unfinished is ended, so that it spoils no other."""
        try:
            self._file = self.path.open("a", encoding="utf-8")
            self._file.write("\n" if self.path.stat().st_size else "")
        except OSError as error:
            self.fault = error.strerror or type(error).__name__

    def readings(self, at: tuple[int, int], readings: Iterable[Reading]) -> None:
        """Write readings of one moment: ns of the monotonic and of the wall clock."""
        by_source: dict[str, list[Reading]] = {}
        for one in readings:
            by_source.setdefault(one.source, []).append(one)
        with self._lock:
            for source, of_source in by_source.items():
                self._write({**_times(at), "source": source, **self._said(of_source)})

    def gap(self, at: tuple[int, int], source: str, kind: str, seconds: float, note: str = "") -> None:
        """Write that a source was not read."""
        with self._lock:
            self._write({**_times(at), "source": source, GAP: kind, "seconds": round(seconds, 6), "note": note})

    def close(self) -> None:
        """Write no more, whoever still wants to."""
        with self._lock:
            file, self._file = self._file, None
            try:
                if file is not None:
                    file.close()
            except OSError as error:
                self.fault = error.strerror or type(error).__name__

    def _said(self, readings: Iterable[Reading]) -> dict[str, dict[str, object]]:
        values: dict[str, object] = {}
        notes: dict[str, object] = {}
        for one in readings:
            if one.value is not None and math.isfinite(one.value):
                values[one.field] = one.value
                self._reasons.pop((one.source, one.field), None)
            elif self._reasons.get((one.source, one.field)) != one.reason:
                notes[one.field] = self._reasons[one.source, one.field] = one.reason
        return {"values": values, **({"notes": notes} if notes else {})}

    def _write(self, line: dict[str, object]) -> None:
        if self._file is None or self.fault:
            return
        try:
            self._file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
            self._file.flush()
        except OSError as error:
            self.fault = error.strerror or type(error).__name__


def _times(at: tuple[int, int]) -> dict[str, object]:
    return {"t_mono_ns": at[0], "t_wall_ns": at[1]}


def to_parquet(lines: Path, parquet: Path) -> int:
    """Write samples.parquet, whole or not at all, from the lines; these are left alone.

    Returns:
        How many lines could not be read: a run that was killed leaves one.

    Raises:
        InputError: the lines cannot be read.
        OSError: the disk is full, or the folder not writable.
    """
    try:
        text = lines.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise unreadable(lines, error) from error
    rows: list[Row] = []
    broken = 0
    for line in text.split("\n"):
        try:
            rows += _rows(line) if line else ()
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            broken += 1
    write_atomically(parquet, _packed(rows))
    return broken


def _rows(line: str) -> list[Row]:
    if len(line) > LONGEST_LINE:
        raise ValueError("too long")
    found = json.loads(line)
    at = (int(found["t_mono_ns"]), int(found["t_wall_ns"]), str(found["source"]))
    if GAP in found:
        return [(*at, GAP, float(found["seconds"]), " ".join(f"{found[GAP]} {found['note']}".split()))]
    values: list[Row] = [(*at, name, float(value), None) for name, value in found["values"].items()]
    return values + [(*at, name, None, str(note)) for name, note in found.get("notes", {}).items()]


def _packed(rows: list[Row]) -> bytes:
    rows.sort(key=lambda row: (row[2], row[3], row[0]))
    columns = zip(*rows, strict=True) if rows else ([] for _ in COLUMNS)
    table = pa.table(dict(zip(COLUMNS.names, (list(column) for column in columns), strict=True)), schema=COLUMNS)
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", compression_level=9, use_dictionary=_NAMES, column_encoding=_TIMES)
    return file.getvalue()
