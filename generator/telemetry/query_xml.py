"""``nvidia-smi -q -x``: the tree of ``-q`` as XML, once or, with ``-l``, document after document.

Entities are not resolved, and a file that declares one is refused: no release of nvidia-smi does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from xml.parsers import expat

from generator.errors import InputError
from generator.store.files import shown
from generator.telemetry.cells import moment
from generator.telemetry.lines import lines_of
from generator.telemetry.paths import Page, plain
from generator.telemetry.samples import GPU, Clock, Gathering, Samples

TOOL: Final = "nvidia-smi -q -x"
ROOT: Final = "nvidia_smi_log"
LONGEST_CELL: Final = 200
DEEPEST: Final = 30


def is_xml(head: str) -> bool:
    """Say whether the head of a file is such a document."""
    return f"<{ROOT}" in head or f"<!DOCTYPE {ROOT}" in head


def read(path: Path) -> Samples:
    """Read the samples of such documents. Of one that ends early, the GPUs before its end are taken.

    Raises:
        InputError: it declares entities, holds no GPU, or cannot be read.
    """
    reader = _Reader(Gathering(path, TOOL))
    for document in _documents(path):
        _parse(document, reader)
    clock: Clock = "local" if reader.clocks == {"local"} else "none"
    return reader.gathering.samples_of_file(clock)


def _documents(path: Path) -> Iterator[Iterator[str]]:
    """Yield the lines of each document. Those of one that broke off are passed over up to the next."""
    lines = (line for _, line in lines_of(path))
    line = next(lines, None)
    while line is not None:
        rest: list[str | None] = []
        yield _until_next(line, lines, rest)
        line = rest[0] if rest else None


def _until_next(first: str, lines: Iterator[str], rest: list[str | None]) -> Iterator[str]:
    yield first
    for line in lines:
        if line.startswith("<?xml"):
            rest.append(line)
            return
        yield line


def _parse(document: Iterator[str], reader: _Reader) -> None:
    parser = expat.ParserCreate(encoding="utf-8")  # whatever the document declares: it has been decoded
    parser.EntityDeclHandler = reader.refuse_entity
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.say
    reader.document()
    feed: Callable[[bytes], object] = parser.Parse
    for line in document:
        try:
            feed(f"{line}\n".encode("utf-8", "replace"))
        except expat.ExpatError:
            reader.gathering.broken += 1
            for _ in document:  # up to where the next begins
                pass


@dataclass(slots=True)
class _Reader:
    """Where in the tree the parser is."""

    gathering: Gathering
    clocks: set[Clock] = field(default_factory=set)
    _documents: int = 0
    _at: float = 0.0
    _gpus: int = 0
    _page: Page | None = None
    _path: list[str] = field(default_factory=list)
    _cell: str = ""

    def refuse_entity(self, *_: object) -> None:
        problem = "declares entities, which nvidia-smi never does"
        raise InputError(shown(self.gathering.path), "", problem, "sample again, or remove the file")

    def document(self) -> None:
        """Begin a document."""
        self._documents, self._gpus = self._documents + 1, 0
        self._at, self._page = float(self._documents), None
        self._path.clear()

    def begin(self, name: str, _: object) -> None:
        """Go down."""
        self._cell = ""
        if len(self._path) < DEEPEST:
            self._path.append(plain(name[:LONGEST_CELL]))
        if self._path[1:] == ["gpu"]:
            self._page, self._gpus = Page(), self._gpus + 1

    def say(self, text: str) -> None:
        """Take a piece of text."""
        self._cell = (self._cell + text)[:LONGEST_CELL]

    def end(self, name: str) -> None:
        """Take what stood in an element, and go up."""
        cell, self._cell = self._cell.strip(), ""
        if self._path[1:] == ["timestamp"]:
            self._time(cell)
        elif self._path[1:] == ["gpu"] and self._page is not None:
            self.gathering.add(self._at, f"{GPU}{self._gpus - 1}", self._page.numbers(self.gathering))
            self._page = None
        elif self._page is not None:
            self._page.put(self._path[2:], cell)
        if self._path and self._path[-1] == plain(name[:LONGEST_CELL]):
            self._path.pop()

    def _time(self, cell: str) -> None:
        at = moment(cell)
        self._at = at[0] if at is not None else float(self._documents)
        self.clocks.add("none" if at is None else "local")
