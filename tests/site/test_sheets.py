"""Style sheets and the pages that load them: no page lacks one that it needs, no rule is for what is nowhere."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.sites import RUNS

CLASSES = re.compile(r' class="([^"]*)"')
SHEETS = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
NAMED = re.compile(r"\.([a-z][\w-]*)")
SELECTORS = re.compile(r"([^{};]+)\{")
WORD = re.compile(r"[\w-]+")

BROUGHT_BY_SCRIPT = {"panel"}
"""A dialog that is empty until panel.js fills it: its sheet comes with that."""
ACCENT = re.compile(r"s[0-7]")
"""As many series as a round may tell apart: few rounds have all."""


def named_in(sheet: Path) -> set[str]:
    """Return the classes that the selectors of a sheet name."""
    selectors = SELECTORS.findall(re.sub(r'"[^"]*"', "", sheet.read_text(encoding="utf-8")))
    return {name for one in selectors if not one.startswith("@") for name in NAMED.findall(one)}


def sheets_of(site: Path) -> dict[str, set[str]]:
    """Return the classes that each sheet of a site names."""
    return {path.name: named_in(path) for path in sorted((site / "assets").glob("*.css"))}


def on(page: str) -> set[str]:
    """Return the classes on a page."""
    return {name for found in CLASSES.findall(page) for name in found.split()}


def words_of_the_makers() -> set[str]:
    """Return all words of what makes elements: templates, the scripts of pages, what draws figures."""
    root = RUNS.parent
    makers = [
        *root.glob("templates/*.html"),
        *root.glob("site_src/assets/*.js"),
        *root.glob("generator/render/**/*.py"),
    ]
    return {word for path in makers for word in WORD.findall(path.read_text(encoding="utf-8"))}


def test_a_page_loads_the_sheets_that_name_its_classes(site: Path) -> None:
    sheets = sheets_of(site)
    known = set().union(*sheets.values()) - BROUGHT_BY_SCRIPT
    lacking = {}
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        loaded = set().union(*(sheets[way.rpartition("/")[2]] for way in SHEETS.findall(page)))
        if lacks := on(page) & known - loaded:
            lacking[path.relative_to(site).as_posix()] = lacks
    assert lacking == {}


def test_every_sheet_is_loaded_by_a_page_or_a_script(site: Path) -> None:
    pages = {way for path in site.rglob("*.html") for way in SHEETS.findall(path.read_text(encoding="utf-8"))}
    scripts = "".join(path.read_text(encoding="utf-8") for path in (site / "assets").glob("*.js"))
    loaded = {way.rpartition("/")[2] for way in pages} | set(re.findall(r"assets/([\w-]+\.css)", scripts))
    assert set(sheets_of(site)) == loaded


def test_every_class_that_a_sheet_names_can_be_on_a_page(site: Path) -> None:
    named = set().union(*sheets_of(site).values())
    assert {name for name in named - words_of_the_makers() if not ACCENT.fullmatch(name)} == set()


def test_what_a_sheet_names_is_read_off_its_selectors(tmp_path: Path) -> None:
    sheet = tmp_path / "a.css"
    sheet.write_text('.a:not(.b)::after,p.c>.d{content:".e";margin:.5rem}@media (min-width:1.5rem){.f{top:0}}')
    assert named_in(sheet) == {"a", "b", "c", "d", "f"}
