"""Files that keep what was made, each under a key that says from what: packed, and whole or not there at all."""

from __future__ import annotations

import hashlib
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import pyarrow as pa

FORM: Final = "rounds site 2"
"""Begins each file; another number where its form is another."""
ENDING: Final = ".kept"
ENDINGS: Final = "|".join(map(re.escape, (ENDING, ".pages")))
"""Those of earlier forms too, which only take up room."""
OURS: Final = re.compile(rf"[0-9a-f]{{64}}(?:{ENDINGS})|\.[0-9a-f]{{64}}(?:{ENDINGS})\.[0-9]+\.partial")
MOST_KEPT: Final = 256 * 2**20
"""Bytes of all files; those that no build used for the longest time go first."""
LARGEST: Final = 512 * 2**20
"""Bytes of what one file holds, unpacked."""
CODEC: Final = pa.Codec("zstd", compression_level=1)
"""More costs more than it saves."""
PARTIAL_FOR: Final = 3600.0
"""Seconds after which a file that is still being written is of a build that was killed."""


def read(folder: Path, key: str) -> bytes | None:
    """Return what is kept under a key; None where there is nothing, or not what was written there under that key."""
    path = folder / (key + ENDING)
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
        size = int(head.rpartition(b" ")[2])
        if size > LARGEST or head != _head(key, packed, size):
            return None
        data: bytes = CODEC.decompress(packed, size, asbytes=True)
        os.utime(path)
    except (OSError, ValueError, MemoryError):
        return None
    return data if len(data) == size else None


def sealed(key: str, data: bytes) -> bytes:
    """Return the file that keeps something under a key: it takes a twentieth of the room."""
    packed: bytes = CODEC.compress(data, asbytes=True)
    return _head(key, packed, len(data)) + b"\n" + packed


def write(folder: Path, key: str, file: bytes) -> None:
    """Write such a file; whatever goes wrong leaves it out. A power cut may damage it, which ``read`` sees."""
    path = folder / (key + ENDING)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with suppress(OSError):
        try:
            partial.write_bytes(file)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def tidy(folder: Path) -> None:
    """Remove what is too much, and what killed builds left; what is not of this program is let be.

    Raises:
        OSError: the folder cannot be read, or a file in it not be removed.
    """
    ours = [(path.stat(), path) for path in folder.iterdir() if OURS.fullmatch(path.name)]
    total, now = 0, time.time()
    for found, path in sorted(ours, key=lambda one: -one[0].st_mtime_ns):
        total += found.st_size
        is_left = path.suffix == ".partial" and found.st_mtime < now - PARTIAL_FOR
        if total > MOST_KEPT or is_left:
            path.unlink(missing_ok=True)


def _head(key: str, packed: bytes, size: int) -> bytes:
    return f"{FORM} {key} {hashlib.sha256(packed).hexdigest()} {size}".encode()
