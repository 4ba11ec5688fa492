"""From the bytes that an engine prints to lines that may be kept: bounded, printable, without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from generator.redaction import STRUCK, redact

LONGEST_LINE: Final = 2**14
"""Bytes of a line that are kept, up to the last blank among them: half a key looks like none. vLLM prints its
configuration in one of several thousand."""

_ENDS: Final = re.compile(rb"[\r\n]")
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


class LineCutter:
    """Cuts a stream of bytes into lines. A carriage return ends one: each refresh of a progress bar is a line."""

    def __init__(self) -> None:
        self._held = b""
        self._dropped = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that these bytes end; empty ones are left out."""
        *ended, rest = _ENDS.split(data)
        lines = [line for part in ended if (line := self._end(part))]
        self._hold(rest)
        return lines

    def flush(self) -> list[bytes]:
        """Return what was not ended."""
        line = self._end(b"")
        return [line] if line else []

    def _end(self, part: bytes) -> bytes:
        self._hold(part)
        held, dropped = self._held, self._dropped
        self._held, self._dropped = b"", 0
        if not dropped:
            return held
        words = held[: held.rfind(b" ") + 1]
        return words + b"[%d bytes cut]" % (dropped + len(held) - len(words))

    def _hold(self, part: bytes) -> None:
        room = LONGEST_LINE - len(self._held)
        self._held += part[:room]
        self._dropped += max(0, len(part) - room)


class Cleaner:
    """Makes lines fit to be kept. It strikes out given secrets, and what looks like one."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Take texts that must not be kept, as they would be printed."""
        words = sorted(set(secrets), key=len, reverse=True)
        alternatives = "|".join(map(re.escape, words))
        self._secrets = re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])") if words else None

    def clean(self, lines: Sequence[bytes]) -> list[str]:
        """Return the lines as text, one for each."""
        texts = [line.decode("utf-8", "backslashreplace") for line in lines]
        cleaned = self._clean("\n".join(texts)).split("\n")
        # A rule that looks across the end of a line has joined two of them.
        return cleaned if len(cleaned) == len(texts) else [self._clean(text) for text in texts]

    def _clean(self, text: str) -> str:
        text = _CONTROL.sub(_escaped, _COLOUR.sub("", text))
        if self._secrets is not None:
            text = self._secrets.sub(STRUCK, text)
        return redact(text)


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
