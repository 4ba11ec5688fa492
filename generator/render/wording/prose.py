"""The authors' prose as HTML: Markdown, with each reference printed as the data have it."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

from generator.analysis.quotes import quoted
from generator.render.wording.markdown import render_markdown
from generator.render.wording.numbers import UNKNOWN, Printer, kept_whole
from generator.told.prose import Prose
from generator.told.references import SIGN

LINK_TO_CHAPTER: Final = re.compile(r'<a href="#([\w-]+)"')
"""The start of a link to a section or a figure of the round, on whichever page that is."""
LINK_OUT: Final = re.compile(r'<a href="(?=https?:|//)')
"""The start of a link to another site; of text, Markdown escapes the angle bracket."""


def render_prose(prose: Prose, printer: Printer) -> Markup:
    """Return the HTML of a text; what it quotes and is not there is a dash."""
    html = LINK_OUT.sub('<a rel="noopener" href="', kept_whole(str(render_markdown(prose.source))))
    html = LINK_TO_CHAPTER.sub(lambda link: f'<a href="{printer.pages.get(link[1], "")}#{link[1]}"', html)
    parts = [quoted(reference, printer.analysis) for reference in prose.references]
    shown = [escape(UNKNOWN) if part is None else printer.html(part) for part in parts]
    first, *pieces = html.split(SIGN)
    filled = first + "".join(mark + piece for mark, piece in zip(map(str, shown), pieces, strict=True))
    return Markup(filled)  # noqa: S704  # Markdown without HTML, and marks that are escaped
