"""A bar on the terminal while a large file is read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import click

from generator.store.files import printable

WORTH_A_BAR: Final = 8 * 2**20
"""Bytes of a file that takes a second to read."""


class Bar:
    """A bar a file on stderr, where somebody watches and the file is large enough to wait for."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def show(self, file: Path, read: int) -> None:
        """Show that some more bytes of a file have been read."""
        if file != self._file:
            self._close()
            self._file, size = file, file.stat().st_size
            if size >= WORTH_A_BAR and sys.stderr.isatty():
                self._bar = click.progressbar(length=size, label=printable(file.name), file=sys.stderr)
        if self._bar is not None:
            self._bar.update(read)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.render_finish()
        self._bar = None
