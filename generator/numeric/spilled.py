"""Columns too long for memory: they lie in files that have no name, and are gone through piece by piece.

Up to ``MOST_HELD`` bytes a column is an ordinary array. A longer one is mapped from a file in the folder for temporary
files: it reads the same, its pages are the file's and no memory of the process, and ``let_go`` gives them back. The
file is gone with the array, whatever becomes of the program.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final, Literal, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from generator.errors import InputError

Any1d = NDArray[Any]
Side = Literal["left", "right"]
Column = TypeVar("Column", bound=Any1d)

SIDES: Final[tuple[Side, Side]] = ("left", "right")

MOST_HELD: Final = 2**24
"""Bytes of the longest column that is kept in memory."""
PIECE: Final = 2**19
"""Numbers that are gone through at a time."""
FOLIO: Final = 2**22
"""Bytes that a system may map around one that is asked for: so many are let go at a time."""
FEW: Final = 4
"""Rows that are looked up at a time: each look takes the pages that it passes."""
STEP: Final = 64
"""One number in so many tells how numbers are spread that are to be put in order."""
LARGE_FILES: Final = Path("/var/tmp")  # noqa: S108 - no name is ever taken in it
"""Where a system has room for large files; its other folder for temporary files often is memory itself."""


def column(length: int, kind: DTypeLike) -> Any1d:
    """Return a column whose numbers are still to be written.

    Raises:
        InputError: it does not fit into memory, and the disk has no room for it either.
    """
    dtype = np.dtype(kind)
    if length * dtype.itemsize <= MOST_HELD:
        return np.empty(length, dtype)
    with _new_file() as file:
        _reserve(file, length * dtype.itemsize)
        return np.frombuffer(mmap.mmap(file.fileno(), length * dtype.itemsize), dtype)


def held(numbers: Column) -> Column:
    """Return the same numbers where they cost no memory, as far as they are many."""
    if numbers.nbytes <= MOST_HELD or _mapping(numbers) is not None:
        return numbers
    kept = column(len(numbers), numbers.dtype)
    for begin in range(0, len(numbers), PIECE):
        _put(kept, begin, numbers[begin : begin + PIECE])
    return kept  # type: ignore[return-value] # of the same dtype


def pieces(numbers: Column) -> Iterator[Column]:
    """Yield a column piece by piece, each of which is let go when the next one is asked for."""
    for begin in range(0, len(numbers), PIECE):
        piece: Column = numbers[begin : begin + PIECE]  # type: ignore[assignment] # of the same dtype
        yield piece
        let_go(piece)


def filled(most: int, kind: DTypeLike, found: Iterable[Any1d]) -> Any1d:
    """Return one column of many pieces.

    Args:
        most: how many numbers there may be.
        kind: of what dtype they are to be.
        found: the pieces.
    """
    made, end = column(most, kind), 0
    for piece in found:
        end += _put(made, end, piece)
    return made[:end]


def at(numbers: Column, rows: NDArray[np.int64]) -> Column:
    """Return the numbers of some rows."""
    found: list[Any1d] = []
    for begin in range(0, len(rows), FEW):
        found.append(numbers[rows[begin : begin + FEW]])
        let_go(numbers)
    return np.concatenate([numbers[:0], *found])  # type: ignore[return-value] # of the same dtype


def places(numbers: Any1d, values: Any1d, side: Side) -> NDArray[np.int64]:
    """Return where values belong in a column that is in rising order, as ``np.searchsorted`` does."""
    found: list[Any1d] = []
    step = FEW if numbers.nbytes > MOST_HELD else max(len(values), 1)
    for begin in range(0, len(values), step):
        found.append(np.searchsorted(numbers, values[begin : begin + step], side=side))
        let_go(numbers)
    return np.concatenate([np.empty(0, np.int64), *found])


def total(numbers: NDArray[np.float64]) -> float:
    """Return the sum, added up pair by pair as numpy does it, to the same bits."""
    if len(numbers) <= PIECE:
        added = float(numbers.sum())
        let_go(numbers)
        return added
    half = len(numbers) // 2
    half -= half % 8
    return total(numbers[:half]) + total(numbers[half:])


def ordered(most: int, kind: DTypeLike, found: Iterable[Any1d]) -> Any1d:
    """Return the numbers of all pieces in rising order, of which a few pieces at most are in memory at a time.

    Each piece is sorted for itself. Numbers taken evenly from all of them cut the sorted pieces where they are alike,
    and what lies between two cuts is merged.

    Args:
        most: how many numbers there may be; none of them is NaN.
        kind: of what dtype they are.
        found: the pieces.
    """
    if most * np.dtype(kind).itemsize <= MOST_HELD:
        return np.sort(np.concatenate([np.empty(0, kind), *found]))
    laid, ends, seen = column(most, kind), [0], []
    for piece in found:
        run = np.sort(piece)
        ends.append(ends[-1] + _put(laid, ends[-1], run))
        seen.append(run[STEP // 2 :: STEP].copy())
    runs = [laid[begin:end] for begin, end in pairwise(ends)]
    return filled(ends[-1], kind, _merged(runs, _cuts(np.sort(np.concatenate([np.empty(0, kind), *seen])))))


def _cuts(seen: Any1d) -> Any1d:
    """Return numbers between which there are about as many as in a piece."""
    return np.unique(seen[PIECE // STEP :: PIECE // STEP])


def _merged(runs: list[Any1d], cuts: Any1d) -> Iterator[Any1d]:
    """Yield the numbers of sorted runs in rising order: those below a cut, those that equal it, and so on.

    The latter need no sorting, and may be most of all.
    """
    below, upto = (np.array([places(run, cuts, side) for run in runs]).reshape(len(runs), -1) for side in SIDES)
    begins = np.zeros(len(runs), np.int64)
    for nth, cut in enumerate(cuts):
        yield _between(runs, begins, below[:, nth])
        yield from _repeated(cut, int((upto[:, nth] - below[:, nth]).sum()))
        begins = upto[:, nth]
    yield _between(runs, begins, np.array([len(run) for run in runs], np.int64))


def _between(runs: list[Any1d], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> Any1d:
    parts: list[Any1d] = []
    for run, begin, end in zip(runs, begins, ends, strict=True):
        if end > begin:
            parts.append(run[begin:end].copy())
            let_go(run[begin:end])
    return np.sort(np.concatenate(parts)) if parts else np.empty(0)


def _repeated(number: Any, times: int) -> Iterator[Any1d]:  # noqa: ANN401 - a number of any dtype
    for begin in range(0, times, PIECE):
        yield np.full(min(PIECE, times - begin), number)


def _put(kept: Any1d, begin: int, piece: Any1d) -> int:
    """Write a piece to its place; return how many numbers it has."""
    kept[begin : begin + len(piece)] = piece
    let_go(kept[begin : begin + len(piece)])
    return len(piece)


class Pile:
    """Numbers that come one after another, and are written to a file whenever a piece of them is together."""

    def __init__(self, code: str) -> None:
        """Begin without a number; ``code`` is that of ``array``."""
        self._code = code
        self._held: array[Any] = array(code)
        self._file: IO[bytes] | None = None
        self._written = 0

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return self._written + len(self._held)

    def extend(self, numbers: Iterable[float]) -> None:
        """Add numbers.

        Raises:
            InputError: the disk has no room for them.
        """
        self._held.extend(numbers)
        if len(self._held) * self._held.itemsize > MOST_HELD:
            self._write()

    def column(self) -> Any1d:
        """Return all numbers; none can be added from then on."""
        if self._file is None:
            return np.frombuffer(self._held, self._held.typecode)
        self._write()
        with self._file as file:
            return np.frombuffer(mmap.mmap(file.fileno(), 0), self._code)

    def _write(self) -> None:
        self._file = self._file or _new_file()
        try:
            self._held.tofile(self._file)
            self._file.flush()
        except OSError as error:
            raise _no_room(self._written * self._held.itemsize) from error
        self._written += len(self._held)
        self._held = array(self._code)


def let_go(numbers: Any1d) -> None:
    """Give back the memory that a mapped column, or a piece of one, takes: it is read anew where it is asked for."""
    mapping = _mapping(numbers)
    if mapping is None or not hasattr(mmap, "MADV_DONTNEED") or not len(numbers):
        return
    first = np.frombuffer(mapping, np.uint8).ctypes.data
    begin = (numbers.ctypes.data - first) // FOLIO * FOLIO
    end = -(-(numbers.ctypes.data - first + numbers.nbytes) // FOLIO) * FOLIO
    mapping.madvise(mmap.MADV_DONTNEED, begin, min(end, len(mapping)) - begin)


def _mapping(numbers: Any1d) -> mmap.mmap | None:
    """Return the mapping that an array lies in; None where it lies in memory."""
    found: Any = numbers
    while isinstance(found, np.ndarray):
        found = found.base
    found = found.obj if isinstance(found, memoryview) else found
    return found if isinstance(found, mmap.mmap) else None


def _new_file() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile(dir=_folder())
    except OSError as error:
        raise _no_room(0) from error


def _folder() -> Path | None:
    """Return where large files go: to TMPDIR where it is set; None for what the system has."""
    chosen = any(os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    return None if chosen or not os.access(LARGE_FILES, os.W_OK) else LARGE_FILES


def _reserve(file: IO[bytes], size: int) -> None:
    """Take the room on the disk at once: written through a mapping, a full disk would end the program."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)
    except OSError as error:
        raise _no_room(size) from error


def _no_room(size: int) -> InputError:
    problem = f"has no room for a column of {size / 2**20:.0f} MiB"
    return InputError("the folder for temporary files", "", problem, "make room, or name another one in TMPDIR")
