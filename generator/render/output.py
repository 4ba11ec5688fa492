"""Writing the site whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from generator.errors import InputError

MARKER: Final = ".rounds-site"
"""A file that says that this program wrote the folder, and may therefore replace it."""


def write_site(out: Path, files: Mapping[str, str | bytes], copies: Mapping[str, Path]) -> None:
    """Replace a folder by the given files (by their path in it) and copies of files, in one move.

    Raises:
        InputError: the folder holds something else, or cannot be written.
    """
    out = Path(os.path.abspath(out))  # noqa: PTH100  # "." gets a name; unlike resolve(), links stay links
    building = out.with_name(f".{out.name}.building")
    try:
        _refuse_foreign(out)
        _remove(building)
        _write_all(building, {**files, MARKER: ""}, copies)
        _exchange(building, out)
    except OSError as error:
        shutil.rmtree(building, ignore_errors=True)
        raise InputError(
            str(out), "", f"the site cannot be written ({error.strerror})", "choose another folder with --out"
        ) from error


def _refuse_foreign(out: Path) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise InputError(str(out), "", "this is not a folder", "choose another folder with --out")
    if out.is_dir() and any(out.iterdir()) and not (out / MARKER).exists():
        raise InputError(
            str(out), "", "the folder holds files that this program did not write", "choose another folder with --out"
        )


def _exchange(new: Path, out: Path) -> None:
    """Put a folder in the place of another, which comes back where that fails."""
    old = out.with_name(f".{out.name}.old")
    _remove(old)
    if out.exists():
        out.rename(old)
    try:
        new.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    _remove(old)


def _write_all(folder: Path, files: Mapping[str, str | bytes], copies: Mapping[str, Path]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    for name, source in copies.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
