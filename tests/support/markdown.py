"""What documents hold for a program: code blocks, links, and commands that are typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.support.example_rounds import RUNS

ROOT: Final = RUNS.parent
PARSER: Final = MarkdownIt().enable("table")
COMMAND: Final = re.compile(r"(?:\$ )?(?P<command>(?:\.venv/bin/)?rounds [a-z].*|make\b.*)")
"""A line, or a span of code, that calls the program or a target of the Makefile."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of code: its language, its text, and the line of the document that it begins in."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command in a document, and whether it is typed out there, or only named in a sentence."""

    text: str
    is_typed: bool


def documents() -> list[Path]:
    """Return the Markdown files of the repository: those that people read, in docs/ and at its top."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@cache
def parsed(document: str) -> list[Token]:
    """Return the tokens of a document."""
    return PARSER.parse(document)


def blocks(document: str) -> list[Block]:
    """Return the fenced blocks of code of a document, in their order."""
    return [
        Block(token.info.strip(), token.content, (token.map or [0])[0] + 1)
        for token in parsed(document)
        if token.type == "fence"
    ]


def links(document: str) -> list[str]:
    """Return where the links and pictures of a document lead."""
    inline = [inner for token in parsed(document) for inner in token.children or ()]
    found = [token.attrGet("href") or token.attrGet("src") for token in inline]
    return [unquote(str(one)) for one in found if one is not None]


def anchors(document: str) -> set[str]:
    """Return what a link into a document may name: its headings as GitHub names them, and its own marks."""
    headings = re.findall(r"^#+ +(.+)$", document, re.MULTILINE)
    return {slug(heading) for heading in headings} | set(re.findall(r'<a id="([^"]+)">', document))


def slug(heading: str) -> str:
    """Return the name that GitHub gives a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return kept.strip().replace(" ", "-")


def commands(document: str) -> list[Command]:
    """Return the commands of a document: lines of its blocks of code, and spans of code that begin like one."""
    found = [(line, typed) for token in parsed(document) for line, typed in _code(token)]
    return [Command(match["command"], typed) for line, typed in found if (match := COMMAND.fullmatch(line.strip()))]


def _code(token: Token) -> Iterator[tuple[str, bool]]:
    if token.type in ("fence", "code_block"):
        yield from ((line, True) for line in _joined(token.content.splitlines()))
    yield from ((inner.content, False) for inner in token.children or () if inner.type == "code_inline")


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Return lines of a shell without comments, and with those that a backslash continues put together."""
    begun = ""
    for line in lines:
        begun += re.sub(r"\s+#.*$", "", line)
        if begun.endswith("\\"):
            begun = begun[:-1]
            continue
        yield begun
        begun = ""
