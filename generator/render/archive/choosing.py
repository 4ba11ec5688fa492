"""Which files of a round's folder go into its archive, and why others do not."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from generator.declared.profiles import PROFILE_FILE
from generator.errors import InputError
from generator.redaction import redact
from generator.store.collected import CALIBRATION, COLD_START
from generator.store.facts import PUBLISHED_TOML
from generator.store.files import read_text
from generator.store.fingerprints import FINGERPRINT
from generator.store.level_file import LEVEL_FILE
from generator.store.manifest import CLAIMS, MANIFEST, PROSE
from generator.store.model_files import ARCHITECTURE
from generator.store.published import PUBLISHED_CSV
from generator.store.request_columns import CHUNKS_FILE, REQUESTS_FILE
from generator.store.round_file import ROUND_FILE
from generator.store.runs import PACKED_LOG
from generator.telemetry.files import lies_beside
from generator.text import Text

MOST: Final = 32 * 2**20
"""Bytes of a round that its archive holds: a site of a hundred rounds is to fit on a host that gives it a few GB."""
PACKED: Final = frozenset({".parquet", ".zst"})
"""Forms that Rounds itself writes columns and logs in, after it has struck secrets out of them."""
OWN: Final = frozenset({
    ROUND_FILE, MANIFEST, CLAIMS, CALIBRATION, COLD_START, FINGERPRINT, ARCHITECTURE, LEVEL_FILE, PUBLISHED_CSV,
    PUBLISHED_TOML, REQUESTS_FILE, CHUNKS_FILE, PROFILE_FILE, PACKED_LOG,
})  # fmt: skip
"""Names of files whose form is Rounds' own: none of them holds a text of a user."""

ELSEWHERE: Final = re.compile(r'[\\:*?"<>|\x00-\x1f\x7f]|(?:[. ])(?:/|\Z)')
"""What no name of a file may have on Windows, where a backslash leads into a folder and a colon to a drive."""

Takes = Literal["own", "all", "none"]

FOREIGN: Final = Text(
    zh="不是 Rounds 自己的文件格式，可能含有用户的文本", en="not of a form of Rounds' own; it may hold texts of users"
)
MISNAMED: Final = Text(zh="名字在别的系统上是另一个路径", en="its name is another path on some systems")
LINK: Final = Text(zh="是链接", en="a link")
ODD: Final = Text(zh="不是普通文件", en="not a plain file")
PRIVATE: Final = Text(
    zh="含有不应公开的内容（主机、用户或密钥）", en="holds what is not to be published: a host, a user or a key"
)
LARGE: Final = Text(zh="归档放不下", en="too large for the archive")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file of a round: its path from the round's folder, its size in bytes, and why it stays out, if it does."""

    name: str
    path: Path
    size: int
    why_not: Text | None = None


def candidates(folder: Path, takes: Takes, most: int = MOST) -> list[Candidate]:
    """Return every file of a round's folder by name, hidden ones left out, each with why the archive lacks it, if so.

    The smallest files go first into what the archive may hold, so that what is left out are columns of runs, and
    never what was declared. No link is followed.
    """
    found = [_judged(one, takes) for one in _files(folder)]
    room = most
    judged = []
    for one in sorted(found, key=lambda one: (one.size, one.name)):
        fits = one.why_not is not None or one.size <= room
        room -= one.size if fits and one.why_not is None else 0
        judged.append(one if fits else replace(one, why_not=LARGE))
    return sorted(judged, key=lambda one: one.name)


def _files(folder: Path) -> Iterator[Candidate]:
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in links)
        for name in sorted((*names, *links)):
            path = Path(parent, name)
            if not name.startswith("."):
                yield _candidate(path, path.relative_to(folder).as_posix())


def _candidate(path: Path, name: str) -> Candidate:
    told = path.lstat()
    if stat.S_ISLNK(told.st_mode):
        return Candidate(name, path, 0, LINK)
    if not stat.S_ISREG(told.st_mode):
        return Candidate(name, path, told.st_size, ODD)
    return Candidate(name, path, told.st_size, MISNAMED if ELSEWHERE.search(name) else None)


def _judged(one: Candidate, takes: Takes) -> Candidate:
    if one.why_not is not None or takes == "all" or one.name == ROUND_FILE:
        return one
    if not _is_own(one):
        return replace(one, why_not=FOREIGN)
    return one if one.path.suffix in PACKED or _is_clean(one.path) else replace(one, why_not=PRIVATE)


def _is_own(one: Candidate) -> bool:
    top, _, below = one.name.partition("/")
    is_prose = top == PROSE and one.path.suffix == ".md" and "/" not in below
    return is_prose or one.path.name in OWN or lies_beside(one.path.name)


def _is_clean(path: Path) -> bool:
    """Say whether there is nothing in a text that would be struck out of it."""
    try:
        text = read_text(path, within=path.parent)
    except (OSError, InputError):
        return False
    return all(redact(line) == line for line in text.splitlines())
