"""vLLM's log: the requests that it tells of one by one, or at least that there were some.

``Received request`` and ``Added request`` are told where requests are logged (before 0.10 always, since then with
``--enable-log-requests``); ``Generated response`` with ``--enable-log-outputs``. The ids of a prompt's tokens are
counted, and nothing else of a prompt is looked at: the last list of a line is the server's, whatever a prompt quotes.
Where no request is told of, the lines of the web server say when answers began, and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.declared.profiles import Clock, Note
from generator.logs.prefixes import Span
from generator.numeric.spilled import Pile, pieces
from generator.traffic.log_times import LogClock, words_of
from generator.traffic.rows import Row

ID: Final = rb"(?P<id>[^\s:,]{1,200})"
COMES: Final = re.compile(rb"(?:Received|Added) request " + ID)
DETAILS: Final = re.compile(rb"Request " + ID + rb" details: ")
ANSWERED: Final = re.compile(rb"Generated response " + ID + rb"(?P<part> \(streaming delta\))?")
ENDED: Final = re.compile(rb"(?:Finished|Aborted) request(?:\(s\))? " + ID)
TOLD: Final = (b"Received request ", b"Added request ", b" details: ", b"Generated response ", b"Finished request ",
               b"Aborted request")  # fmt: skip
PROMPT_IDS: Final = b"prompt_token_ids: ["
OUTPUT_IDS: Final = b"output_token_ids: ["
IDS: Final = re.compile(rb"[\d, ]*\]")
ASKED: Final = re.compile(
    rb'[^\n]{0,400}INFO: +\S{1,60} - "POST /'
    rb'(?:v\d/)?(?:chat/)?(?:completions|messages|responses|generate)[^"]{0,200}" \d{3}'
)
MOST_OPEN: Final = 100_000
"""Requests that are waited for at once; the oldest of more are taken as they are."""
NO_TIME: Final = float("nan")


@dataclass(slots=True)
class _Open:
    """A request whose end has not been told of."""

    at: float | None
    given: int | None = None
    made: int | None = None


class VllmLog:
    """Reads one log, line by line."""

    def __init__(self) -> None:
        """Begin without a request."""
        self.notes: set[Note] = set()
        self._clock = LogClock()
        self._open: dict[bytes, _Open] = {}
        self._asked = Pile("d")
        self._tells = False

    @property
    def clock(self) -> Clock:
        """Return what its times are on."""
        return self._clock.clock

    def rows(self, lines: Iterable[bytes]) -> Iterator[Row]:
        """Yield the requests, each when its end is told of, and those without an end last."""
        for line in lines:
            if any(words in line for words in TOLD):
                yield from self._told(line)
            elif not self._tells and ASKED.match(line):
                at = self._clock.moment(line, words_of(line)[1])
                self._asked.extend([NO_TIME if at is None else at])
        for left in self._open.values():
            yield Row(None, left.given, left.made, left.at)
        if not self._tells:
            yield from self._by_web_server()

    def _by_web_server(self) -> Iterator[Row]:
        if len(self._asked):
            self.notes.add("ends_not_arrivals")
            for piece in pieces(self._asked.column()):
                yield from (Row(at=None if np.isnan(at) else at) for at in piece.tolist())

    def _told(self, line: bytes) -> Iterator[Row]:
        places, spans = words_of(line)
        for place in places:
            if found := COMES.match(line, place) or DETAILS.match(line, place):
                yield from self._comes(_id(found), line, spans)
                return
            if found := ANSWERED.match(line, place):
                yield from self._answered(found, line, spans)
                return
            if found := ENDED.match(line, place):
                yield from self._ended(_id(found), self._clock.moment(line, spans))
                return

    def _comes(self, of: bytes, line: bytes, spans: dict[str, Span]) -> Iterator[Row]:
        self._tells = True
        at = self._clock.moment(line, spans)
        one = self._open.setdefault(of, _Open(at))
        one.given = one.given if one.given is not None else _ids(line, PROMPT_IDS)
        if len(self._open) > MOST_OPEN:
            oldest = self._open.pop(next(iter(self._open)))
            yield Row(None, oldest.given, oldest.made, oldest.at)

    def _answered(self, found: re.Match[bytes], line: bytes, spans: dict[str, Span]) -> Iterator[Row]:
        if found["part"] is not None:
            return
        of = _id(found) if _id(found) in self._open else _id(found) + b"-0"
        if of in self._open:
            self._open[of].made = _ids(line, OUTPUT_IDS)
            yield from self._ended(of, self._clock.moment(line, spans))

    def _ended(self, of: bytes, end: float | None) -> Iterator[Row]:
        one = self._open.pop(of, None)
        if one is not None:
            took = max(0.0, end - one.at) if end is not None and one.at is not None else None
            yield Row(None, one.given, one.made, one.at, took)


def _id(found: re.Match[bytes]) -> bytes:
    """Return the id of a request, without the full stop of its sentence."""
    return found["id"].rstrip(b".")


def _ids(line: bytes, words: bytes) -> int | None:
    """Count the ids of a list; None where there is none."""
    begin = line.rfind(words)
    found = IDS.match(line, begin + len(words)) if begin >= 0 else None
    return found[0].count(b",") + (len(found[0]) > 1) if found else None
