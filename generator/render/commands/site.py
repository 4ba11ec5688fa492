"""``rounds site`` as a command: parse, call, print."""

from __future__ import annotations

import atexit
import gc
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import IPv6Address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from generator.errors import InputError, quote
from generator.render.kept.keeping import keeper_of_user
from generator.render.site import build_site
from generator.store.files import shown
from generator.terminal import FOLDER, UNUSABLE, complain, fail
from generator.text import Lang, counted

LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
"""A part of the name of a host."""
ADDRESS: Final = re.compile(
    rf"https?://(?=[^/]{{1,253}}(?:/|\Z))(?:(?:{LABEL}\.)*{LABEL}|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?(?:/[A-Za-z0-9._~/\-]*)?"
)
"""A base URL: nothing that would need escaping."""
LONGEST: Final = 1000
"""Characters of a base URL: sitemaps take addresses of pages of fewer than 2048."""
OBJECTIONS: Final = (
    (re.compile(r"(?!https?://)"), "does not begin with https:// or http://"),
    (re.compile(r"https?://[^/?#]*@"), "names a user"),
    (re.compile(r"[^?#]*\?"), "has a query behind a question mark"),
    (re.compile(r"[^#]*#"), "has a fragment behind a hash"),
    (re.compile(r"https?://[^/]+(?:/.*)?/\.\.?(?:/|$)"), "has . or .. in its path"),
    (re.compile(rf".{{{LONGEST + 1}}}"), f"is longer than {LONGEST} characters"),
    (re.compile(rf"(?!{ADDRESS.pattern}\Z)"), "is no address"),
)
"""What is wrong with a base URL, the plainest first. What it is of a user, or of a query, is not repeated."""

MADE_BETWEEN: Final = 1_000_000
"""Objects that are made before those that are there are looked through for what nobody holds any more."""


NO_FONT: Final[Mapping[Lang, str]] = {
    "zh": "no font here has Chinese characters, so links to Chinese pages get no picture; install one (Noto Sans CJK)",
    "en": "no font was found here, so links to English pages get no picture; install one (Noto Sans, DejaVu)",
}


def objection_to(base_url: str) -> str | None:
    """Return what is wrong with an address for a site; None where it is one."""
    odd = None if _has_host_and_port(base_url) else "is no address"
    found = next((problem for pattern, problem in OBJECTIONS if pattern.match(base_url)), odd)
    if found is None:
        return None
    hides = "@" in base_url or "?" in base_url
    return f"the address {found}" if hides else f"{quote(base_url)} {found}"


def _has_host_and_port(base_url: str) -> bool:
    """Say whether the number of the port, and that of a host that has one in brackets, are such numbers."""
    try:
        found = urlsplit(base_url)
        host = found.hostname or ""
        return found.port != 0 and (":" in host or "[" not in base_url) and (":" not in host or bool(IPv6Address(host)))
    except ValueError:
        return False


@contextmanager
def seldom_looked_through() -> Iterator[None]:
    """Look for garbage less often: a build holds nearly all that it makes, and the search took a tenth of its time.

    What is left goes with the process: nothing of it is looked through behind the build either.
    """
    usual = gc.get_threshold()
    gc.set_threshold(MADE_BETWEEN, *usual[1:])
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*usual)
        gc.unfreeze()
        atexit.register(gc.freeze)


@click.command(epilog=f"Exit code {UNUSABLE}: a round, comparison or page is left out; the rest is built all the same.")
@click.option("--runs", type=FOLDER, default=Path("runs"), show_default=True, help="Where the rounds are.")
@click.option("--out", type=FOLDER, default=Path("site"), show_default=True, help="Where the site goes.")
@click.option(
    "--base-url",
    help="Where the site will be published, as https://example.org/bench; adds feeds, a sitemap and previews.",
)
@click.option("--fresh", is_flag=True, help="Make every page anew, also of rounds that did not change.")
def site(runs: Path, out: Path, base_url: str | None, *, fresh: bool) -> None:
    """Build the site from every round in a folder."""
    if base_url is not None and (problem := objection_to(base_url)) is not None:
        fail(InputError("--base-url", "", problem, "write it as https://example.org/bench"))
    try:
        with seldom_looked_through():
            built = build_site(runs, out, base_url, None if fresh else keeper_of_user())
    except InputError as error:
        fail(error)
    for _, why in built.unreadable:
        complain(why)
    for lang in built.without_pictures:
        click.echo(f"note: {NO_FONT[lang]}", err=True)
    if built.left:
        click.echo(f"note: {shown(built.left[0])} is left of a build and could not be removed; remove it", err=True)
    left_out = f", {len(built.unreadable)} left out" if built.unreadable else ""
    told = "{n} {n:round|rounds} built{left_out}; open {page}"
    click.echo(counted(told, n=len(built.rounds), left_out=left_out, page=out / "index.html"))
    sys.exit(UNUSABLE if built.unreadable else 0)
