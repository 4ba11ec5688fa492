"""Texts of the site's own: Markdown whose headings have anchors, and links to examples that may not be there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.render.wording.markdown import render_markdown

HEADING: Final = re.compile(r"<h2>(.*?) \{#([a-z]+)\}</h2>")
"""A heading with its anchor behind it: the same in both languages, whatever the words."""
EXAMPLE: Final = re.compile(r'<a href="(example|compared|site):([^"]*)">(.*?)</a>', re.DOTALL)
"""A link to a page of an example round, of an example comparison, or of the site, each where there is one."""


@dataclass(frozen=True, slots=True)
class Article:
    """A text as HTML, and its headings: anchor and words."""

    html: Markup
    contents: tuple[tuple[str, Markup], ...]


def article(source: str, way: Callable[[str, str], str | None]) -> Article:
    """Return a text.

    Args:
        source: Markdown.
        way: returns where an example lies, given its kind and what is wanted of it; None where there is none, and the
            words then stand without a link.
    """

    def link(found: re.Match[str]) -> str:
        href = way(found[1], found[2])
        return found[3] if href is None else f'<a href="{href}">{found[3]}</a>'

    html = EXAMPLE.sub(link, str(render_markdown(source)))
    contents = tuple((anchor, Markup(words)) for words, anchor in HEADING.findall(html))  # noqa: S704  # our own text
    return Article(Markup(HEADING.sub(r'<h2 id="\2">\1</h2>', html)), contents)  # noqa: S704  # the same


def wanted(source: str) -> list[tuple[str, str]]:
    """Return the kind of each example that a text leads to, and what it wants of it."""
    return [(kind, what) for kind, what, _ in EXAMPLE.findall(str(render_markdown(source)))]
