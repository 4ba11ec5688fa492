"""One page of each kind that a site has, found by its address: a new kind is looked at without being listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from generator.text import LANGS

HEAVY: Final = 600_000
"""Bytes above which a page of its kind is looked at only where there is no lighter one."""
SETTINGS: Final = ((1280, "light"), (1280, "dark"), (360, "light"), (360, "dark"))
"""Widths and schemes; each one's opposite in both stands as far from the other end."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A page as somebody has it before them."""

    path: str
    width: int = 1280
    scheme: str = "light"

    def __str__(self) -> str:
        return f"{self.path} at {self.width} px, {self.scheme}"


def kind_of(path: str) -> str:
    """Return what a page's address has in common with those of its kind: the name of a round or pair is left out."""
    parts = PurePosixPath(path).parts
    return "/".join(part if at in (0, len(parts) - 1) else "*" for at, part in enumerate(parts))


def examples(site: Path) -> dict[str, str]:
    """Return a page of each kind below the folder of a language: the richest that is not heavy, else the lightest."""
    english = site / LANGS[-1]
    sizes: dict[str, dict[str, int]] = defaultdict(dict)
    for page in sorted(english.rglob("*.html")):
        path = page.relative_to(english).as_posix()
        sizes[kind_of(path)][path] = page.stat().st_size
    return {kind: _example(of_kind) for kind, of_kind in sizes.items()}


def _example(sizes: Mapping[str, int]) -> str:
    light = {path: size for path, size in sizes.items() if size <= HEAVY}
    return max(light, key=light.__getitem__) if light else min(sizes, key=sizes.__getitem__)


def in_each_language(paths: Iterable[str]) -> list[str]:
    """Return the addresses below the site's folder."""
    return [f"{lang}/{path}" for path in paths for lang in LANGS]


def at_the_root(site: Path) -> list[str]:
    """Return the pages that belong to no language."""
    return sorted(path.name for path in site.glob("*.html"))


def all_kinds(site: Path) -> list[str]:
    """Return a page of each kind, in each language where there is more than one."""
    return [*at_the_root(site), *in_each_language(examples(site).values())]


def stays(page: Path) -> bool:
    """Tell whether a page is there to be read: one that leads to another by itself is gone before it is looked at."""
    return 'http-equiv="refresh"' not in page.read_text(encoding="utf-8")


def visits(site: Path) -> list[Visit]:
    """Return each kind of page twice, in one language each, and the second time in the other width and scheme.

    So every kind is seen in both languages, widths and schemes, and over the kinds every language in every setting:
    each pair of values occurs, with a quarter of the visits that all combinations would take.
    """
    pairs = [(path, path) for path in at_the_root(site) if stays(site / path)]
    pairs += [(f"{LANGS[0]}/{path}", f"{LANGS[-1]}/{path}") for path in examples(site).values()]
    return [
        Visit(path, *setting)
        for at, pair in enumerate(pairs)
        for path, setting in zip(pair, (SETTINGS[at % 4], SETTINGS[3 - at % 4]), strict=True)
    ]
