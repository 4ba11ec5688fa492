"""The style sheets and scripts of the site's own, as pages load them; that of all pages has the drawings' too."""

from __future__ import annotations

from typing import Final

from generator.render.files.stripped import stripped_css, stripped_js
from generator.render.front.gathered import Files, Gathered
from generator.render.resources import resource
from generator.render.svg.drawing import plot_css

ALL_PAGES: Final = "site.css"
"""The style sheet of all pages."""


def files(_gathered: Gathered) -> Files:
    """Return all of them."""
    folder = resource("site_src") / "assets"
    own = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.is_file()}
    own[ALL_PAGES] += plot_css("var(--ink)", "var(--quiet)", "var(--hair)", "var(--paper)")
    strip = {"css": stripped_css, "js": stripped_js}
    return {f"assets/{name}": strip[name.rpartition(".")[2]](text) + "\n" for name, text in own.items()}
