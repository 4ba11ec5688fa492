"""Traces and datasets as they are published: which one an object or a header is of, and the request that it tells.

ShareGPT      JSON: ``[{"conversations": [{"from": "human", "value": "…"}, …]}, …]``; the first words of each human
JSON lines    ``{"prompt": "…"}`` or ``{"text": "…"}``, at will with ``output_tokens`` and ``timestamp`` (ms)
Mooncake      JSON lines: ``timestamp`` (ms), ``input_length``, ``output_length``
Azure LLM     CSV: ``TIMESTAMP`` (a date), ``ContextTokens``, ``GeneratedTokens``
BurstGPT      CSV: ``Timestamp`` (s), ``Request tokens``, ``Response tokens``; at will ``Elapsed time`` (s)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.declared.profiles import Clock, Kind
from generator.text import counted
from generator.traffic.rows import Row, UnfitError, date, duration, length, moment

PROMPTS: Final = ("prompt", "text", "input_text")
OUTPUTS: Final = ("output_tokens", "output_length", "output_len", "max_tokens")
CONVERSATIONS: Final = ("conversations", "conversation")
HUMANS: Final = ("human", "user")
"""Who asks. No set: what stands in a file in the place of a name may be what cannot be looked up in one."""
MS: Final = 1e3
"""In a second."""

ReadObject = Callable[[Mapping[str, Any]], Row | None]
"""Returns the request of an object, None where it is none, or raises UnfitError."""
ReadCells = Callable[[Sequence[str]], Row]
"""Returns the request of a line, or raises UnfitError."""


@dataclass(frozen=True, slots=True)
class JsonKind:
    """A kind of objects, each a request."""

    kind: Kind
    clock: Clock
    read: ReadObject


def json_kind(first: Mapping[str, Any]) -> JsonKind | None:
    """Return what an object is one of; None for what is not known."""
    if any(name in first for name in CONVERSATIONS):
        return JsonKind("sharegpt", "start", _conversation)
    if any(name in first for name in PROMPTS):
        return JsonKind("jsonl", "start", _prompt)
    if "input_length" in first:
        return JsonKind("mooncake", "start", _mooncake)
    return None


def _conversation(one: Mapping[str, Any]) -> Row | None:
    """Return what the human says first; None where there is no such thing, which is common."""
    turns: object = next((one[name] for name in CONVERSATIONS if name in one), [])
    if not isinstance(turns, list):
        raise UnfitError("", "has a conversation that is no list")
    said = (turn for turn in turns if isinstance(turn, dict) and turn.get("from", turn.get("role")) in HUMANS)
    turn = next(said, {})
    text = turn.get("value", turn.get("content"))
    return Row(text) if isinstance(text, str) and text.strip() else None


def _prompt(one: Mapping[str, Any]) -> Row | None:
    name = next((name for name in PROMPTS if name in one), PROMPTS[0])
    text = one.get(name)
    if not isinstance(text, str):
        raise UnfitError(name, "is not a text", "give each object a prompt or a text")
    made = next((length(one[key], key) for key in OUTPUTS if one.get(key) is not None), None)
    row = Row(text, None, made, _ms(one))
    return row if text.strip() else None


def _mooncake(one: Mapping[str, Any]) -> Row:
    given = length(one.get("input_length"), "input_length")
    made = length(one.get("output_length"), "output_length")
    return Row(None, given, made, _ms(one))


def _ms(one: Mapping[str, Any]) -> float | None:
    at = one.get("timestamp")
    return None if at is None else moment(at, "timestamp", MS)


@dataclass(frozen=True, slots=True)
class CsvKind:
    """A kind of table: the names of its columns, in small letters, and how its times are written."""

    kind: Kind
    clock: Clock
    at: str
    given: str
    made: str
    time: Callable[[str], float]
    took: str = ""

    def reader(self, header: Sequence[str]) -> ReadCells:
        """Return the reader of its lines."""
        time, width, names = self.time, len(header), (self.at, self.given, self.made)
        at, given, made = (header.index(name) for name in names)
        took = header.index(self.took) if self.took in header else None
        last = max(at, given, made, took or 0)

        def read(cells: Sequence[str]) -> Row:
            if len(cells) <= last:
                raise UnfitError("", counted("has {n} {n:cell|cells}, and the header {m}", n=len(cells), m=width))
            asked, answered = length(cells[given]), length(cells[made])
            spent = duration(cells[took]) if took is not None and cells[took] else None
            return Row(None, asked, answered, time(cells[at]), spent)

        return read


TRACES: Final = (
    CsvKind("azure", "file", "timestamp", "contexttokens", "generatedtokens", date),
    # Seconds from midnight of its first day.
    CsvKind("burstgpt", "file", "timestamp", "request tokens", "response tokens", moment, "elapsed time"),
)


def csv_kind(header: Sequence[str]) -> CsvKind | None:
    """Return what a table with this header, in small letters, is; None for what is not known."""
    return next((one for one in TRACES if {one.at, one.given, one.made} <= set(header)), None)


def header_of(cells: Sequence[str]) -> list[str]:
    """Return the names of columns as they are compared."""
    return [name.strip().lower() for name in cells]
