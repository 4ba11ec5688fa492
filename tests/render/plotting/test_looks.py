from __future__ import annotations

from generator.render.plotting.looks import PLOTLY_SYMBOLS, SHAPES, accent_of, dash_of, look_of, looks, markers, ring
from generator.render.plotting.palette import ACCENTS
from tests.support.analyses import BASELINE
from tests.support.figure_models import line


def test_series_differ_in_colour_and_marker_and_are_all_solid() -> None:
    first, second = looks((line("a", [], series="s0"), line("b", [], series="s1")), {"s0": 0, "s1": 1})
    assert first.accent != second.accent
    assert first.shape != second.shape
    assert first.dash == second.dash == 0


def test_series_of_one_colour_differ_in_marker_and_dash() -> None:
    first, ninth = looks((line("a", [], series="s0"), line("i", [], series="s8")), {"s0": 0, "s8": 8})
    assert first.accent == ninth.accent == accent_of("s8", {"s8": 8})
    assert first.shape != ninth.shape
    assert first.dash != ninth.dash


def test_a_second_line_of_a_series_differs_in_marker_and_dash() -> None:
    p50, floor, p99 = looks((line("p50", []), line("floor", [], role="floor"), line("p99", [])), {BASELINE: 0})
    assert (p50.shape, p50.dash) != (p99.shape, p99.dash)
    assert floor.accent == p50.accent == p99.accent


def test_floors_are_finely_dashed_and_the_first_series_is_solid() -> None:
    measured, floor = line("m", []), line("f", [], role="floor")
    look, of_floor = looks((measured, floor), {BASELINE: 0})
    assert (dash_of(measured, look), dash_of(floor, of_floor)) == ("", "5 4")


def test_markers() -> None:
    # a circle of radius 4.2 around (10, 20): from its left end over two half turns
    circle = "M5.8 20a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0"
    assert markers(0, [(10, 20)]) == f'<path class="dot" d="{circle}"/>'
    # a diamond of radius 1.35 × 10 around (100, 100)
    diamond = "M113.5 100l-13.5 13.5 -13.5 -13.5 13.5 -13.5z"
    assert markers(3, [(100, 100)], radius=10) == f'<path class="dot" d="{diamond}"/>'
    assert ring(1, 2).startswith('<circle class="ring"')
    assert len(SHAPES) == len(PLOTLY_SYMBOLS)


def test_markers_of_one_shape_are_one_path() -> None:
    both = markers(3, [(100, 100), (200, 100)])
    assert both.count("<path") == 1
    assert both.count("z") == 2


def test_where_an_accent_is_used_again_marker_and_dash_differ() -> None:
    first, again = (look_of("s", {"s": number}) for number in (1, 1 + ACCENTS))

    assert first.accent == again.accent
    assert first.shape != again.shape
    assert first.dash != again.dash
