from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from generator.render.wording.markup import (
    clean,
    fitted,
    group,
    in_lines,
    label,
    rounded,
    shortened,
    stroke,
    tag,
    text_width,
)
from tests.support.figure_models import parsed


@given(st.text(), st.text())
def test_whatever_stands_in_an_element_it_is_well_formed(content: str, value: str) -> None:
    element = parsed(tag("text", content, class_=value))
    assert element.attrib.keys() == {"class"}


def test_content_is_escaped_and_elements_are_not() -> None:
    assert group(tag("path", d="M0 0"), "<b>") == '<g><path d="M0 0"/>&lt;b&gt;</g>'
    assert isinstance(tag("g"), Markup)


def test_attributes_are_spelt_as_svg_spells_them() -> None:
    assert tag("line", class_="axis", stroke_width=1.25) == '<line class="axis" stroke-width="1.2"/>'
    assert stroke(0, 1, 2, 3, "grid") == '<line class="grid" x1="0" y1="1" x2="2" y2="3"/>'
    assert label("a", 1, 2, anchor="end") == '<text class="label" x="1" y="2" text-anchor="end">a</text>'
    assert "text-anchor" not in label("a", 1, 2)


@pytest.mark.parametrize(
    ("position", "text"), [(12.345, "12.3"), (12.0, "12"), (-0.04, "0"), (1234567.89, "1234567.9")]
)
def test_positions_are_in_tenths(position: float, text: str) -> None:
    assert rounded(position) == text


def test_a_text_is_one_line_without_what_xml_forbids() -> None:
    assert clean("a\nb\x00c\ud800") == "a b\ufffdc\ufffd"


def test_han_letters_are_as_wide_as_high() -> None:
    assert text_width("并发", 13) == 26


def test_a_text_that_is_too_wide_ends_in_an_ellipsis() -> None:
    assert fitted("short", 200) == "short"
    cut = fitted("x" * 80, 100)
    assert cut.endswith("x…")
    assert text_width(cut) <= 100
    assert fitted("anything", 0) == "…"


def test_a_text_goes_on_in_lines_between_words_or_han_letters() -> None:
    assert in_lines("short", 200, 2) == ["short"]
    assert in_lines("", 200, 2) == [""]
    # “one pool for” is 7 × 0.63 + 5 × 0.36 = 6.21 letters of 13 pixels wide: 80.7; “for all slots” 6.03: 78.4.
    assert in_lines("one pool for all slots", 80, 3) == ["one pool", "for all slots"]
    assert in_lines("并发，吞吐（算得）", 52, 3) == ["并发，吞", "吐（算", "得）"]  # four letters of 13 pixels a line
    first, last = in_lines("one " + "x" * 80, 90, 2)
    assert (first, last[:2], "…" in last) == ("one", "xx", True)


@given(st.text("ab 并发（）：", max_size=60), st.integers(1, 4))
def test_lines_lose_nothing_where_there_are_enough_and_fit(text: str, most: int) -> None:
    lines = in_lines(text, 80, most)
    assert 1 <= len(lines) <= most
    assert all(text_width(line) <= 80 for line in lines)
    if not any("…" in line for line in lines):
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_name_that_is_too_wide_keeps_both_of_its_ends() -> None:
    assert shortened("short", 200) == "short"
    measured, floor = (shortened("x" * 80 + end, 150) for end in ("", " floor"))
    assert floor.startswith("xx")
    assert floor.endswith(" floor")
    assert measured != floor
    assert text_width(floor) <= 150
    assert shortened("anything", 0) == "a…"
