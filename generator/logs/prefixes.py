"""What may stand in a line before the words of the server: stamps and names, in any order and number.

A text of a user may quote a log. It is told from one by what stands before it in its line, which has to be a stack of
these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

Span = tuple[int, int]

DAY: Final = rb"\d{4}-\d\d-\d\d"
TIME: Final = rb"\d\d:\d\d:\d\d"
OWN_TIME: Final = rb"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d(?:\.\d{1,9})?)"
OWN_DAY: Final = rb"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
PAIR: Final = rb'(?:"\w{1,20}": ?(?:"[^"\\]{0,80}"|[\d.]+), ?)'
"""A key of an object of JSON, and its value: what a line has in front of its message."""
MOST: Final = 32
"""Layers of a line: what has more is none of a server."""

LAYERS: Final = tuple(
    re.compile(layer, re.DOTALL)
    for layer in (
        # Of several lines that a terminal shows as one, the last.
        rb".*\r",
        # Blanks; colours; bytes of no text.
        rb"[ \t]+",
        rb"\x1b\[[\d;]*[A-Za-z]",
        rb"(?:[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\xfe\xff]|\xef\xbb\xbf)+",
        # What `rounds collect` puts in front: `18562762756904 2026-11-29T22:28:48.711968Z | `.
        rb"(?P<read>\d{1,19}) " + DAY + rb"T" + TIME + rb"\.\d{1,9}Z \| ",
        # `Feb 18 10:54:35 host unit[140011]: `
        rb"[A-Z][a-z]{2} [ \d]\d " + TIME + rb" \S{1,64} [^\s\[\]]{1,64}(?:\[\d+\])?: ",
        # `2026-02-18T10:54:35+01:00 unit[140011]: ` of the journal; with `stdout F ` of a container.
        DAY
        + rb"T"
        + TIME
        + rb"(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d) (?:std(?:out|err) [FP] )?(?:(?:\S{1,64} )?[\w.@-]{1,64}\[\d+\]: )?",
        # llama.cpp's router: the port of the child that speaks.
        rb"\[ {0,4}\d{1,5}\] ",
        # llama.cpp: minutes, seconds, ms and µs since it started, and the level.
        rb"(?P<minutes>\d+)\.(?P<second>\d\d)\.(?P<part>\d{3}\.\d{3})(?=[ \x1b])",
        rb"[IWED](?:\x1b\[[\d;]*m)? ",
        # llama.cpp: who speaks, and of which slot and task.
        rb"(?:slot|srv|que|res|cmn) +(?P<inner>[^\s:|]{1,24}): (?:id +(?P<slot>-?\d+) \| task (?P<task>-?\d+) \| ?)?",
        rb"(?:llama|llm|ggml|load|print|common|main|build|sched|graph|server|~llama)\w*: ?",
        rb"\[?llama_print_timings[\]:]",
        rb" {0,12}\S{1,60} +(?=(?:KV|RS|model|compute|output) buffer size)",
        rb"/\S{1,200}:\d+: (?=GGML_ASSERT|Fatal error)",
        # The same before September 2024, and in ik_llama.cpp: as text, or as JSON.
        rb"(?:INFO|WARN|ERR|ERROR|VERB|DEBG) +\[ *(?P<inner>\w+)\] +",
        rb"\{" + PAIR + rb'{0,8}?"time": ?(?P<micros>\d+), ?' + PAIR + rb'{0,8}?"msg": ?"',
        rb"\{" + PAIR + rb'{1,10}?"(?:msg|message)": ?"',
        # vLLM: process, file and line; several processes where one speaks for another.
        rb"\((?:[\w.-]{1,40},? )?pid=\d+(?:, ip=[\w.:]{1,45})?\) ?",
        rb"vLLM STD(?:OUT|ERR): ",
        rb"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<month>\d\d)-(?P<day>\d\d) "
        + OWN_TIME
        + rb" \[?[\w./-]{1,80}:\d+\] ?",
        # SGLang: a date and ranks; Ollama: a date, level and source.
        rb"\[" + OWN_DAY + rb" " + OWN_TIME + rb"(?:,\d+)?(?: [A-Za-z]{1,8}\d{0,4}){0,6}\] ",
        rb"time=" + OWN_DAY + rb"T" + OWN_TIME + rb"(?:Z|[+-]\d\d:\d\d) level=[A-Z]+ (?:source=\S{1,80} )?msg=\"?",
    )
)
ANY: Final = re.compile(
    b"|".join(b"(" + re.sub(rb"\?P<\w+>", b"?:", layer.pattern) + b")" for layer in LAYERS), re.DOTALL
)
"""Which layer there is, if any, said at once: the number of its group, counted from 1."""


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the words of a line.

    Attributes:
        places: where its words may begin: behind each layer, the first of them at 0.
        spans: the parts with a meaning: ``read`` in ns; ``slot``, ``task``; those of the log's own time. Of several
            times the innermost counts.
    """

    places: tuple[int, ...]
    spans: Mapping[str, Span]


def peel(line: bytes) -> Head:
    """Take one layer after the other off a line."""
    places: list[int] = [0]
    spans: dict[str, Span] = {}
    for found in _layers(line):
        named = {name: found.span(name) for name, part in found.groupdict().items() if part is not None}
        if _tells_time(named):
            spans = {name: span for name, span in spans.items() if not _tells_time({name: span})}
        inner = named.pop("inner", None)
        places += [inner[0]] if inner else []
        places.append(found.end())
        spans |= named
    return Head(tuple(places), spans)


def _layers(line: bytes) -> Iterator[re.Match[bytes]]:
    at = 0
    for _ in range(MOST):
        which = ANY.match(line, at)
        found = LAYERS[(which.lastindex or 0) - 1].match(line, at) if which else None
        if found is None:
            return
        yield found
        at = found.end()


TIMES: Final = frozenset({"year", "month", "day", "hour", "minute", "second", "part", "minutes", "micros"})


def _tells_time(named: Mapping[str, Span]) -> bool:
    return not TIMES.isdisjoint(named)
