"""What all commands share: how a path is taken, how they end, and the one line for what stops them."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from generator.errors import InputError

INTERRUPTED: Final = 130
"""What shells report of a program that Ctrl-C ended."""
FOLDER: Final = click.Path(path_type=Path, readable=False)
"""A path that click does not judge: what is wrong with it is said in one line, as of any other input."""


class Amount(click.FloatRange):
    """A finite number within limits: click takes NaN for one within any, and infinity where there is no limit."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401  # as click has it
        """Return the number; ends the program where it is none."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{found} is not a finite number.", param, ctx)
        return found


def fail(error: InputError) -> NoReturn:
    """Say what is wrong, and end the program."""
    click.echo(f"error: {error}", err=True)
    sys.exit(1)
