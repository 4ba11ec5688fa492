"""The pictures of pages that have none yet: those of the site as a whole, with their title and what they are about."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Final

from generator.render.front.gathered import Files, Gathered
from generator.render.preview.card import Card, picture

TOLD: Final = re.compile(r'<meta property="og:([a-z_]+)" content="([^"]*)">')
END_OF_HEAD: Final = "</head>"
HEAD: Final = 2**16
"""Bytes of a page in which its head ends, in characters too."""


def files(gathered: Gathered, there: Mapping[str, str | bytes]) -> Files:
    """Return a picture for each page that names one which is not there; two pages may name the same."""
    if not gathered.site.pictures:
        return {}
    before = f"{gathered.site.base_url}/"
    wanted = {told["image"].removeprefix(before): told for told in _heads(there) if "image" in told}
    return {path: _picture(told) for path, told in wanted.items() if path not in there}


def _heads(there: Mapping[str, str | bytes]) -> list[dict[str, str]]:
    return [told_of(content) for path, content in there.items() if path.endswith(".html")]


def told_of(page: str | bytes) -> dict[str, str]:
    """Return what the head of a page tells other sites of it."""
    text = page[:HEAD].decode(errors="replace") if isinstance(page, bytes) else page[:HEAD]
    return {name: html.unescape(content) for name, content in TOLD.findall(text.partition(END_OF_HEAD)[0])}


def _picture(told: Mapping[str, str]) -> bytes:
    return picture(
        Card(kicker="", title=told.get("title", ""), lead=told.get("description", ""), site=told.get("site_name", ""))
    )
