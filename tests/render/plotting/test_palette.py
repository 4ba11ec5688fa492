from __future__ import annotations

import pytest

from generator.render.plotting.palette import ACCENTS, DARK, DARK_SURFACE, LIGHT, LIGHT_SURFACE
from tests.support.contrast import contrast

TEXT_CONTRAST = 4.5  # WCAG 2 AA for text; marks need 3


def test_black_on_white_has_the_greatest_contrast_there_is() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("colour", LIGHT)
def test_accents_can_be_read_on_a_light_page(colour: str) -> None:
    assert contrast(colour, LIGHT_SURFACE) >= TEXT_CONTRAST


@pytest.mark.parametrize("colour", DARK)
def test_accents_can_be_read_on_a_dark_page(colour: str) -> None:
    assert contrast(colour, DARK_SURFACE) >= TEXT_CONTRAST


def test_both_sets_have_as_many_different_colours() -> None:
    assert len(set(LIGHT)) == len(set(DARK)) == ACCENTS
