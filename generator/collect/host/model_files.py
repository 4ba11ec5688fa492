"""The files of a model for the fingerprint: names, sizes, hashes. Of a path only the last name is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Final

CHUNK: Final = 1 << 20
WHOLE_UP_TO: Final = 256 * 2**20
"""Bytes up to which a file is hashed whole unless more is asked for: a second or so."""

MOST_FILES: Final = 512
SUFFIXES: Final = frozenset({".gguf", ".safetensors", ".bin", ".pt", ".json", ".jinja", ".model", ".txt"})

Facts = dict[str, object]


def model_facts(paths: Sequence[Path], whole_up_to: int = WHOLE_UP_TO) -> list[Facts]:
    """Return what is known of each file of a model.

    Args:
        paths: files, and folders of which those files are taken that belong to a model.
        whole_up_to: bytes up to which a file is read whole; of a larger one the first and the last MiB are hashed,
            with its size between them, and ``hashed`` says "ends".
    """
    return [_of_file(path, whole_up_to) for path in _files(paths)]


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        try:
            inside = sorted(one for one in path.iterdir() if one.suffix in SUFFIXES) if path.is_dir() else [path]
        except OSError:
            inside = [path]
        found += inside
    return found[:MOST_FILES]


def _of_file(path: Path, whole_up_to: int) -> Facts:
    facts: Facts = {"name": path.name, "bytes": None, "sha256": None, "hashed": None}
    try:
        if not path.is_file():
            return facts | {"unknown": "not a file" if path.exists() else "there is no such file"}
        size = path.stat().st_size
        whole = size <= max(whole_up_to, 2 * CHUNK)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest() if whole else _ends(file, size)
    except OSError as error:
        return facts | {"unknown": error.strerror or type(error).__name__}
    return facts | {"bytes": size, "sha256": digest, "hashed": "whole" if whole else "ends"}


def _ends(file: IO[bytes], size: int) -> str:
    digest = hashlib.sha256(file.read(CHUNK))
    digest.update(str(size).encode())
    file.seek(size - CHUNK)
    digest.update(file.read(CHUNK))
    return digest.hexdigest()
