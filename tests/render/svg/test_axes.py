from __future__ import annotations

import re

from generator.render.plotting.scales import Ruler
from generator.render.svg.axes import Field, horizontal_axis, left_margin, vertical_axis
from generator.text import same
from generator.told.figure_model import Axis

FIELD = Field(Ruler("log", 1, 64, 50, 650), Ruler("linear", 0, 10, 300, 100))


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", svg)


def test_a_field_knows_its_borders() -> None:
    assert (FIELD.left, FIELD.right, FIELD.top, FIELD.bottom) == (50, 650, 100, 300)


def test_grid_lines_are_labelled_at_the_left() -> None:
    drawn = vertical_axis(Axis(same("y"), "ms", "linear"), FIELD, 5, "en")
    assert texts(drawn) == ["0", "2", "4", "6", "8", "10"]
    assert drawn.count('class="grid"') == 1
    assert "M50 260H650" in drawn  # 2 of 10, upwards from 300 to 100


def test_labels_that_would_touch_are_left_out() -> None:
    loads = Axis(same("x"), "", "log", (1, 60, 62, 64))
    # 60, 62 and 64 lie within 10 px of each other
    assert texts(horizontal_axis(loads, "concurrency", FIELD, 9, "en")) == ["1", "60", "concurrency"]


def test_the_margin_grows_with_the_labels() -> None:
    axis = Axis(same("y"), "ms", "log")
    assert left_margin(axis, 1000, 9000, 9, "en") > left_margin(axis, 1, 9, 9, "en")
