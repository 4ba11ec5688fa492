"""What the project writes for readers: the phrases that its source spells out, and its texts in Markdown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import generator
from generator.text import LANGS, Lang, Text

PACKAGE: Final = Path(generator.__file__).parent
ROOT: Final = Path(__file__).parents[2]
PAGES: Final = ("site_src/pages/*.{}.md", "runs/*/prose/*.{}.md")
"""Texts that readers of the site see."""
MARKDOWN: Final = ("generator/render/archive/readme.py",)
"""Sources whose phrases are Markdown; everywhere else a reader would see its signs."""
CODE: Final = re.compile(r"`[^`\n]*`|\]\([^)]*\)|\{\{.*?\}\}|\{#\w+\}|<!--.*?-->")
"""What is no prose in a line of Markdown: code, addresses of links, references to data, anchors."""
STANDS_IN: Final = "{}"
"""Stands in for it, as for what is filled into a phrase."""


@dataclass(frozen=True)
class Written:
    """A piece of text in one language, and where it stands."""

    place: str
    lang: Lang
    text: str


def phrases(path: Path) -> Iterator[tuple[int, Text]]:
    """Return the phrases that a source file spells out in both languages, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Text", "say"):
            written = {word.arg: spelled(word.value) for word in node.keywords if word.arg in LANGS}
            zh, en = written.get("zh"), written.get("en")
            if zh is not None and en is not None:
                yield node.lineno, Text(zh=zh, en=en)


def spelled(node: ast.expr) -> str | None:
    """Return a string as a source file spells it, what is filled in later between braces."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def written_in_source() -> Iterator[Written]:
    """Yield every phrase of the package, in each language."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for line, text in phrases(path):
            file = str(path.relative_to(ROOT))
            prose = (lambda text: CODE.sub(STANDS_IN, text)) if file in MARKDOWN else str
            yield from (Written(f"{file}:{line}", lang, prose(text[lang])) for lang in LANGS)


def written_in_pages() -> Iterator[Written]:
    """Yield every line of the texts in Markdown, without what is no prose in it."""
    for lang in LANGS:
        for pattern in PAGES:
            for path in sorted(ROOT.glob(pattern.format(lang))):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                    yield Written(f"{path.relative_to(ROOT)}:{number}", lang, CODE.sub(STANDS_IN, line).strip())
