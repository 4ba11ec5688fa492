"""What a collector says while it works: plain lines, and on a terminal a bar below them.

The bar is drawn between runs alone: a thread that redraws it would take the interpreter from a client that is timing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TextIO

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

COLUMNS: Final = (
    BarColumn(),
    MofNCompleteColumn(),
    TimeElapsedColumn(),
    TextColumn("{task.description}", markup=False),
)


@dataclass(slots=True)
class Progress:
    """Says what is done. ``quiet`` says nothing."""

    out: TextIO | None = None
    quiet: bool = False
    _bar: _Bar | None = field(default=None, init=False, repr=False)

    def say(self, line: str) -> None:
        """Say one line; above the bar, where there is one."""
        if self._bar is not None:
            self._bar.say(line)
        elif not self.quiet:
            click.echo(line, file=self.out or sys.stdout)

    @contextmanager
    def runs(self, count: int) -> Iterator[None]:
        """Show how many of so many runs are done for the time of a block, where a terminal can show it."""
        console = Console(file=self.out or sys.stdout)
        if self.quiet or not count or not console.is_terminal or console.is_dumb_terminal:
            yield
            return
        with Bars(*COLUMNS, console=console, auto_refresh=False, transient=True) as bars:
            self._bar = _Bar(bars, bars.add_task("", total=count))
            try:
                yield
            finally:
                self._bar = None

    def begin(self, name: str) -> None:
        """Note which run is under way."""
        if self._bar is not None:
            self._bar.update(name, 0)

    def end(self) -> None:
        """Note that it is done."""
        if self._bar is not None:
            self._bar.update("", 1)


@dataclass(frozen=True, slots=True)
class _Bar:
    bars: Bars
    task: TaskID

    def say(self, line: str) -> None:
        self.bars.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def update(self, name: str, done: int) -> None:
        self.bars.update(self.task, description=name, advance=done, refresh=True)
