from __future__ import annotations

import re

import pytest

from generator.render.svg.drawing import draw
from generator.render.svg.trace import STROKES, height_range, strokes_of, time_range
from generator.told.figure_model import Mark
from generator.told.sentence import say
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.figure_models import parsed
from tests.support.trace_figures import plot_of, traced


def test_every_trace_that_is_drawn_is_a_line_in_its_panel() -> None:
    svg = draw(traced(), printer("en"), "wide")

    # three in the key, three in the first panel, one in the second
    assert len(re.findall(r'<path class="line fit"', svg)) == 7
    assert "requests running" in svg
    assert "KV pool use (%)" in svg
    assert "C=64" not in svg


def test_the_highest_level_of_a_series_is_solid() -> None:
    strokes = strokes_of(plot_of(traced()))

    assert strokes[BASELINE, "c8", None] == STROKES[0]
    assert strokes[BASELINE, "c1", None] == STROKES[1]
    assert strokes[COMPARED, "c8", None] == STROKES[0]


def test_axes_begin_at_zero_and_reach_to_what_is_drawn() -> None:
    plot = plot_of(traced())

    # 4 % of room behind the last of 20 s; 8 requests, for C=64 is not drawn
    assert time_range(plot) == pytest.approx((0, 20.8))
    assert height_range(plot.panels[0]) == pytest.approx((0, 8.32))


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_drawing_is_well_formed_with_marks_and_without(width: str, lang: str) -> None:
    for model in (traced(), traced(Mark(4.0, None, say("<满>", "<full> & more")))):
        root = parsed(draw(model, printer("zh" if lang == "zh" else "en"), "wide" if width == "wide" else "narrow"))
        box = [float(part) for part in root.attrib["viewBox"].split()]
        assert all(0 <= float(text.attrib["y"]) <= box[3] for text in root.iter("text"))
