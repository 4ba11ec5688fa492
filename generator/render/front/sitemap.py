"""What crawlers are told: every page with its other language, and where that list is. Both need absolute addresses."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from generator.comparing.order import day_of
from generator.render.front.gathered import Files, Gathered
from generator.store.names import PAIR
from generator.text import LANGS, TAGS, Lang

ROBOTS: Final = """\
# Counts only where this file lies at the root of a host, as https://example.org/robots.txt; below a path nobody reads
# it. There, name the sitemap to search engines by hand, or in the robots.txt of the host.
User-agent: *
Allow: /
Sitemap: {url}
"""
OF_ALL_ROUNDS: Final = frozenset({"index.html", "guide.html", "checks.html", "history.html"})
"""Pages of the site as a whole that change with its rounds."""
HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
"""


def files(gathered: Gathered, there: Mapping[str, str | bytes]) -> Files:
    """Return sitemap.xml and robots.txt; nothing where the address of the site is not known."""
    base_url = gathered.site.base_url
    if base_url is None:
        return {}
    days = {one.round.id: day_of(one.round) for one in gathered.analyses}
    entries = "".join(_entry(base_url, page, days, gathered.site.default) for page in sorted(_pages(there)))
    return {
        "sitemap.xml": f"{HEAD}{entries}</urlset>\n",
        "robots.txt": ROBOTS.format(url=f"{base_url}/sitemap.xml"),
    }


def _pages(there: Mapping[str, str | bytes]) -> Iterator[tuple[str, Lang]]:
    """Yield the pages that there are in both languages, as their path below the language, and the language."""
    for path in there:
        lang, _, below = path.partition("/")
        if path.endswith(".html") and all(f"{one}/{below}" in there for one in LANGS):
            yield from ((below, one) for one in LANGS if one == lang)


def _entry(base_url: str, page: tuple[str, Lang], days: Mapping[str, datetime.date | None], default: Lang) -> str:
    below, lang = page
    ways = {**{TAGS[one]: f"{base_url}/{one}/{below}" for one in LANGS}, "x-default": f"{base_url}/{default}/{below}"}
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{tag}" href={quoteattr(way)}/>\n' for tag, way in ways.items()
    )
    day = _day(below, days)
    changed = f"<lastmod>{day.isoformat()}</lastmod>\n" if day is not None else ""
    return f"<url>\n<loc>{escape(f'{base_url}/{lang}/{below}')}</loc>\n{changed}{links}</url>\n"


def _day(below: str, days: Mapping[str, datetime.date | None]) -> datetime.date | None:
    """Return the last day of the data that a page shows; None where it shows none, or nobody knows their day."""
    _, _, rest = below.partition("/")
    all_rounds = list(days) if below in OF_ALL_ROUNDS else []
    shown = rest.partition("/")[0].split(PAIR) if rest else all_rounds
    return max((day for one in shown if (day := days.get(one)) is not None), default=None)
