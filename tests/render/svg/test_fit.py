from __future__ import annotations

import re

import pytest

from generator.render.svg.drawing import draw
from generator.render.svg.fit import dashes, ranges
from generator.told.figure_model import FigureModel
from tests.support.analyses import printer
from tests.support.figure_models import parsed
from tests.support.fit_figures import fitted, many, odd, plot_of


def paths(svg: str, class_: str) -> list[str]:
    return re.findall(rf'<path class="{class_}" d="([^"]+)"', svg)


def test_few_points_are_markers_and_every_trend_is_a_line() -> None:
    svg = draw(fitted(), printer("en"), "wide")

    # each stands in the key and in the plot: of three points and of one, as outlines in one path a series
    assert [d.count("M") for d in paths(svg, "dot")] == [1, 1, 3, 1]
    assert [len(paths(svg, f"line {role}")) for role in ("fit", "theory", "floor")] == [4, 2, 2]


def test_the_first_fit_is_solid_and_what_was_not_measured_is_dashed() -> None:
    line, parabola, theory, floor = dashes(plot_of(fitted()).trends)

    assert line == ""
    assert len({line, parabola, theory, floor}) == 4


def test_many_points_are_five_hundred_dots_at_most() -> None:
    svg = draw(many(2000), printer("en"), "wide")

    (dots,) = paths(svg, "cloud")
    assert 400 < dots.count("M") <= 500


def test_the_axes_show_points_trends_and_marks() -> None:
    (left, right), (low, high) = ranges(plot_of(fitted()))

    # 4 % of 64 tok are free on the right; the lowest point is 10.3 ms, above 0.35 × 22.5 ms, so the axis begins
    # 4 % of 22.5 − 10.3 = 12.2 ms below it: at 9.812 ms
    assert (left, right) == pytest.approx((0, 64 * 1.04))
    assert (low, high) == pytest.approx((9.812, 22.988))


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("model", odd().values(), ids=odd().keys())
def test_odd_figures_are_drawn(model: FigureModel, width: str) -> None:
    root = parsed(draw(model, printer("zh"), "wide" if width == "wide" else "narrow"))

    assert "NaN" not in "".join(str(element.attrib) for element in root.iter()).replace("nan", "NaN")
