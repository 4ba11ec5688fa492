"""``nvidia-smi -q``: an indented tree of ``Key : Value``, once or, with ``-l``, again and again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.telemetry.cells import moment
from generator.telemetry.lines import lines_of
from generator.telemetry.paths import Page, plain
from generator.telemetry.samples import GPU, Clock, Gathering, Samples

TOOL: Final = "nvidia-smi -q"
BEGIN: Final = re.compile(r"=+\s*NVSMI LOG\s*=+")
GPU_LINE: Final = re.compile(r"GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f])\s*")
COLON: Final = " :"
LONGEST_KEY: Final = 60
DEEPEST: Final = 12


def is_text(head: str) -> bool:
    """Say whether the head of a file is such a log."""
    return BEGIN.search(head) is not None


def read(path: Path) -> Samples:
    """Read the samples of such a log.

    Raises:
        InputError: no GPU is in it, or it cannot be read.
    """
    reader = _Reader(Gathering(path, TOOL))
    for _, line in lines_of(path):
        reader.take(line)
    reader.end_gpu()
    clock: Clock = "local" if reader.clocks == {"local"} else "none"
    return reader.gathering.samples_of_file(clock)


@dataclass(slots=True)
class _Reader:
    """Where in the tree the reading is; the GPUs of one log are counted in their order."""

    gathering: Gathering
    clocks: set[Clock] = field(default_factory=set)
    _logs: int = 0
    _at: float = 0.0
    _gpus: int = 0
    _page: Page | None = None
    _sections: list[tuple[int, str]] = field(default_factory=list)

    def take(self, line: str) -> None:
        if BEGIN.search(line):
            self.end_gpu()
            self._logs, self._gpus = self._logs + 1, 0
        elif GPU_LINE.fullmatch(line):
            self.end_gpu()
            self._page, self._gpus = Page(), self._gpus + 1
        elif line.strip():
            self._entry(line)

    def _entry(self, line: str) -> None:
        """Take a key with what stands behind it, or the head of a section."""
        indent = len(line) - len(line.lstrip(" "))
        key, colon, cell = line.partition(COLON)
        name = plain(key.strip()[:LONGEST_KEY])
        if colon:
            self._pair(indent, name, cell.strip())
        elif self._page is not None:
            self._leave(indent)
            if len(self._sections) < DEEPEST:
                self._sections.append((indent, name))

    def _pair(self, indent: int, key: str, cell: str) -> None:
        if self._page is None:
            if key == "timestamp":
                self._time(cell)
            return
        self._leave(indent)
        self._page.put((*(name for _, name in self._sections), key), cell)

    def _leave(self, indent: int) -> None:
        while self._sections and self._sections[-1][0] >= indent:
            self._sections.pop()

    def _time(self, cell: str) -> None:
        at = moment(cell)
        self._at = at[0] if at is not None else float(self._logs)
        self.clocks.add("none" if at is None else "local")

    def end_gpu(self) -> None:
        """Take what was said of the GPU that is over."""
        if self._page is not None:
            self.gathering.add(self._at, f"{GPU}{self._gpus - 1}", self._page.numbers(self.gathering))
        self._page = None
        self._sections.clear()
