"""What all commands share: how a path is taken, how they end, and the one line for what stops them."""

from __future__ import annotations

import math
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from generator.errors import TRACEBACK, InputError

UNUSABLE: Final = 1
MISUSED: Final = 2
"""What click itself ends with."""
REACHED: Final = 3
NOT_COMPARABLE: Final = 4
INTERRUPTED: Final = 130
"""What shells report of a program that Ctrl-C ended."""
EXITS: Final[Mapping[int, str]] = {
    0: "All went well.",
    UNUSABLE: "Something could not be used, or failed: a line on stderr says what, where, and what to do about it.",
    MISUSED: "The command was typed wrongly.",
    REACHED: "A bar was reached that --fail-on sets.",
    NOT_COMPARABLE: "The two rounds cannot be compared, or nothing of them could be judged.",
    INTERRUPTED: "Ctrl-C, or a signal to end.",
}
"""What each exit code means, whatever the command."""
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
    complain(error)
    sys.exit(UNUSABLE)


def complain(error: InputError) -> None:
    """Say what is wrong, in one line; what is behind it only to whom the environment says is to see it."""
    click.echo(f"error: {error}", err=True)
    if os.environ.get(TRACEBACK) and error.__cause__ is not None:
        click.echo("".join(traceback.format_exception(error.__cause__)), err=True, nl=False)
