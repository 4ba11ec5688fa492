"""What the commands for a single round share: it is read and analysed, and what is found is printed as JSON."""

from __future__ import annotations

import codecs
import json
import sys
from pathlib import Path

import click

from generator.catalogue import Catalogue, load
from generator.errors import InputError
from generator.frame import Analysis
from generator.terminal import fail


def analysis_of(round_dir: Path, *, resealing: bool = False) -> tuple[Catalogue, Analysis]:
    """Return what can be declared, and a round under it; one that cannot be read ends the program in one line."""
    catalogue = load()
    try:
        return catalogue, catalogue.analyse(catalogue.read(round_dir, resealing=resealing))
    except InputError as error:
        fail(error)


def print_json(thing: object) -> None:
    """Print a thing as JSON, in characters that the output takes."""
    click.echo(json.dumps(thing, ensure_ascii=not _takes_unicode(), allow_nan=False, indent=1))


def _takes_unicode() -> bool:
    """Say whether the output takes every character: a backslash escape would not be JSON."""
    return codecs.lookup(getattr(sys.stdout, "encoding", None) or "ascii").name.startswith("utf")
