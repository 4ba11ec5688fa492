"""The archive of a round: one zip, the same bytes whenever it is made of the same files."""

from __future__ import annotations

import io
import os
import shutil
import stat
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from generator.errors import InputError
from generator.render.archive.choosing import PACKED, Candidate, candidates
from generator.render.archive.citing import CFF
from generator.render.archive.readme import readme
from generator.render.archive.round_toml import publishable
from generator.render.page import ReportView
from generator.store.files import printable, read_text, shown, unreadable
from generator.store.round_file import ROUND_FILE
from generator.text import Lang

EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: a zip has none before it, and the files' own differ from copy to copy."""
MODE: Final = stat.S_IFREG | 0o644
UNIX: Final = 3
REPORT: Final = "report.json"
TABLES: Final = ".csv"
"""Ending of the computed files that go along with the report; drawings can be made from those."""


def archive(
    folder: Path,
    views: Mapping[Lang, ReportView],
    computed: Mapping[str, str],
    urls: Mapping[Lang, str],
    cff: str | None,
) -> bytes | None:
    """Return the zip of a round; None where its author wants none.

    Args:
        folder: the round's folder; no link in it is followed.
        views: the front report in each language.
        computed: the files of the round's data on the site, by their names there.
        urls: the permanent address of the report in each language, where one is known.
        cff: CITATION.cff, where there is one.

    Raises:
        InputError: a file of the round cannot be read.
    """
    round_ = views["en"].analysis.round
    takes = round_.file.round.archive
    if takes == "none":
        return None
    files = candidates(folder, takes)
    declared = read_text(folder / ROUND_FILE, within=folder)
    published = publishable(declared)
    texts = {
        "README.md": readme(views, files, urls, struck=published != declared),
        CFF: cff,
        f"runs/{round_.id}/{ROUND_FILE}": published,
        **{f"data/{name}": text for name, text in computed.items() if name == REPORT or name.endswith(TABLES)},
    }
    within = {f"runs/{round_.id}/{printable(one.name)}": one for one in files if _is_copied(one)}
    return _packed(round_.id, {name: text for name, text in texts.items() if text is not None}, within)


def _is_copied(one: Candidate) -> bool:
    return one.why_not is None and one.name != ROUND_FILE


def _packed(top: str, texts: Mapping[str, str], copied: Mapping[str, Candidate]) -> bytes:
    """Return a zip of texts and files in the order of their names, all below one folder."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for name in _in_order([*texts, *copied]):
            with packed.open(_entry(f"{top}/{name}"), "w") as entry:
                if name in texts:
                    entry.write(texts[name].encode("utf-8", "surrogateescape"))
                else:
                    _copy(copied[name], entry)
    return made.getvalue()


def _in_order(names: Sequence[str]) -> list[str]:
    """Return names with what is to be read first in front."""
    return sorted(names, key=lambda name: ("/" in name, name))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.create_system, entry.external_attr = UNIX, MODE << 16
    entry.compress_type = zipfile.ZIP_STORED if Path(name).suffix in PACKED else zipfile.ZIP_DEFLATED
    return entry


def _copy(one: Candidate, entry: IO[bytes]) -> None:
    """Stream a file into an entry; a link that has taken its place is not followed."""
    try:
        handle = os.open(one.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise InputError(shown(one.path), "", "is not a file", "replace it by one")
            shutil.copyfileobj(file, entry)
    except OSError as error:
        raise unreadable(one.path, error) from error
