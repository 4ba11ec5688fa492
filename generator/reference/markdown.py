"""Tables in Markdown, and names in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from generator.text import Lang, Text

AMBIGUOUS: Final = re.compile(r"(?<!\\)\|")
"""A bar ends a cell, inside of code as well, unless a backslash stands before it."""
BREAK: Final = "<br>"


def table(heads: Sequence[Text], rows: Iterable[Sequence[str]], lang: Lang) -> str:
    """Return a table of GitHub's Markdown with its heads in a language."""
    lines = [[head[lang] for head in heads], ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def code(name: object) -> str:
    """Return a name as code."""
    return f"`{name}`"


def anchored(name: str, shown: str) -> str:
    """Return what can be pointed at by a name."""
    return f'<a id="{name}"></a>{shown}'


def _cell(text: str) -> str:
    return AMBIGUOUS.sub(r"\\|", " ".join(text.split()))
