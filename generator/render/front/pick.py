"""The page at the site's own address: it leads to the home page of a language."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered


def files(gathered: Gathered) -> Files:
    """Return the page."""
    template = gathered.site.environment.get_template("pick.html")
    return {"index.html": template.render(site=gathered.site)}
