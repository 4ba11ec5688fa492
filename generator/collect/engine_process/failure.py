"""What is said when an engine cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generator.collect.engine_process.log_format import last_lines
from generator.errors import InputError, quote

if TYPE_CHECKING:
    from pathlib import Path

MOST_LINES: Final = 20
QUOTED: Final = 3
"""Last lines of a log that the one line of an error repeats."""


@dataclass(eq=False)  # as InputError: an exception that contextlib sets fields of
class EngineError(InputError):
    """An engine that cannot be used; ``last_lines`` are its last words, for a reader who wants more of them."""

    last_lines: tuple[str, ...] = ()


def engine_error(log: Path, problem: str, remedy: str) -> EngineError:
    """Return an error that tells where the log is, and what stands last in it."""
    lines = last_lines(log, MOST_LINES)
    said = ", ".join(quote(line) for line in lines[-QUOTED:])
    words = f"; its last words: {said}" if said else "; it printed nothing"
    return EngineError(log.name, "", problem + words, remedy, lines)


def ended_early(log: Path, code: int) -> EngineError:
    """Return what to say of an engine that ended before it was told to."""
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return engine_error(log, f"the engine {how}", f"see {log.name} and the arguments of the series")
