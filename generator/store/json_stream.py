"""JSON read as a stream of events: files of any length, several values in a row, and what Python writes as NaN.

Python's own writer puts out ``NaN`` and ``Infinity``, which are no JSON, and cuts texts in the middle of a
character. Both are made legal on the way to the parser, which would stop at the first of them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

import ijson

from generator.errors import InputError
from generator.store.files import open_file, read_head, shown, unreadable

Event = tuple[str, Any]
"""What happens (``start_map``, ``map_key``, ``number``, …) and the value that goes with it."""

Progress = Callable[[int], object]
"""Is told, now and then, how many bytes have been read since it was last told."""

CHUNK: Final = 2**16
BYTE_ORDER_MARK: Final = codecs.BOM_UTF8
UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

AS_NULL: Final[Mapping[bytes, bytes]] = {b"NaN": b"null", b"Infinity": b"null", b"-Infinity": b"null"}
AS_LONG: Final[Mapping[bytes, bytes]] = {b"NaN": b"0.0", b"Infinity": b"1       ", b"-Infinity": b"1        "}
"""Stand-ins of the same length, with which the parser's place is the place in the file."""

PREFIXES: Final = frozenset(word[:n] for word in AS_NULL for n in range(1, len(word)))
INSIDE: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|(?P<cut>\\?\Z))|-?Infinity|NaN', re.DOTALL)


class Legaliser:
    """Turns the bytes of a file, chunk by chunk, into UTF-8 without a NaN or an Infinity outside of strings.

    What a chunk leaves unfinished (half a character, half a word) waits for the next one.
    """

    def __init__(self, stand_ins: Mapping[bytes, bytes] = AS_NULL, *, keep_length: bool = False) -> None:
        """Choose what to write for each word; ``keep_length`` puts one byte in place of each damaged one."""
        self._stand_ins = stand_ins
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape" if keep_length else "replace")
        self._held = b""
        self._in_string = False

    def feed(self, chunk: bytes, *, last: bool = False) -> bytes:
        """Return what can be passed on after a further chunk."""
        text = self._held + self._utf8(chunk, last=last)
        self._held = b""
        start = self._string_end(text) if self._in_string else 0
        tail = text[start:]
        if self._in_string or not (b'"' in tail or b"N" in tail or b"I" in tail):
            done = tail
        else:
            done = TOKEN.sub(self._replaced, tail)
        return text[:start] + (done if last else self._without_held(done))

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
            self._in_string = True
        return self._stand_ins.get(token, token)

    def _without_held(self, done: bytes) -> bytes:
        """Keep back what may be the beginning of a word or of an escape."""
        longest = self._open_escape(done) if self._in_string else _open_word(done)
        if longest:
            self._held = done[-longest:]
            return done[:-longest]
        return done

    @staticmethod
    def _open_escape(done: bytes) -> int:
        return (len(done) - len(done.rstrip(b"\\"))) % 2


def _open_word(done: bytes) -> int:
    return next((n for n in range(min(8, len(done)), 0, -1) if done[-n:] in PREFIXES), 0)


def text_head(path: Path) -> bytes:
    """Return how a text begins, without its byte order mark.

    Raises:
        InputError: the file cannot be read, or is UTF-16.
    """
    head = read_head(path)
    _refuse_utf_16(path, head)
    return head.removeprefix(BYTE_ORDER_MARK)


def _refuse_utf_16(path: Path, head: bytes) -> None:
    if head.startswith(UTF_16):
        raise InputError(shown(path), "", "is UTF-16 and not UTF-8", "save the file as UTF-8")


def read_events(path: Path, progress: Progress) -> Iterator[Event]:
    """Return the events of all JSON values of a file, one value after another however they are separated.

    Whole numbers are int, others float; what is NaN or infinite in the file is null.

    Raises:
        InputError: while iterating; the file cannot be read or is not JSON: the line, the byte and what is wrong.
    """
    return chain.from_iterable(_batches(path, progress))


def _batches(path: Path, progress: Progress) -> Iterator[list[Event]]:
    """Yield the events chunk by chunk: a list is walked through several times as fast as a generator."""
    events = ijson.sendable_list()
    parser = _parser(events)
    legaliser = Legaliser()
    read = 0
    for chunk in _chunks(path):
        progress(len(chunk))
        _advance(parser, legaliser.feed(chunk), path, read)
        read += len(chunk)
        yield list(events)
        events.clear()
    _advance(parser, legaliser.feed(b"", last=True), path, read)
    _finish(parser, path, read)
    yield list(events)


def _parser(events: list[Event]) -> Any:  # noqa: ANN401 - a coroutine of C without a type
    return ijson.basic_parse_coro(events, use_float=True, multiple_values=True)


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with open_file(path) as file:
            first = file.read(CHUNK)
            _refuse_utf_16(path, first)
            # Blanks of the same length, so that places stay what they are.
            yield first.replace(BYTE_ORDER_MARK, b"   ", 1) if first.startswith(BYTE_ORDER_MARK) else first
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as error:
        raise unreadable(path, error) from error


def _advance(parser: Any, legal: bytes, path: Path, read: int) -> None:  # noqa: ANN401 - see _parser
    """Pass bytes to the parser; an empty piece would tell it that the file is over."""
    if not legal:
        return
    try:
        parser.send(legal)
    except (ijson.JSONError, ValueError) as error:
        raise _broken(path, read, error) from error


def _finish(parser: Any, path: Path, read: int) -> None:  # noqa: ANN401 - see _parser
    try:
        parser.close()
    except (ijson.JSONError, ValueError) as error:
        raise _cut_off(path, read) from error


def _cut_off(path: Path, read: int) -> InputError:
    problem = f"ends after {read} bytes in the middle of a JSON value"
    return InputError(shown(path), "", problem, "copy the file again: it was cut off while being written or sent")


def _broken(path: Path, chunk_start: int, error: Exception) -> InputError:
    """Say where the JSON breaks. The parser does not tell, so the chunk at fault is gone through byte by byte."""
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
    events = ijson.sendable_list()
    parser = _parser(events)
    legaliser = Legaliser(AS_LONG, keep_length=True)
    line, offset = 1, 0
    for chunk in _chunks(path):
        whole = offset + len(chunk) <= chunk_start
        for piece in [chunk] if whole else (bytes([byte]) for byte in chunk):
            if not _accepts(parser, legaliser.feed(piece)):
                return line, offset
            events.clear()
            line += piece.count(b"\n")
            offset += len(piece)
    return line, offset


def _accepts(parser: Any, legal: bytes) -> bool:  # noqa: ANN401 - see _parser
    try:
        if legal:
            parser.send(legal)
    except (ijson.JSONError, ValueError):
        return False
    return True
