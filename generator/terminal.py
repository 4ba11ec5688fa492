"""What all commands share: how a path is taken, how they end, and the one line for what stops them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NoReturn

import click

from generator.errors import InputError

INTERRUPTED: Final = 130
"""What shells report of a program that Ctrl-C ended."""
FOLDER: Final = click.Path(path_type=Path, readable=False)
"""A path that click does not judge: what is wrong with it is said in one line, as of any other input."""


def fail(error: InputError) -> NoReturn:
    """Say what is wrong, and end the program."""
    click.echo(f"error: {error}", err=True)
    sys.exit(1)
