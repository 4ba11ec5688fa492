"""What a collector says while it works: plain lines, or a line that is rewritten where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

import click


@dataclass(slots=True)
class Progress:
    """Says what is done. ``quiet`` says nothing."""

    out: TextIO | None = None
    quiet: bool = False

    def say(self, line: str) -> None:
        """Say one line."""
        if not self.quiet:
            click.echo(line, file=self.out or sys.stdout)

    def counter(self, label: str, total: int) -> Callable[[int], None]:
        """Return what is told how many are done: it rewrites a line on a terminal, and is silent elsewhere."""
        out = self.out or sys.stdout
        if self.quiet or not out.isatty():
            return lambda _: None

        def show(done: int) -> None:
            click.echo(f"\r{label} {done}/{total}", file=out, nl=False)
            if done >= total:
                click.echo("\r\033[K", file=out, nl=False)

        return show
