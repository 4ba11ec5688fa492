from __future__ import annotations

import re

import pytest

from generator.figures.itl_ecdf import itl_ecdf
from generator.model import Round
from generator.render.svg.axes import SHEETS
from generator.render.svg.curves import draw_curves, level_names, width_of
from generator.render.svg.drawing import draw
from tests.support.figure_models import parsed
from tests.support.run_figures import RUN_FIGURES, a_million_gaps, curves_of, figure_of, printed, run_figure
from tests.support.run_rounds import QUICK, SLOW, many_levels, round_of, two_series

ACCENTS = {"a": 0, "b": 1}


def drawn(round_: Round, width: str = "wide") -> str:
    sheet = SHEETS["wide" if width == "wide" else "narrow"]
    return draw_curves(curves_of(round_), ACCENTS, printed(round_), sheet)[0]


def test_each_curve_is_one_path_in_the_accent_of_its_series() -> None:
    svg = drawn(two_series())

    assert len(re.findall(r'<g class="s0"><path class="curve"', svg)) == 2
    assert len(re.findall(r'<g class="s1"><path class="curve"', svg)) == 2


def test_levels_stand_beside_their_curves_and_series_in_the_key() -> None:
    svg = drawn(two_series())

    assert re.findall(r'<text class="label measured (s\d)"[^>]*>([^<]+)</text>', svg)[:2] == [("s0", "a"), ("s1", "b")]
    assert svg.count(">C=2</text>") >= 1


def test_a_series_alone_needs_no_key() -> None:
    assert ">a</text>" not in drawn(many_levels(2))


def test_the_heavier_the_line_the_higher_the_load() -> None:
    widths = [width_of(curve) for curve in curves_of(many_levels(3)).curves]

    # 1.1 px, and 1.3 px more at the highest load
    assert widths == pytest.approx([1.1, 1.75, 2.4])


def test_trials_are_thin_and_named_once() -> None:
    round_ = round_of({("a", "c1", None): QUICK, ("a", "c2", 1): QUICK, ("a", "c2", 2): SLOW})
    curves = curves_of(round_).curves

    assert [width_of(curve) for curve in curves] == pytest.approx([1.1, 0.6 * 2.4, 0.6 * 2.4])
    assert level_names(curves, printed(round_)) == ["C=1", "C=2", ""]


def test_a_level_that_all_curves_share_stands_in_the_title_alone() -> None:
    round_ = round_of({("a", "c2", None): QUICK, ("b", "c2", None): SLOW})

    assert level_names(curves_of(round_).curves, printed(round_)) == ["", ""]
    assert ">C=2</text>" not in drawn(round_)


def test_curves_left_out_are_not_drawn() -> None:
    assert drawn(many_levels(6)).count('class="curve"') == 3


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("name", RUN_FIGURES)
def test_drawings_are_whole_and_small(name: str, width: str) -> None:
    model, printer = run_figure(name)
    svg = draw(model, printer, "wide" if width == "wide" else "narrow")

    assert parsed(svg).tag == "svg"
    assert len(svg) < 16_000


def test_a_million_gaps_are_a_path_of_at_most_eighty_corners() -> None:
    svg = draw(figure_of(itl_ecdf, a_million_gaps()), printed(a_million_gaps()), "wide")
    (d,) = re.findall(r'class="curve" d="M([^"]+)"', svg)

    assert len(d.split()) <= 2 * 80
