from __future__ import annotations

import numpy as np
import pytest

from generator.figures.itl_ecdf import itl_ecdf
from generator.render.plotting.curve_places import (
    MOST_CORNERS,
    Path,
    dot_places,
    name_boxes,
    path_of,
    simplified,
    value_range,
)
from generator.render.plotting.scales import Ruler
from generator.render.svg.axes import Field
from tests.support.request_rows import answer, requests_of
from tests.support.run_figures import a_million_gaps, curves_of
from tests.support.run_rounds import round_of, two_series

FIELD = Field(Ruler("linear", 0, 1000, 0, 1000), Ruler("linear", 0, 100, 400, 0))
"""A plot of 1000 × 400 pixels, a pixel to the millisecond and four to the per cent."""


def straight(*corners: tuple[float, float]) -> Path:
    x, y = np.array(corners, dtype=np.float64).T
    return Path(x, y)


def test_few_values_are_steps() -> None:
    path = path_of(curves_of(two_series()).curves[0], FIELD)

    # 25 % at 100 ms, 50 % at 200: across first, then up
    assert list(zip(path.x.tolist(), path.y.tolist(), strict=True))[:6] == [
        (100, 400), (100, 400), (100, 300), (200, 300), (200, 200), (300, 200)
    ]  # fmt: skip


def test_what_is_beyond_the_border_stands_on_it() -> None:
    narrow = Field(Ruler("linear", 250, 1000, 0, 750), FIELD.y)

    assert path_of(curves_of(two_series()).curves[0], narrow).x.min() == 0


def test_a_log_axis_begins_where_one_per_cent_is_reached() -> None:
    # one gap of 1 µs among 200 is half a per cent
    plot = curves_of(round_of({("a", "c1", None): requests_of(answer(0.1, 1e-6, *[0.01] * 198, 0.9))}), itl_ecdf)
    low, high = value_range(plot)

    # from 10 to 900 ms, and 4 % of the decades more at either end
    assert low == pytest.approx(10 / 90**0.04)
    assert high == pytest.approx(900 * 90**0.04)


def test_a_drawn_curve_has_few_corners() -> None:
    path = path_of(curves_of(a_million_gaps(), itl_ecdf).curves[0], FIELD)

    assert len(simplified(path).x) <= MOST_CORNERS < len(path.x)


def test_a_name_stands_right_of_its_curve_and_a_little_lower() -> None:
    (box,) = name_boxes(["C=1"], [straight((100, 400), (200, 0))], [], FIELD)

    assert box is not None
    # at 44 %: y = 400 − 176 = 224, x = 100 + 44; seven pixels to the right and seven down
    assert (box.x, box.left, box.side) == (144, 151, "right")
    assert (box.top + box.bottom) / 2 == 231


def test_a_name_gives_way_to_another_curve_and_goes_to_the_left() -> None:
    crowd = [straight((100, 400), (110, 0)), straight((114, 400), (124, 0))]
    first, _ = name_boxes(["C=1", ""], crowd, [], FIELD)

    assert first is not None
    assert first.side == "left"
    assert first.right < 110


def test_names_do_not_touch_each_other_nor_a_dot() -> None:
    paths = [straight((100, 400), (110, 0)), straight((160, 400), (170, 0))]
    dots = [(125.0, 231.0)]
    first, second = name_boxes(["C=1", "C=16"], paths, dots, FIELD)

    assert first is not None
    assert second is not None
    assert not first.touches(second)
    assert not (first.left < 125 < first.right and first.top < 231 < first.bottom)


def test_a_name_without_room_is_left_out() -> None:
    crowd = [straight((4 + 6 * n, 400), (5 + 6 * n, 0)) for n in range(160)]

    assert name_boxes(["a long name of a level"] + [""] * 159, crowd, [], FIELD)[0] is None


def test_dots_are_those_of_the_series_asked_for() -> None:
    plot = curves_of(two_series())

    # p50 250 ms at half the height, p99 397 ms one per cent below the top, at both levels
    assert dot_places(plot, FIELD, "a") == [(250, 200), (397, pytest.approx(4))] * 2
    assert len(dot_places(plot, FIELD)) == 8
