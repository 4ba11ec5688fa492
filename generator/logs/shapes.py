"""Shapes of lines: what a line is and where its numbers stand, found once for all lines that differ in digits only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from generator.logs.digits import Plan, Span, plan
from generator.logs.prefixes import Head, peel
from generator.runs.log_events import EventKind

DIGITS: Final = b"0123456789"
ALIKE: Final = bytes.maketrans(DIGITS, b"0" * 10)
VARIANTS: Final = tuple(bytes.maketrans(b"0", bytes([digit])) for digit in DIGITS)
MOST: Final = 50_000
"""Shapes that are remembered: those of an ordinary log are some hundred."""
WORDS: Final = re.compile(rb"(?:[A-Za-z_ #:]|\\[\[(])+")
ENOUGH: Final = 3
"""Letters by which a kind is told from most other lines."""
ANY_DIGIT: Final = re.compile(rb"\\d|\{\d*,?\d*\}|\(\?P<\w+>")
"""What of a pattern's source has a digit in it, or stands for one, and yet asks for none in particular."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A kind of event that is looked for.

    Attributes:
        words: the first words of its pattern, by which it is found; none where it has no such.
        variants: the digits that have to be tried in a shape: one stands for all where the pattern asks for none.
    """

    kind: EventKind
    words: bytes
    variants: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """An event that the lines of one shape tell of, or may tell of.

    Attributes:
        kind: what it is.
        place: where its words begin in the line.
        plan: how its numbers are read, and those of the head of the line.
        careful: whether the pattern has to look at each line, because it tells digits apart or words are wanted.
    """

    kind: EventKind
    place: int
    plan: Plan
    careful: bool


class Shapes(dict[bytes, int]):
    """Shape -> its number; 0 for lines that tell of nothing. What is not there yet is examined and remembered."""

    def __init__(self, kinds: Sequence[EventKind]) -> None:
        """Take what to look for."""
        super().__init__()
        self.kinds = tuple(sought(kind) for kind in kinds)
        self.found: list[tuple[Found, ...]] = [()]
        self._any = re.compile(b"|".join(map(first_look, self.kinds)))
        self._by_first: dict[bytes, list[Sought]] = {}
        for one in self.kinds:
            self._by_first.setdefault(one.words[:1], []).append(one)

    def __missing__(self, shape: bytes) -> int:
        """Examine a shape."""
        found = tuple(self._examined(shape.rstrip(b"\r")))
        if found:
            self.found.append(found)
        self[shape] = len(self.found) - 1 if found else 0
        return self[shape]

    def forget(self) -> None:
        """Forget all, where it has become too many; between two blocks only."""
        if len(self) > MOST:
            self.clear()
            del self.found[1:]

    def _examined(self, shape: bytes) -> Iterator[Found]:
        """Yield what a line tells of, each kind once, at the first place where its words stand."""
        head = peel(shape)
        seen: set[int] = set()
        for place in head.places:
            if not self._any.match(shape, place):
                continue
            begin = shape[place : place + 1]
            for one in (*self._by_first.get(begin, ()), *self._by_first.get(b"", ())):
                is_new = id(one) not in seen and shape.startswith(one.words, place)
                if is_new and (found := _find(one, shape, place, head)):
                    seen.add(id(one))
                    yield found


@lru_cache(maxsize=1)
def shapes_of(kinds: tuple[EventKind, ...]) -> Shapes:
    """Return what is known of the shapes of lines so far: the logs of a round say the same things."""
    return Shapes(kinds)


@cache
def sought(kind: EventKind) -> Sought:
    """Return by what a kind is found; worked out once, for each log is searched for the same."""
    asks = any(digit in ANY_DIGIT.sub(b"", kind.pattern.pattern) for digit in DIGITS)
    return Sought(kind, first_words(kind.pattern), VARIANTS if asks else VARIANTS[:1])


def first_look(one: Sought) -> bytes:
    """Return a pattern that matches wherever a kind may stand: its first words, or all of it where these are few."""
    whole = one.kind.pattern.pattern
    if len(one.words) >= ENOUGH or len(one.variants) > 1:
        return re.escape(one.words)
    return b"(?:" + re.sub(rb"\(\?P<\w+>", b"(?:", whole) + b")"


def first_words(pattern: re.Pattern[bytes]) -> bytes:
    """Return the plain letters that a pattern begins with.

    Raises:
        ValueError: the pattern has alternatives that stand in no brackets, of which each would have its own.
    """
    source: bytes = pattern.pattern
    bare = re.sub(rb"\\.|\[\^?\]?[^\]]*\]", b"", source, flags=re.DOTALL)
    while bare != (bare := re.sub(rb"\([^()]*\)", b"", bare)):
        pass
    if b"|" in bare:
        raise ValueError(f"alternatives without brackets in {source!r}: declare several kinds of one key")
    found = WORDS.match(source)
    words = found[0] if found else b""
    plain = words.replace(b"\\", b"")
    return plain[:-1] if source[len(words) : len(words) + 1] in (b"?", b"*", b"+", b"{") else plain


def _find(one: Sought, shape: bytes, place: int, head: Head) -> Found | None:
    """Match the pattern with each digit in the place of all: where that makes a difference, each line counts."""
    variants = one.variants if shape.find(b"0", place) >= 0 else VARIANTS[:1]
    matches = [one.kind.pattern.match(shape.translate(variant), place) for variant in variants]
    found = next((match for match in matches if match is not None), None)
    if found is None:
        return None
    same = all(match is not None and match.regs == found.regs for match in matches)
    careful = not same or any(name.endswith("_text") for name in found.groupdict())
    spans: dict[str, Span] = {f"head {name}": span for name, span in head.spans.items()}
    if not careful:
        spans |= {name: found.span(name) for name, part in found.groupdict().items() if part is not None}
    return Found(one.kind, place, plan(shape, spans), careful)
