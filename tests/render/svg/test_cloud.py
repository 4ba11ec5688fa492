from __future__ import annotations

import re

import pytest

from generator.model import Round
from generator.render.svg.axes import SHEETS
from generator.render.svg.cloud import draw_cloud, latency_range, time_range
from tests.support.run_figures import a_million_gaps, cloud_of, printed
from tests.support.run_rounds import many_levels, two_series

ACCENTS = {"a": 0, "b": 1}


def drawn(round_: Round) -> str:
    return draw_cloud(cloud_of(round_), ACCENTS, printed(round_), SHEETS["wide"])[0]


def paths(svg: str, class_: str) -> list[str]:
    return re.findall(rf'<path class="{class_}" d="([^"]+)"', svg)


def test_the_dots_of_a_cloud_are_one_path() -> None:
    svg = drawn(two_series())

    assert [d.count("M") for d in paths(svg, "cloud")[-2:]] == [4, 4]


def test_clouds_differ_in_their_dots_too() -> None:
    caps = re.findall(r'class="cloud"[^>]* stroke-linecap="(\w+)"', drawn(two_series()))

    assert caps == ["round", "square"] * 2  # in the key, and in the plot


def test_failed_requests_are_crosses_on_the_base_line() -> None:
    svg = drawn(two_series())

    assert [d.count("M") for d in paths(svg, "cross")] == [1]


def test_a_large_cloud_is_five_hundred_dots() -> None:
    (d,) = paths(drawn(a_million_gaps()), "cloud")

    assert 400 < d.count("M") <= 500


def test_the_steady_part_is_a_bar_and_shades_the_plot_where_it_is_the_only_one() -> None:
    assert [drawn(two_series()).count(f'class="{one}"') for one in ("steady", "window")] == [2, 0]
    assert [drawn(many_levels(1)).count(f'class="{one}"') for one in ("steady", "window")] == [1, 1]


def test_time_begins_a_little_before_the_first_request() -> None:
    # the last failed one was sent after 0.6 s; 2 % of it are free at either end
    assert time_range(cloud_of(two_series())) == pytest.approx((-0.012, 0.612))


def test_a_linear_axis_of_latencies_begins_at_zero() -> None:
    low, high = latency_range(cloud_of(two_series()))

    # the slowest answer took 1300 + 180 ms; 4 % are free above it
    assert low == 0
    assert high == pytest.approx(1480 * 1.04)
