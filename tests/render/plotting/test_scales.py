from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.plotting.scales import Ruler, domain, drawable, snapped, span, tick_name, tick_text, ticks
from generator.text import same
from generator.told.figure_model import Axis, Scale

LOG = Axis(same("x"), "", "log")
LINEAR = Axis(same("x"), "", "linear")


def test_a_log_ruler_gives_each_doubling_the_same_length() -> None:
    ruler = Ruler("log", 1, 16, 0, 400)
    assert [ruler.at(load) for load in (1, 2, 4, 16)] == pytest.approx([0, 100, 200, 400])


def test_a_ruler_may_run_upwards() -> None:
    assert Ruler("linear", 0, 10, 300, 100).at(2.5) == pytest.approx(250)


@given(values=st.lists(st.floats(1e-3, 1e6), min_size=1), scale=st.sampled_from(("log", "linear")))
def test_many_values_stand_exactly_where_each_does_alone(values: list[float], scale: Scale) -> None:
    ruler = Ruler(scale, 0.5, 4096, 50, 650)
    assert ruler.each(np.array(values)).tolist() == [ruler.at(value) for value in values]


@pytest.mark.parametrize(
    ("value", "scale", "has_place"),
    [(0.0, "log", False), (-1.0, "log", False), (-1.0, "linear", True), (float("nan"), "linear", False),
     (float("inf"), "log", False), (1e-9, "log", True)],
)  # fmt: skip
def test_what_has_a_place_on_an_axis(value: float, scale: Scale, has_place: bool) -> None:
    assert drawable(value, scale) is has_place


def test_a_linear_axis_starts_at_zero_unless_the_values_are_close_together() -> None:
    assert domain([2, 10], "linear")[0] == 0
    assert domain([15, 20], "linear") == pytest.approx((14.8, 20.2))  # 4 % of 5 at either end


def test_one_value_and_none_still_have_a_domain() -> None:
    assert domain([8], "log") == (4, 16)
    assert domain([0], "linear") == (0, 1)
    assert domain([-3], "linear") == (-4.5, -1.5)
    low, high = domain([], "log")
    assert low < high


def test_a_log_domain_reaches_to_a_tick_that_is_near() -> None:
    assert snapped(56, 1500, "log") == (50, 1500)  # 50 ÷ 56 = 0.89 is near; 1500 ÷ 2000 = 0.75 is not
    assert snapped(56, 1500, "linear") == (56, 1500)


@pytest.mark.parametrize(
    ("axis", "low", "high", "most", "expected"),
    [
        (LOG, 4, 130, 10, [5, 10, 20, 50, 100]),
        (LOG, 1, 1e4, 10, [1, 3, 10, 30, 100, 300, 1000, 3000, 10000]),  # 13 at 1-2-5 are too many
        (LOG, 1e-4, 1e5, 10, [1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4, 1e5]),
        (LOG, 1e-4, 1e5, 5, [1e-4, 1e-2, 1, 100, 1e4]),
        (LOG, 11, 13, 5, [11, 11.5, 12, 12.5, 13]),  # between two ticks of 1-2-5: as on a linear axis
        (LOG, 19, 31.5, 12, [20, 25, 30]),  # 12.5 ÷ 6 is more than 2: steps of 5, however much room there is
        (LINEAR, 0, 24, 7, [0, 5, 10, 15, 20]),
        (LINEAR, -0.25, 0.31, 6, [-0.2, -0.1, 0, 0.1, 0.2, 0.3]),
        (Axis(same("x"), "", "log", (1, 8, 64, 512)), 1, 100, 7, [1, 8, 64]),
    ],
)
def test_ticks(axis: Axis, low: float, high: float, most: int, expected: list[float]) -> None:
    assert ticks(axis, low, high, most) == pytest.approx(expected)


@given(st.floats(1e-9, 1e9), st.floats(1.01, 1e12), st.integers(3, 12), st.sampled_from([LOG, LINEAR]))
def test_ticks_are_few_and_inside(low: float, ratio: float, most: int, axis: Axis) -> None:
    found = ticks(axis, low, low * ratio, most)
    assert 0 < len(found) <= most + 1
    assert all(low * (1 - 1e-9) <= tick <= low * ratio * (1 + 1e-9) for tick in found)


@pytest.mark.parametrize(("tick", "text"), [(1000, "1,000"), (0.2, "0.2"), (30.0, "30"), (1e-6, "1.00 × 10⁻⁶")])
def test_a_tick_has_as_many_decimals_as_it_needs(tick: float, text: str) -> None:
    assert tick_text(tick, "en") == text


def test_a_tick_may_have_a_name() -> None:
    rounds = Axis(same("x"), "", "linear", (1.0, 2.0), ("round-1", "round-2"))
    assert [tick_name(rounds, tick, "en") for tick in (1.0, 2.0, 3.0)] == ["round-1", "round-2", "3"]


def test_an_axis_from_zero_shows_zero() -> None:
    # 100 and 103 alone would be an axis of their own, with 4 % of their distance on either side
    from_zero = span(Axis(same("y"), "ms", "linear", from_zero=True), [100.0, 103.0])
    assert from_zero == pytest.approx((0.0, 103.0 * 1.04))
    assert span(LINEAR, [100.0, 103.0]) == pytest.approx((99.88, 103.12))
    assert span(Axis(same("y"), "ms", "log", from_zero=True), [1.0, 10.0])[0] > 0


def test_names_at_the_ends_of_an_axis_have_room() -> None:
    assert span(Axis(same("x"), "", "linear", (1.0, 3.0), ("first", "last")), [1.0, 4.0]) == (0.6, 4.4)
