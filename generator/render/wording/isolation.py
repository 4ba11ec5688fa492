"""Names in a text: those from right to left must not turn what stands around them; flags and ids are not broken."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of Hebrew, Arabic and their like, and the mark that stands for one."""

FLAG: Final = re.compile(r"((?<![\w-])--[a-zA-Z0-9][\w.-]*)([，、；。：]?)")
"""A flag with two hyphens, wherever it stands, and the sign behind it; nothing that escaping writes looks like one."""

CONTROLS: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that set the direction of what follows, whatever it is."""

EACH_CONTROL: Final = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def isolated(text: str) -> Markup:
    """Return a text as HTML, in an element of its own where it is written from right to left."""
    return Markup("<bdi>{}</bdi>").format(text) if RIGHT_TO_LEFT.search(text) else escape(text)


def flagged(text: str, *ids: str) -> Markup:
    """Return a text as HTML like ``isolated``; no line breaks a flag, or the id of one of some rounds, at its hyphens.

    No line begins with the sign behind a flag; Firefox breaks behind it where it is told that it may.
    """
    html = FLAG.sub(_whole, str(isolated(text)))
    if ids:
        longest_first = "|".join(re.escape(str(escape(one))) for one in sorted(ids, key=len, reverse=True))
        html = re.sub(rf"(?<![\w.-])(?:{longest_first})(?![\w-])", lambda found: WHOLE_ID.format(found[0]), html)
    return Markup(html)  # noqa: S704  # escaped above


def whole_id(round_id: str) -> Markup:
    """Return the id of a round as HTML: it goes whole into the next line, unless no line holds it."""
    return Markup(WHOLE_ID).format(round_id)  # noqa: S704  # the text is ours, the id is escaped


WHOLE_ID: Final = '<span class="id">{}</span>'


def _whole(flag: re.Match[str]) -> str:
    return f'<span class="flag">{flag[0]}</span>{"<wbr>" if flag[2] else ""}'


def without_controls(text: str, *, script: bool = False) -> str:
    """Return a file's text with the characters that set directions spelt out by their number.

    In JSON that is the same data. In a script, whose strings are put into a page, it is spelt out there as well.
    """
    if not any(
        control in text for control in EACH_CONTROL
    ):  # looks faster than the pattern, and finds none in most files
        return text
    return CONTROLS.sub(lambda found: ("\\\\u" if script else "\\u") + f"{ord(found[0]):04x}", text)
