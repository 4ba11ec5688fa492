"""JSON read as a stream of events: files of any length, several values in a row, and what Python writes as NaN.

Python's own writer puts out ``NaN`` and ``Infinity``, which are no JSON, and cuts texts in the middle of a
character. Both are made legal on the way to the parser, which would stop at the first of them.

The parser begins a token anew with each piece that does not end it. So that a file takes time in proportion to its
length, the end of a long text is left out, and a number of more digits than any has is refused.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

import ijson

from generator.errors import InputError
from generator.store.files import shown
from generator.store.unpacking import Progress, pieces

Event = tuple[str, Any]
"""What happens (``start_map``, ``map_key``, ``number``, …) and the value that goes with it."""

BYTE_ORDER_MARK: Final = codecs.BOM_UTF8
UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

AS_NULL: Final[Mapping[bytes, bytes]] = {b"NaN": b"null", b"Infinity": b"null", b"-Infinity": b"null"}
AS_LONG: Final[Mapping[bytes, bytes]] = {b"NaN": b"0.0", b"Infinity": b"1       ", b"-Infinity": b"1        "}
"""Stand-ins of the same length, with which the parser's place is the place in the file."""

LONGEST_STRING: Final = 2**20
"""Bytes of a text that are passed on, give or take a piece; what is longer is of a user, and not kept anyway."""
MOST_DIGITS: Final = 1000
"""Digits of a number; a double has 767 at most."""
STEP: Final = 2**8
"""Bytes by which a chunk is gone through where it breaks, before the step at fault is gone through byte by byte."""

PREFIXES: Final = frozenset(word[:n] for word in AS_NULL for n in range(1, len(word)))
INSIDE: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|(?P<cut>\\?\Z))|-?Infinity|NaN', re.DOTALL)

OPEN_CODE: Final = re.compile(rb"u[0-9A-Fa-f]{0,3}\Z")
AS_ZERO: Final = bytes.maketrans(b"123456789", b"000000000")
LONG_NUMBER: Final = f"lexical error: a number has more than {MOST_DIGITS} digits"
TOO_LONG: Final = b"0" * (MOST_DIGITS + 1)


class Legaliser:
    """Turns the bytes of a file, chunk by chunk, into UTF-8 without a NaN or an Infinity outside of strings.

    What a chunk leaves unfinished (half a character, half a word) waits for the next one. Of a long string the end is
    left out.
    """

    def __init__(self, stand_ins: Mapping[bytes, bytes] = AS_NULL, *, keep_length: bool = False) -> None:
        """Choose what to write for each word; ``keep_length`` puts one byte in place of each damaged one."""
        self._stand_ins = stand_ins
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape" if keep_length else "replace")
        self._held = b""
        self._in_string = False
        self._length = 0
        self._digits = 0

    def feed(self, chunk: bytes, *, last: bool = False) -> bytes:
        """Return what can be passed on after a further chunk.

        Raises:
            ValueError: a number has more than ``MOST_DIGITS`` digits.
        """
        text, start = self._held + self._utf8(chunk, last=last), 0
        self._held = b""
        if self._in_string:
            start = self._string_end(text)
            if self._in_string:
                return self._further(self._held_back(text, last=last))
        return self._ended(text[:start]) + self._held_back(self._legal(text[start:]), last=last)

    def _further(self, text: bytes) -> bytes:
        """Return what is passed on of a piece that lies in a string."""
        is_long = self._length >= LONGEST_STRING
        self._length += len(text)
        return b"" if is_long else text

    def _ended(self, text: bytes) -> bytes:
        """Return what is passed on of the end of a string."""
        return text[-1:] if self._length >= LONGEST_STRING else text

    def _legal(self, text: bytes) -> bytes:
        """Return what begins outside of strings with each word replaced."""
        self._refuse_long_number(text)
        return TOKEN.sub(self._replaced, text) if b'"' in text or b"N" in text or b"I" in text else text

    def _refuse_long_number(self, text: bytes) -> None:
        zeros = b"0" * self._digits + text.translate(AS_ZERO)
        if TOO_LONG in zeros and TOO_LONG in TOKEN.sub(b'"', zeros):
            raise ValueError(LONG_NUMBER)
        self._digits = len(zeros) - len(zeros.rstrip(b"0"))

    def _utf8(self, chunk: bytes, *, last: bool) -> bytes:
        if chunk.isascii() and not self._decoder.getstate()[0]:
            return chunk
        return self._decoder.decode(chunk, last).encode("utf-8", "replace")

    def _string_end(self, text: bytes) -> int:
        """Return where the string that the text begins in is over; all of the text may be in it."""
        found = INSIDE.match(text)
        end = found.end() if found else 0
        if text[end : end + 1] == b'"':
            self._in_string = False
            return end + 1
        return end

    def _replaced(self, found: re.Match[bytes]) -> bytes:
        token = found[0]
        if found["cut"] is not None:
            self._in_string, self._length, self._digits = True, len(token), 0
        return self._stand_ins.get(token, token)

    def _held_back(self, done: bytes, *, last: bool) -> bytes:
        """Keep back what may be the beginning of a word or of an escape, unless nothing follows."""
        longest = 0 if last else _open_escape(done) if self._in_string else _open_word(done)
        if longest:
            self._held = done[-longest:]
            return done[:-longest]
        return done


def _open_escape(done: bytes) -> int:
    code = OPEN_CODE.search(done, max(0, len(done) - 4))
    before = done[: code.start()] if code else done
    is_open = (len(before) - len(before.rstrip(b"\\"))) % 2
    return len(done) - len(before) + 1 if is_open else 0


def _open_word(done: bytes) -> int:
    return next((n for n in range(min(8, len(done)), 0, -1) if done[-n:] in PREFIXES), 0)


def read_events(path: Path, progress: Progress) -> Iterator[Event]:
    """Return the events of all JSON values of a file, one value after another however they are separated.

    Whole numbers are int, others float; what is NaN or infinite in the file is null.

    Raises:
        InputError: while iterating; the file cannot be read or is not JSON: the line, the byte (of the file as it is
            once unpacked) and what is wrong.
    """
    return chain.from_iterable(_batches(path, progress))


def _batches(path: Path, progress: Progress) -> Iterator[list[Event]]:
    """Yield the events chunk by chunk: a list is walked through several times as fast as a generator."""
    events = ijson.sendable_list()
    parser = _parser(events)
    legaliser = Legaliser()
    read = 0
    for chunk in _chunks(path, progress):
        _advance(parser, legaliser, chunk, path, read)
        read += len(chunk)
        yield list(events)
        events.clear()
    _finish(parser, legaliser, path, read)
    yield list(events)


def _parser(events: list[Event]) -> Any:  # noqa: ANN401 - a coroutine of C without a type
    return ijson.basic_parse_coro(events, use_float=True, multiple_values=True)


def _chunks(path: Path, progress: Progress = lambda _: None) -> Iterator[bytes]:
    found = pieces(path, progress)
    # Blanks of the same length, so that places stay what they are.
    first = next(found, b"")
    yield first.replace(BYTE_ORDER_MARK, b"   ", 1) if first.startswith(BYTE_ORDER_MARK) else first
    yield from found


def _advance(parser: Any, legaliser: Legaliser, chunk: bytes, path: Path, read: int) -> None:  # noqa: ANN401 - see _parser
    try:
        _send(parser, legaliser.feed(chunk))
    except (ijson.JSONError, ValueError) as error:
        raise _broken(path, read, error) from error


def _send(parser: Any, legal: bytes) -> None:  # noqa: ANN401 - see _parser
    if legal:  # an empty piece would tell the parser that the file is over
        parser.send(legal)


def _finish(parser: Any, legaliser: Legaliser, path: Path, read: int) -> None:  # noqa: ANN401 - see _parser
    try:
        _send(parser, legaliser.feed(b"", last=True))
    except (ijson.JSONError, ValueError) as error:
        raise _broken(path, read, error) from error
    try:
        parser.close()
    except (ijson.JSONError, ValueError) as error:
        raise _cut_off(path, read) from error


def _cut_off(path: Path, read: int) -> InputError:
    problem = f"ends after {read} bytes in the middle of a JSON value"
    return InputError(shown(path), "", problem, "copy the file again: it was cut off while being written or sent")


def _broken(path: Path, chunk_start: int, error: Exception) -> InputError:
    """Say where the JSON breaks. The parser does not tell, so the chunk at fault is gone through again."""
    line, offset = _place_of_break(path, chunk_start)
    place = f"line {line}, byte {offset + 1}"
    return InputError(
        shown(path), place, f"is not JSON: {_said(error)}", "check what wrote the file, and copy it again"
    )


def _said(error: Exception) -> str:
    """Return what the parser says, without the piece of the file that it quotes."""
    found = re.search(r"(?:parse|lexical) error: ([^\\\n]+)", str(error))
    return found[1].rstrip(". ") if found else "no value can begin or go on like this"


def _place_of_break(path: Path, chunk_start: int) -> tuple[int, int]:
    """Return the line, from 1, and the offset of the byte at which the parser gives up."""
    _, step_start = _stop(path, chunk_start, STEP)
    return _stop(path, step_start, 1)


def _stop(path: Path, good: int, step: int) -> tuple[int, int]:
    """Return the line and the offset at which a step begins that the parser does not take.

    Args:
        path: the file.
        good: offset up to which there is no fault, and which is gone to at once.
        step: how many bytes the parser is given at a time from there on.
    """
    events = ijson.sendable_list()
    parser, legaliser = _parser(events), Legaliser(AS_LONG, keep_length=True)
    line, offset = 1, 0
    for chunk in _chunks(path):
        for piece in _steps(chunk, good - offset, step):
            if not _accepts(parser, legaliser, piece):
                return line, offset
            events.clear()
            line += piece.count(b"\n")
            offset += len(piece)
    return line, offset


def _steps(chunk: bytes, whole: int, step: int) -> Iterator[bytes]:
    """Yield the first bytes at once, and what is left step by step."""
    if whole > 0:
        yield chunk[:whole]
    for start in range(max(whole, 0), len(chunk), step):
        yield chunk[start : start + step]


def _accepts(parser: Any, legaliser: Legaliser, piece: bytes) -> bool:  # noqa: ANN401 - see _parser
    try:
        _send(parser, legaliser.feed(piece))
    except (ijson.JSONError, ValueError):
        return False
    return True
