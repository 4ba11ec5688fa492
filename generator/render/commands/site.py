"""``rounds site`` as a command: parse, call, print."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from generator.errors import InputError, quote
from generator.render.kept.keeping import keeper_of_user
from generator.render.site import build_site
from generator.store.files import shown
from generator.terminal import FOLDER, UNUSABLE, fail

ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.\-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~/\-]*)?")
"""A base URL: no user, no query, nothing that would need escaping."""

MADE_BETWEEN: Final = 100_000
"""Objects that are made before those that are there are looked through for what nobody holds any more."""


@contextmanager
def seldom_looked_through() -> Iterator[None]:
    """Look for garbage less often: a build holds nearly all that it makes, and the search took a tenth of its time."""
    usual = gc.get_threshold()
    gc.set_threshold(MADE_BETWEEN, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@click.command(epilog=f"Exit code {UNUSABLE}: a round could not be read; the others are built all the same.")
@click.option("--runs", type=FOLDER, default=Path("runs"), show_default=True, help="Where the rounds are.")
@click.option("--out", type=FOLDER, default=Path("site"), show_default=True, help="Where the site goes.")
@click.option("--base-url", help="Where the site will be published; adds canonical and hreflang links.")
@click.option("--fresh", is_flag=True, help="Make every page anew, also of rounds that did not change.")
def site(runs: Path, out: Path, base_url: str | None, *, fresh: bool) -> None:
    """Build the site from every round in a folder."""
    if base_url is not None and not ADDRESS.fullmatch(base_url):
        fail(InputError("--base-url", "", f"{quote(base_url)} is no address", "write it as https://example.org/bench"))
    try:
        with seldom_looked_through():
            built = build_site(runs, out, base_url, None if fresh else keeper_of_user())
    except InputError as error:
        fail(error)
    for _, why in built.unreadable:
        click.echo(f"error: {why}", err=True)
    if built.left:
        click.echo(f"note: {shown(built.left[0])} is left of a build and could not be removed; remove it", err=True)
    left_out = f", {len(built.unreadable)} left out" if built.unreadable else ""
    click.echo(f"{len(built.rounds)} round(s) built{left_out}; open {out / 'index.html'}")
    sys.exit(UNUSABLE if built.unreadable else 0)
