"""What is new, for feed readers: an Atom feed in each language, an entry a round."""

from __future__ import annotations

import datetime
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from generator import __version__
from generator.comparing.order import day_of
from generator.frame import Analysis
from generator.render.front.gathered import Files, Gathered
from generator.render.wording.markup import clean
from generator.text import LANGS, TAGS, Lang, Text

NAME: Final = "feed.xml"
ATOM: Final = "http://www.w3.org/2005/Atom"
NEWEST: Final = 50
"""Entries of a feed: readers ask for it again and again, and older rounds are on the home page."""
SUBTITLE: Final = Text(zh="每一轮压测的结论", en="The verdict of every round")


def files(gathered: Gathered) -> Files:
    """Return a feed in each language; nothing where the site has none.

    A round without a day is in none: an entry has to say when it changed, and nobody knows.
    """
    base_url = gathered.site.base_url
    if not gathered.site.has_feed or base_url is None:
        return {}
    dated = [(day, one) for one in gathered.analyses if (day := day_of(one.round)) is not None]
    newest = sorted(dated, key=lambda one: one[0], reverse=True)[:NEWEST]
    return {f"{lang}/{NAME}": _feed(gathered, base_url, newest, lang) for lang in LANGS}


def _feed(gathered: Gathered, base_url: str, newest: list[tuple[datetime.date, Analysis]], lang: Lang) -> str:
    title, home = gathered.site.title[lang], f"{base_url}/{lang}/index.html"
    entries = "".join(_entry(gathered, base_url, day, one, lang) for day, one in newest)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="{ATOM}" xml:lang="{TAGS[lang]}">\n'
        f"{_told('id', f'{base_url}/{lang}/{NAME}')}{_told('title', title)}{_told('subtitle', SUBTITLE[lang])}"
        f"{_link('self', f'{base_url}/{lang}/{NAME}', 'application/atom+xml', lang)}"
        f"{_link('alternate', home, 'text/html', lang)}"
        f"{_told('updated', _moment(newest[0][0]))}"
        f'<author>{_told("name", title).strip()}</author>\n<generator version="{__version__}">Rounds</generator>\n'
        f"{entries}</feed>\n"
    )


def _entry(gathered: Gathered, base_url: str, day: datetime.date, analysis: Analysis, lang: Lang) -> str:
    round_ = analysis.round
    page = f"{base_url}/{lang}/rounds/{round_.id}/index.html"
    summary = gathered.summaries[round_.id].verdict[lang]
    authors = "".join(f"<author>{_told('name', name).strip()}</author>\n" for name in round_.file.round.authors)
    return (
        f"<entry>\n{_told('id', page)}{_told('title', round_.title[lang])}{_link('alternate', page, 'text/html', lang)}"
        f"{_told('updated', _moment(day))}{authors}{_told('summary', summary) if summary else ''}</entry>\n"
    )


def _moment(day: datetime.date) -> str:
    """Return the beginning of a day as Atom has times; no round says more of when it was published."""
    return f"{day.isoformat()}T00:00:00Z"


def _told(name: str, text: str) -> str:
    return f"<{name}>{escape(clean(text))}</{name}>\n"


def _link(rel: str, way: str, kind: str, lang: Lang) -> str:
    return f'<link rel="{rel}" type="{kind}" hreflang="{TAGS[lang]}" href={quoteattr(way)}/>\n'
