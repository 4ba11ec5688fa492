"""Whether the files of a model lie in memory before an engine starts: a second start reads no disk, unless they go.

Linux says so of a file's pages (mincore), but only to who may write the file or owns it; to others it says that all
of them are there, which is no answer. To drop the pages of a file takes no rights, but those that somebody has mapped
or not yet written stay: what was reached is looked at afterwards.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from generator.runs.starts import COLD, WARM

State = Literal["warm", "partly", "cold", "unknown"]

Asked = Literal["as_is", "dropped"]

WINDOW: Final = 2**30
"""Bytes of a file that are looked at in one go; a multiple of every page size."""
MOST_FILES: Final = 10_000

_LIBC: Final = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class PageCache:
    """How much of some files lay in memory.

    Attributes:
        state: warm from 95 %, cold up to 5 %, partly between; unknown with a reason.
        resident: share of the bytes, 0 to 1.
        size: bytes of the files.
        reason: why it is unknown.
        asked: whether the files were to be dropped before.
        before: the share that lay there before they were; None where that is not known, or nothing was dropped.
        not_dropped: why they were not.
    """

    state: State
    resident: float | None = None
    size: int | None = None
    reason: str | None = None
    asked: Asked = "as_is"
    before: float | None = None
    not_dropped: str | None = None


def page_cache_of(paths: Sequence[Path]) -> PageCache:
    """Look at files, and at those in folders; links are followed, as an engine does."""
    if not paths:
        return _unknown("no model file is named")
    if not hasattr(_LIBC, "mincore"):
        return _unknown("this system does not tell")
    try:
        files = list(_files(paths))
        sizes = [file.stat().st_size for file in files]
        if not all(map(_may_ask, files)):
            return _unknown("the system tells only the owner of the files")
        resident = sum(_resident(file, size) for file, size in zip(files, sizes, strict=True))
    except (OSError, ValueError) as error:
        return _unknown(f"the files cannot be looked at ({getattr(error, 'strerror', None) or 'they changed'})")
    return _of(resident, sum(sizes))


def dropped(paths: Sequence[Path]) -> PageCache:
    """Put files out of memory, as far as the system does it, and look at what is left of them there."""
    before = page_cache_of(paths)
    why = _drop(paths)
    return replace(page_cache_of(paths), asked="dropped", before=before.resident, not_dropped=why)


def _drop(paths: Sequence[Path]) -> str | None:
    """Tell the system that the pages of files are not needed; return why it was not told.

    Pages that are not written yet would stay: they are written first.
    """
    if not hasattr(os, "posix_fadvise"):
        return "this system knows no such advice"
    try:
        for file in _files(paths):
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError as error:
        return f"a file cannot be dropped ({error.strerror})"
    return None if paths else "no model file is named"


def _of(resident: int, size: int) -> PageCache:
    if not size:
        return _unknown("there are no model files")
    share = resident / size
    state: State = "warm" if share >= WARM else "cold" if share <= COLD else "partly"
    return PageCache(state, share, size)


def _unknown(reason: str) -> PageCache:
    return PageCache("unknown", reason=reason)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(path.rglob("*"))[:MOST_FILES] if path.is_dir() else [path]
        yield from (file for file in inside if path == file or file.is_file())


def _may_ask(file: Path) -> bool:
    return file.stat().st_uid == os.geteuid() or os.access(file, os.W_OK)


def _resident(file: Path, size: int) -> int:
    """Return how many bytes of a file lie in memory."""
    with file.open("rb") as opened:
        windows = ((start, min(WINDOW, size - start)) for start in range(0, size, WINDOW))
        return sum(_resident_in(opened.fileno(), start, length) for start, length in windows)


def _resident_in(file: int, start: int, length: int) -> int:
    pages = np.zeros(-(-length // mmap.PAGESIZE), dtype=np.uint8)
    with mmap.mmap(file, length, prot=mmap.PROT_READ, offset=start) as mapped:
        view = np.frombuffer(mapped, dtype=np.uint8)
        address = view.ctypes.data
        failed = _LIBC.mincore(ctypes.c_void_p(address), ctypes.c_size_t(length), ctypes.c_void_p(pages.ctypes.data))
        number = ctypes.get_errno()
        del view  # the map cannot be closed while it is looked at
    if failed:
        raise OSError(number, os.strerror(number))
    return min(int((pages & 1).sum()) * mmap.PAGESIZE, length)
