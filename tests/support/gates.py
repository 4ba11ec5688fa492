"""What must hold on every page before a reader: each gate tells what it found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ViewportSize

from tests.support.browsing import WAKE, Watched
from tests.support.contrast import contrast

RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS: Final = {"resultTypes": ["violations"], "runOnly": RULES, "preload": False}
"""No preload: axe would fetch the style sheet, which no page opened from a disk may."""
WATCH_SHIFTS: Final = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((one) => !one.hadRecentInput)))
  .observe({ type: "layout-shift", buffered: true });
"""
SHIFTS: Final = """() => window.shifts.map(({ value, sources }) =>
  `${value.toFixed(4)} by ${sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join(", ")}`)"""
COLOURS: Final = (Path(__file__).parent / "colours.js").read_text(encoding="utf-8")
TWO_FRAMES: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A table that is fitted to a new width is so with the next frame."""
NARROW: Final[ViewportSize] = {"width": 360, "height": 740}


@dataclass(frozen=True, slots=True)
class Pair:
    """A colour on another, ``#rrggbb``, as painted; ``size`` in px; ``kind``: text, drawn (text of a chart), edge."""

    kind: str
    ink: str
    ground: str
    size: float
    bold: bool
    where: str

    @property
    def least(self) -> float:
        """The contrast that WCAG 2 AA asks for: large text and edges need less."""
        is_large = self.size >= 24 or (self.bold and self.size >= 18.66)
        return 3.0 if self.kind == "edge" or is_large else 4.5

    @property
    def contrast(self) -> float:
        """The ratio of the luminances."""
        return contrast(self.ink, self.ground)


def wake(shown: Watched) -> None:
    """Make every chart live, and go back to the head: one that stays in sight would cover rows."""
    shown.page.evaluate(WAKE)
    shown.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")


def accessibility(shown: Watched) -> list[str]:
    """Return what axe-core finds."""
    found = Axe().run(shown.page, options=OPTIONS)
    return [found.generate_report()] if found.violations_count else []


def shifts(shown: Watched) -> list[str]:
    """Return what has moved since the page was opened."""
    moved: list[str] = shown.page.evaluate(SHIFTS)
    return moved


def sideways(shown: Watched) -> list[str]:
    """Return how wide a page is that a phone has to scroll sideways; it leaves the page at that width."""
    shown.page.set_viewport_size(NARROW)
    shown.page.evaluate(TWO_FRAMES)
    width = shown.page.evaluate("document.documentElement.scrollWidth")
    return [] if width <= NARROW["width"] else [f"{width} px wide on a phone of {NARROW['width']} px"]


def pairs(shown: Watched) -> list[Pair]:
    """Return the colours of what can be seen, each pair once."""
    found: list[dict[str, Any]] = shown.page.evaluate(f"({COLOURS})()")
    return [Pair(**one) for one in found]


def faint(painted: Iterable[Pair]) -> list[str]:
    """Return what cannot be told from its ground."""
    return [f"{one.contrast:.2f} for {one}" for one in painted if one.contrast < one.least]
