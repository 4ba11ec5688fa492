"""What is said to a user whose input cannot be used: one line, and what to do about it."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from generator.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_QUOTE: Final = 60
"""Characters of hostile or broken input that an error line repeats."""
LONGEST_READ: Final = 4096
"""Characters of it in which secrets are looked for, before it is cut."""
TRACEBACK: Final = "ROUNDS_TRACEBACK"
"""A variable of the environment; where it is set, what is behind an error line is printed below it."""
PACKAGE: Final = Path(__file__).parent


@dataclass(eq=False)  # not frozen: contextlib, and so click, sets __traceback__ on what passes through
class InputError(Exception):
    """Input that cannot be used.

    Attributes:
        file: the file, as a path that the user can open.
        place: where in the file (``line 3, column itl_p50_ms``); empty for the whole file.
        problem: what was found and what was expected.
        remedy: what to do about it.
    """

    file: str
    place: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        """Return the one line."""
        where = f"{self.file}, {self.place}" if self.place else self.file
        return " ".join(f"{where}: {self.problem}; {self.remedy}".split())


def fault(file: str, error: Exception) -> InputError:
    """Return what to say where the program itself fails over an input: nothing of what the error tells of it."""
    kind, where = type(error).__name__, _where(error)
    problem = f"a fault of this program, not of the input, stopped it ({kind}{where})"
    told = InputError(
        file, "", problem, f"run it again with {TRACEBACK}=1 in the environment, and report what that prints"
    )
    told.__cause__ = error
    return told


def _where(error: Exception) -> str:
    """Return the last line of this program that led to an error, as ``generator/`` has it."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    ours = ((Path(one.filename), one.lineno) for one in frames if Path(one.filename).is_relative_to(PACKAGE))
    return next((f" in {path.relative_to(PACKAGE.parent).as_posix()}, line {line}" for path, line in ours), "")


def quote(raw: object) -> str:
    """Return input made safe to repeat in one line: secrets struck out, control characters escaped, long text cut."""
    text = redact((ascii(raw) if isinstance(raw, bytes) else str(raw))[:LONGEST_READ])
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return f"'{shown[:LONGEST_QUOTE]}…'" if len(shown) > LONGEST_QUOTE else f"'{shown}'"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return advice that names the known word closest to a misspelt one."""
    names = sorted(known)
    word = word.replace("median", "p50")
    close = get_close_matches(word, names, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else f"known here: {', '.join(names)}"
