"""The page for addresses that lead nowhere: hosts show it at any depth, so its links begin at the site's own path."""

from __future__ import annotations

from urllib.parse import urlsplit

from generator.render.front.gathered import Files, Gathered
from generator.render.wording.phrases import phrases
from generator.text import LANGS


def files(gathered: Gathered) -> Files:
    """Return the page; without an address of the site its links are those of a file beside the home pages."""
    base_url = gathered.site.base_url
    root = f"{urlsplit(base_url).path.rstrip('/')}/" if base_url is not None else ""
    template = gathered.site.environment.get_template("lost.html")
    in_order = sorted(LANGS, key=lambda lang: lang != gathered.site.default)
    words = {lang: phrases(lang) for lang in in_order}
    return {"404.html": template.render(site=gathered.site, root=root, words=words)}
