"""Ways to break a round that ``write_round`` made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.support.rounds import ALPHA_CSV, ROUND_TOML

Spoil = Callable[[Path], object]
"""Takes the folder of a round made by ``write_round`` and breaks something in it."""


def edit(file: str, old: str, new: str) -> Spoil:
    def spoil(folder: Path) -> None:
        text = (folder / file).read_bytes().decode()
        if old not in text:
            raise ValueError(f"{file} has no {old!r}")
        (folder / file).write_bytes(text.replace(old, new, 1).encode())

    return spoil


def write(file: str, content: str | bytes) -> Spoil:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / file).write_bytes(data)


def append(file: str, text: str) -> Spoil:
    return lambda folder: (folder / file).write_bytes((folder / file).read_bytes() + text.encode())


def remove(name: str) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return spoil


def swap(file: str, make: Callable[[Path], object]) -> Spoil:
    """Put something else in the place of a file."""

    def spoil(folder: Path) -> None:
        (folder / file).unlink()
        make(folder / file)

    return spoil


def grow(path: Path) -> None:
    """Make a file of 200 MB that takes no room on the disk."""
    path.touch()
    os.truncate(path, 200_000_000)


def grow_beyond_data(path: Path) -> None:
    """Make a file larger than any data, that takes no room on the disk."""
    path.touch()
    os.truncate(path, 2**40)


def link_out(path: Path) -> None:
    outside = path.parents[2] / ".outside.csv"
    outside.write_text(ALPHA_CSV, encoding="utf-8")
    path.symlink_to(outside)


def link_folder_out(folder: Path) -> None:
    outside = folder.parent / ".outside"
    shutil.move(folder / "alpha", outside)
    (folder / "alpha").symlink_to(outside)


def link_prose_out(folder: Path) -> None:
    outside = folder.parent / ".texts"
    outside.mkdir()
    (outside / "secret name").touch()
    (folder / "prose").symlink_to(outside)


def single_brackets(folder: Path) -> None:
    before, *_ = ROUND_TOML.partition("[[series]]")
    (folder / "round.toml").write_text(f'{before}[series]\nid = "alpha"\n', encoding="utf-8")
