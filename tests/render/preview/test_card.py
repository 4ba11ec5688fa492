"""The picture that goes with a link."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest

from generator.render.preview.card import EDGE, HEIGHT, WIDTH, Card, KeyNumber, drawing, picture, wrapped
from generator.render.wording.markup import text_width
from tests.support.hostile import TEXTS

FIGURE = '<svg class="plot narrow" viewBox="0 0 360 300" role="img"><text class="label s0" x="1" y="2">f</text></svg>'
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="(\d+)"[^>]*>([^<]*)</text>')


def texts(card: Card) -> list[str]:
    return [text for *_, text in TEXT.findall(drawing(card))]


def test_it_says_title_lead_numbers_and_site() -> None:
    card = Card("round-2", "A title", "What it says.", "The site", numbers=(KeyNumber("15.83 ms", "ITL p50"),))
    assert sorted(texts(card)) == sorted(["round-2", "A title", "What it says.", "15.83 ms", "ITL p50", "The site"])


def test_a_figure_stands_beside_the_text_with_its_style() -> None:
    made = drawing(Card("", "T", "L", "S", figure=FIGURE))
    root = fromstring(made)  # noqa: S314  # our own
    (group,) = [one for one in root.iter() if one.tag.endswith("}g")]
    # 500 wide in place of 360 would be 416.7 high, which has room below 440.
    assert "scale(1.3889)" in group.attrib["transform"]
    assert any(one.tag.endswith("}style") for one in group)


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_of_a_text_becomes_an_element(text: str) -> None:
    made = drawing(Card(text, text, text, text, numbers=(KeyNumber(text, text),)))
    tags = {one.tag.rpartition("}")[2] for one in fromstring(made).iter()}  # noqa: S314  # our own
    assert tags == {"svg", "rect", "text"}
    assert picture(Card(text, text, text, text)).startswith(b"\x89PNG")


@pytest.mark.parametrize("title", ["长" * 300, "word " * 200, "x" * 500])
def test_no_text_leaves_the_picture(title: str) -> None:
    for x, y, letters, text in TEXT.findall(drawing(Card(title, title, title, title, FIGURE))):
        assert float(y) < HEIGHT
        assert float(x) == EDGE
        assert EDGE + text_width(text, int(letters)) < WIDTH


def test_words_stay_whole_and_chinese_breaks_anywhere_but_before_a_stop() -> None:
    # At 10 px a Han character is 10 px wide, a small letter 6.3, a space and an l 3.6.
    assert wrapped("one two three", 50, 10, 9) == ["one two", "three"]
    assert wrapped("甲乙丙丁戊", 30, 10, 9) == ["甲乙丙", "丁戊"]
    assert wrapped("甲乙丙，丁", 30, 10, 9) == ["甲乙丙，", "丁"]


def test_what_has_no_room_is_cut_with_an_ellipsis() -> None:
    assert wrapped("甲乙丙丁戊己庚", 30, 10, 2) == ["甲乙丙", "丁戊…"]
    assert wrapped("anything", 30, 10, 0) == []
