"""The lines of a text file of samples, one after the other: in any encoding that shells write, of bounded length."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from generator.store.files import open_file, unreadable

LONGEST: Final = 2**16
"""Characters of a line that count."""
GOES_ON: Final = "…"
"""Ends a line of which not all counts: no number is made of half its digits."""


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without their ends; what is no text is replaced.

    PowerShell writes UTF-16 where output is sent to a file.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with open_file(path) as raw:
            head = raw.read(4)
            raw.seek(0)
            with io.TextIOWrapper(raw, encoding=encoding_of(head), errors="replace") as text:
                yield from enumerate(_cut(text), start=1)
    except OSError as error:
        raise unreadable(path, error) from error


def encoding_of(head: bytes) -> str:
    """Return the encoding of a text by its first bytes."""
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


def _cut(text: io.TextIOWrapper) -> Iterator[str]:
    while line := text.readline(LONGEST):
        is_cut = len(line) == LONGEST and not line.endswith("\n")
        yield line + GOES_ON if is_cut else line.rstrip("\r\n\0")
        while is_cut and line and not line.endswith("\n"):
            line = text.readline(LONGEST)
