"""The style sheets and scripts of the site's own, as pages load them; two of the sheets have the drawings' rules too.

What every page loads is ``site.css`` and ``site.js``; what else one needs its template names (``sheets``, ``scripts``).
"""

from __future__ import annotations

from typing import Final

from generator.render.files.stripped import stripped_css, stripped_js
from generator.render.front.gathered import Files, Gathered
from generator.render.resources import resource
from generator.render.svg.drawing import RULES_OF_LINES, RULES_OF_OTHERS, plot_css

DRAWINGS: Final = {"site.css": RULES_OF_LINES, "chapters.css": RULES_OF_OTHERS}
"""Style sheets and the drawings whose rules they have: a report opens with lines."""


def files(_gathered: Gathered) -> Files:
    """Return all of them."""
    folder = resource("site_src") / "assets"
    own = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.is_file()}
    for name, rules in DRAWINGS.items():
        own[name] += plot_css("var(--ink)", "var(--quiet)", "var(--hair)", "var(--paper)", rules)
    strip = {"css": stripped_css, "js": stripped_js}
    return {f"assets/{name}": strip[name.rpartition(".")[2]](text) + "\n" for name, text in own.items()}
