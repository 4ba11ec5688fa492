"""Drawings as PNG, and what the fonts of this machine can show."""

from __future__ import annotations

import struct

import pytest

from generator.render.preview import pixels
from generator.render.preview.pixels import drawable, is_drawn, png, readable_languages

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect width="3" height="2"/></svg>'

needs_han = pytest.mark.skipif("zh" not in readable_languages(), reason="no font here has Chinese characters")


def test_a_drawing_becomes_a_png_of_its_size_and_always_the_same() -> None:
    made = png(SQUARE)
    assert made.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", made[16:24]) == (3, 2)
    assert made == png(SQUARE)


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(ValueError, match="root node"):
        png("<p>")


@needs_han
def test_characters_are_kept_that_a_font_has() -> None:
    assert drawable("vLLM 与 llama.cpp：2.71×") == "vLLM 与 llama.cpp：2.71×"


def test_a_character_that_no_font_has_is_left_out() -> None:
    assert not is_drawn("\U0010fffe")
    assert drawable("a\U0010fffeb") == "ab"


def test_without_a_font_for_a_language_it_is_not_among_those_that_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    # As with no font of Chinese: all such characters are drawn alike, as the box that stands for what is missing.
    drawn = pixels._drawn

    def boxes(letter: str) -> bytes:
        return drawn(letter if letter.isascii() else pixels.NOWHERE)

    for cached in (is_drawn, readable_languages):
        cached.cache_clear()
    monkeypatch.setattr(pixels, "_drawn", boxes)
    try:
        assert readable_languages() == ("en",)
        assert drawable("vLLM 与 x") == "vLLM  x"
    finally:
        for cached in (is_drawn, readable_languages):
            cached.cache_clear()
