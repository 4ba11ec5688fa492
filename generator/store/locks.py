"""Locks between processes: a file beside what is written, held while it is."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    """Hold a lock file for a while; wait for a process that holds it. The file is gone afterwards.

    Raises:
        OSError: the file cannot be made or locked.
    """
    handle = _take(lock)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(handle)


def _take(lock: Path) -> int:
    """Return the handle of the lock, once it is ours and still the file of that name.

    The process that was waited for has removed the file: a lock on what has no name keeps nobody out.
    """
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_file_of(lock, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _is_file_of(lock: Path, handle: int) -> bool:
    try:
        return os.path.samestat(lock.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False
