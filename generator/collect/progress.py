"""What a collector says while it works: plain lines."""

from __future__ import annotations

import sys
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
