"""What a reader can take along from the pages of a round: the archive, the data, and how to cite them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.model import Round
from generator.render.archive.citing import CFF, Citation, citation_cff
from generator.render.archive.packing import archive
from generator.render.page import Location, ReportView, Site
from generator.render.wording.rounding import exact, written
from generator.text import Lang

KILOBYTE: Final = 1000
MEGABYTE: Final = 1_000_000
DISTRIBUTED: Final = ("report.json", "values.csv", "full.csv")
"""Computed files that are named as ways in which the data are to be had."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What there is beside the pages of a round: files by their names in its folder of data, and the sizes of all."""

    round: Round
    files: Mapping[str, str | bytes]
    sizes: Mapping[str, int]
    """File -> bytes, of the archive and of what was computed."""

    @property
    def archive(self) -> str | None:
        """Return the name of the archive; None where its author wants none."""
        name = archive_name(self.round)
        return name if name in self.files else None

    @property
    def cff(self) -> str | None:
        """Return the name of the file of the citation; None where nobody was declared whom it could name."""
        return CFF if CFF in self.files else None

    def size(self, name: str, lang: Lang) -> str:
        """Return the size of a file as a reader is told it."""
        return told_size(self.sizes[name], lang)

    def citation(self, site: Site, where: Location) -> Citation:
        """Return how a page of the round is cited."""
        return Citation(self.round, where.lang, _address(site, where))


def offered(site: Site, folder: Path, views: Mapping[Lang, ReportView], computed: Mapping[str, str]) -> Offered:
    """Make what can be taken along.

    Args:
        site: what all pages share.
        folder: the round's folder.
        views: its front report in each language.
        computed: the files of its data, by their names.

    Raises:
        InputError: a file of the round cannot be read.
    """
    round_ = views["en"].analysis.round
    places = {lang: Location(lang, f"rounds/{round_.id}/index.html") for lang in views}
    urls = {lang: url for lang, where in places.items() if (url := _address(site, where)) is not None}
    cff = citation_cff(round_, views["en"].description, urls.get("en"))
    made: dict[str, str | bytes | None] = {archive_name(round_): archive(folder, views, computed, urls, cff), CFF: cff}
    files = {name: content for name, content in made.items() if content is not None}
    known = {name: files.get(name, computed.get(name)) for name in (archive_name(round_), *DISTRIBUTED)}
    return Offered(round_, files, {name: _size(content) for name, content in known.items() if content is not None})


def archive_name(round_: Round) -> str:
    """Return the name of the archive of a round."""
    return f"{round_.id}.zip"


def told_size(size: int, lang: Lang) -> str:
    """Return a number of bytes as a reader is told it: in kB, from a million on in MB."""
    if size < MEGABYTE:
        return f"{written(exact(max(size, KILOBYTE) / KILOBYTE), 0, lang)}\u202fkB"
    return f"{written(exact(size / MEGABYTE), 1, lang)}\u202fMB"


def _address(site: Site, where: Location) -> str | None:
    return f"{site.base_url}/{where.in_language(where.lang)}" if site.base_url else None


def _size(content: str | bytes) -> int:
    return len(content.encode() if isinstance(content, str) else content)
