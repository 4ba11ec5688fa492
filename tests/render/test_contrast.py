"""Every pair of colours that the style sheets set text or marks in can be told apart, in both schemes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.render.plotting.palette import DARK, DARK_SURFACE, LIGHT, LIGHT_SURFACE
from generator.render.svg.drawing import DARK_COLOURS, LIGHT_COLOURS
from tests.support.contrast import contrast

ASSETS = Path(__file__).parents[2] / "site_src" / "assets"
STYLE = (ASSETS / "site.css").read_text(encoding="utf-8")
STYLES = "".join(path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.css")))
BLOCK = re.compile(r":root \{(.*?)\}", re.DOTALL)
COLOUR = re.compile(r"--([a-z0-9]+): (#[0-9a-f]{6});")
TEXT = 4.5
MARK = 3.0

GROUNDS = ("paper", "raised")
WORDS = ("ink", "quiet", "link", "fail", "warn", "unknown", "note", "pass", *(f"s{n}" for n in range(8)))
PAIRS = [(word, ground) for word in WORDS for ground in GROUNDS]
PAIRS += [(word, "mark") for word in ("ink", "quiet", "link", "fail", "warn", "unknown", "note", "pass")]
PAIRS += [("paper", "fail"), *(("paper", f"s{n}") for n in range(8))]
"""Words and what they stand on: the page, panels and rows, what is marked; badges and bars stand on colour."""

USED = re.compile(r"(?<![-\w])color: var\(--([a-z0-9]+)\)")
GROUND = re.compile(r"background: var\(--([a-z0-9]+)\)")


def colours_of(scheme: str) -> dict[str, str]:
    """Return the colours of the style sheet by name, in a scheme."""
    light, dark = (dict(COLOUR.findall(block)) for block in BLOCK.findall(STYLE))
    return light if scheme == "light" else {**light, **dark}


def declared_pairs(scheme: str) -> set[tuple[str, str]]:
    """Return the words and grounds below as colours: what a page sets text in is one of these."""
    colours = colours_of(scheme)
    return {(colours[word], colours[ground]) for word, ground in PAIRS}


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest) -> dict[str, str]:
    return colours_of(request.param)


@pytest.mark.parametrize(("word", "ground"), PAIRS)
def test_words_can_be_read(colours: dict[str, str], word: str, ground: str) -> None:
    assert contrast(colours[word], colours[ground]) >= TEXT


@pytest.mark.parametrize("mark", ["fail", "quiet", "ink", *(f"s{n}" for n in range(8))])
def test_marks_and_lines_can_be_seen(colours: dict[str, str], mark: str) -> None:
    assert contrast(colours[mark], colours["paper"]) >= MARK


def test_no_colour_of_text_and_no_ground_is_left_out() -> None:
    assert set(USED.findall(STYLES)) <= {word for word, _ in PAIRS}
    assert set(GROUND.findall(STYLES)) <= {ground for _, ground in PAIRS}


def test_both_schemes_name_the_same_colours() -> None:
    light, dark = (set(dict(COLOUR.findall(block))) for block in BLOCK.findall(STYLE))
    assert light == dark >= set(WORDS)


@pytest.mark.parametrize(("scheme", "accents", "surface"), [(0, LIGHT, LIGHT_SURFACE), (1, DARK, DARK_SURFACE)])
def test_drawings_have_the_colours_of_the_page(scheme: int, accents: tuple[str, ...], surface: str) -> None:
    colours = dict(COLOUR.findall(BLOCK.findall(STYLE)[scheme]))
    assert [colours[f"s{n}"].upper() for n in range(8)] == [accent.upper() for accent in accents]
    assert colours["paper"] == surface
    files = (LIGHT_COLOURS, DARK_COLOURS)[scheme]
    assert files == {
        "ink": colours["ink"], "muted": colours["quiet"], "rule": colours["hair"], "surface": colours["paper"],
    }  # fmt: skip
