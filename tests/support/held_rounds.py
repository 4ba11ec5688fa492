"""Rounds held against each other, for tests of what prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from generator.comparing.held import Held, hold
from generator.frame import Analysis
from generator.machines.records import Machine
from generator.render.diff.printer import DiffPrinter, diff_printer
from generator.render.diff.view import DiffView, diff_view
from generator.text import LANGS, Lang
from generator.told.findings import Finding
from generator.told.sentence import SeriesName, say
from tests.comparing.two_rounds import DECLARED, Trials, analysed
from tests.support.memory_round import GRAPH

FAST: Final[Trials] = {"output_throughput": (100.0, 101.0, 99.0), "itl_p50": (0.010, 0.0101, 0.0099)}
SLOW: Final[Trials] = {"output_throughput": (80.0, 81.0, 79.0), "itl_p50": (0.010, 0.01005, 0.00995)}
"""A fifth slower, with the same ITL."""
HOSTILE: Final = '<script>alert("x")</script> | `a` \x1b[31m \u202e'
"""A name as nobody should write it."""


def held(
    base: Trials = FAST,
    head: Trials = SLOW,
    machines: tuple[Machine | None, Machine | None] = (None, None),
    findings: tuple[Finding, ...] = (),
) -> Held:
    """Hold two rounds of one level against each other: the first is called ``one``, the other ``other``."""
    sides = [
        analysed({"c8": trials}, name=name, machine=machine, sha256=name)
        for trials, name, machine in zip((base, head), ("one", "other"), machines, strict=True)
    ]
    return hold(
        replace(sides[0], findings=findings, titles={one.check: one.message.text for one in findings}),
        sides[1],
        DECLARED,
    )


def swapped(found: Held) -> Held:
    """Hold the same rounds against each other the other way round."""
    return hold(found.head, found.base, DECLARED)


def of_levels(base: Mapping[str, Trials], head: Mapping[str, Trials]) -> Held:
    """Hold two rounds of several levels against each other."""
    return hold(analysed(base, name="one"), analysed(head, name="other"), DECLARED)


def warned() -> Finding:
    """Return a warning of the only series."""
    return Finding("x", "warn", say(zh="{s} 有事", en="something is odd with {s}", s=SeriesName("a")), "a")


def seen(found: Held, lang: Lang = "en") -> DiffView:
    """Return a comparison as it is printed."""
    return diff_view(found, GRAPH, lang)


def printers(base: Analysis, head: Analysis) -> dict[Lang, DiffPrinter]:
    """Return the printers of two rounds."""
    return {lang: diff_printer(base, head, GRAPH, lang) for lang in LANGS}
