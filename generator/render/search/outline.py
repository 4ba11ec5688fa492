"""The places of a page that a search can lead to, and what stands there: read off the page itself.

So the search says nothing that a page does not say, and a new page needs no code of its own to be found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Final, Literal, NamedTuple

Kind = Literal["", "f", "t"]
"""A page or a section, a figure, a table."""

MOST_TEXT: Final = 170
"""Bytes of the first sentences of a place: sixty Chinese characters say about as much as 170 Latin letters."""
MOST_LINE: Final = 400
"""Bytes of a line that tells of loads: what it advises stands at its end."""
MOST_NAMES: Final = 85
"""Bytes of the names that stand at a place, beyond its heading and its text."""
LEFT_OUT: Final = re.compile(r"<(svg|td|script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
"""Drawings, which captions tell, the cells of tables, most of which are numbers, and what is no text."""
TAG: Final = re.compile(r"<(/?)([a-z][a-z0-9]*)\b([^>]*)>|<![^>]*>")
"""A tag of the site: no attribute holds a ``>``, which is escaped. A parser of any page takes twice as long."""
GIVEN: Final = re.compile(r' (class|id|data-loads|data-names|data-number)="([^"]*)"')
END: Final = re.compile(r"(?<=[。！？])\s*|(?<=[.!?])\s")
BETWEEN: Final = " · "
LONGEST_WORD: Final = 20
"""What has more characters behind the last space is Chinese, or a name."""
IDENTIFIER: Final = re.compile(r"--[a-z][\w-]+|\b[A-Za-z]\w*_\w+", re.ASCII)
"""What a reader types as it is written: a flag, a key; they are kept from later sentences too."""
LOADS: Final = "data-loads"
NAMES: Final = "data-names"
"""What a place is found by though only its tables tell of it, with what parts names between them."""
NUMBER: Final = "data-number"
VOID: Final = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
UNREAD_TAGS: Final = frozenset({"button", "nav", "script", "select", "style", "svg"})
UNREAD_CLASSES: Final = frozenset(
    {
        "absent",
        "cite",
        "doubts",
        "downloads",
        "filters",
        "hint",
        "kicker",
        "missing",
        "notes",
        "of-cards",
        "permalink",
        "tally",
        "tools",
    }
)
"""What leads elsewhere, repeats or explains the page."""
READ_OUTSIDE: Final = "section"
"""What is read of a page besides its main text, where it has an id: such as how a report is cited, at its foot."""
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "caption", "summary"})
KINDS: Final[dict[str, Kind]] = {"section": "", "figure": "f", "table": "t"}
READ: Final = {"p": "text", "li": "text", "th": "name", "dt": "name"}
"""What an element adds to the place that it stands at."""
APART: Final = frozenset({*READ, *HEADINGS, "dd"})
"""Elements whose text is not part of the next one's."""
NAMING: Final = re.compile(r"(?:^|\s)(?:s\d|flag)(?:\s|$)")
"""Classes of names: of a series, a flag."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a page: its anchor (none for the page itself), its heading, its first sentences, names in it.

    Attributes:
        loads: the requests in flight that it tells of: ``8`` of a level, ``8-16`` of what lies between two.
        number: of a word that becomes a number, the metric that it becomes.
    """

    anchor: str = ""
    kind: Kind = ""
    heading: str = ""
    text: str = ""
    names: str = ""
    loads: str = ""
    number: str = ""


def outline(html: str) -> list[Place]:
    """Return the places of a page, in order: first the page itself, then all that have a heading."""
    reader = _Outline()
    reader.read(LEFT_OUT.sub("", html))
    page, *others = (one.told() for one in reader.drafts)
    return [page, *(one for one in others if one.heading)]


@dataclass(slots=True)
class _Draft:
    """A place while its page is read."""

    anchor: str = ""
    kind: Kind = ""
    heading: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    loads: str = ""
    number: str = ""

    def told(self) -> Place:
        is_line = bool(self.loads) and not self.kind
        heading = _first_sentences(_plain(self.heading), MOST_LINE if is_line else MOST_TEXT)
        whole = _plain(self.text)
        text = _first_sentences(whole)
        names = [*"".join(self.name).splitlines(), *IDENTIFIER.findall(whole)]
        return Place(self.anchor, self.kind, heading, text, _names(names, heading + text), self.loads, self.number)


class _Open(NamedTuple):
    """An element that is not closed yet, and what held before it was opened."""

    tag: str
    place: _Draft
    into: str | None
    is_read: bool


class _Outline:
    """Sorts the texts of a page into the places that they stand at.

    A section, figure or table with an id is a place up to its end; a heading with an id is one up to the next. So is
    a line that tells of loads, which is its own heading.
    """

    def __init__(self) -> None:
        self.drafts = [_Draft()]
        self._place = self.drafts[0]
        self._into: str | None = None
        """Where texts go: "heading", "text", "name"; nowhere inside what is not read."""
        self._open: list[_Open] = []
        self._is_read = False
        """Whether it is inside of the main text, or of a section beside it."""

    def read(self, html: str) -> None:
        """Read a page from one tag to the next."""
        at = 0
        for found in TAG.finditer(html):
            if found.start() > at:
                self._say(html[at : found.start()])
            at, (closes, tag, given) = found.end(), found.groups()
            if closes:
                self._close(tag)
            elif tag:
                self._begin_element(tag, given)
        self._say(html[at:])

    def _begin_element(self, tag: str, given: str) -> None:
        if tag in VOID:
            self._say(" ")
            return
        told = dict(GIVEN.findall(given)) if "=" in given else {}
        classes, anchor = unescape(told.get("class", "")), unescape(told.get("id", ""))
        self._open.append(_Open(tag, self._place, self._into, self._is_read))
        self._is_read = self._is_read or tag == "main" or (tag == READ_OUTSIDE and bool(anchor))
        self._enter(tag, anchor, classes, told)
        self._into = self._where(tag, classes)

    def _close(self, tag: str) -> None:
        while self._open:
            last = self._open.pop()
            if last.tag in APART or (self._into == "name" and last.into != "name"):
                self._say("\n")
            self._into, self._is_read = last.into, last.is_read
            if last.tag not in HEADINGS:
                self._place = last.place
            if last.tag == tag:
                break

    def _say(self, text: str) -> None:
        if self._into in ("heading", "text", "name"):
            getattr(self._place, self._into).append(unescape(text))

    def _enter(self, tag: str, anchor: str, classes: str, told: Mapping[str, str]) -> None:
        if not self._is_read or self._into == "unread":
            return
        loads = told.get(LOADS, "")
        if anchor and (tag in KINDS or loads):
            named = [f"{name}\n" for name in unescape(told.get(NAMES, "")).split(BETWEEN) if name]
            self._begin(_Draft(anchor, KINDS.get(tag, ""), name=named, loads=loads, number=told.get(NUMBER, "")))
        elif tag in HEADINGS and anchor and self._place.heading:
            self._begin(_Draft(anchor))
        elif classes == "says":
            self._place.text.clear()

    def _begin(self, draft: _Draft) -> None:
        self.drafts.append(draft)
        self._place = draft

    def _where(self, tag: str, classes: str) -> str | None:
        if not self._is_read:
            return None
        if self._into == "unread" or tag in UNREAD_TAGS or (classes and UNREAD_CLASSES & {*classes.split()}):
            return "unread"
        if tag == "span" and classes == "quiet":
            return "unread"
        if classes == "says" or (tag in HEADINGS and not self._place.heading) or self._is_line(tag):
            return "heading"
        if classes in ("check", "symbol") or (self._into is None and (tag == "code" or NAMING.search(classes))):
            return "name"
        return READ.get(tag, self._into)

    def _is_line(self, tag: str) -> bool:
        """Say whether an element is a line that tells of loads, and not in a table that does."""
        return tag in READ and bool(self._place.loads) and not self._place.kind


def _plain(pieces: Iterable[str]) -> str:
    return " ".join("".join(pieces).split())


def _first_sentences(text: str, most: int = MOST_TEXT) -> str:
    """Return as many sentences as fit; of a first one that is longer, its beginning."""
    kept = ""
    for sentence in filter(None, END.split(text)):
        joined = kept + (" " if kept.endswith((".", "!", "?")) else "") + sentence
        if len(joined.encode()) > most:
            break
        kept = joined
    return kept or _shortened(text, most)


def _shortened(text: str, most: int) -> str:
    cut = text.encode()[:most].decode(errors="ignore")
    whole, _, word = cut.rpartition(" ")
    return cut if cut == text else (whole if len(word) < LONGEST_WORD else cut) + "…"


def _names(listed: Iterable[str], said: str) -> str:
    """Return the names that are not said yet, as many as fit."""
    kept: list[str] = []
    room = MOST_NAMES
    for name in dict.fromkeys(_plain(one) for one in listed):
        if name and name not in said:
            room -= len(name.encode()) + len(BETWEEN.encode())
            if room < 0:
                break
            kept.append(name)
    return BETWEEN.join(kept)
