"""The style sheet: the site's own, and that of the static drawings in the page's colours."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered
from generator.render.resources import resource
from generator.render.svg.drawing import plot_css


def files(_gathered: Gathered) -> Files:
    """Return the style sheet."""
    own = (resource("site_src") / "assets" / "site.css").read_text(encoding="utf-8")
    return {"assets/site.css": own + plot_css("var(--ink)", "var(--quiet)", "var(--hair)", "var(--paper)") + "\n"}
