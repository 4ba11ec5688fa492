from __future__ import annotations

import json
from typing import Any

import pytest

from generator.figures.requests_over_time import requests_over_time
from generator.model import Round
from tests.support.run_figures import a_million_gaps, figure_of, printed
from tests.support.run_rounds import many_levels, two_series
from tests.support.specs import checked_spec


def made(round_: Round) -> dict[str, Any]:
    return json.loads(json.dumps(checked_spec(figure_of(requests_over_time, round_), printed(round_)), allow_nan=False))  # type: ignore[no-any-return]


def test_a_cloud_is_a_trace_of_markers() -> None:
    first, second, _ = made(two_series())["data"]

    assert (first["x"], first["y"]) == ([0, 0, 0.2, 0.3], [130, 230, 350, 490])
    assert (first["name"], first["mode"]) == ("a C=2", "markers")
    assert first["marker"]["symbol"] != second["marker"]["symbol"]


def test_failed_requests_are_crosses_at_the_bottom() -> None:
    spec_ = made(two_series())
    failed = spec_["data"][2]

    assert (failed["x"], failed["y"]) == ([0.6], [spec_["layout"]["yaxis"]["range"][0]])
    assert (failed["marker"]["symbol"], failed["showlegend"]) == ("x-thin", False)


def test_the_steady_part_is_a_bar_above_the_plot() -> None:
    bars = [shape for shape in made(two_series())["layout"]["shapes"] if shape["type"] == "line"]

    # a: 0.13 to 0.3 s; b: 0.26 to 0.6 s, the sending of the failed one
    assert sorted((bar["name"], bar["x0"], bar["x1"]) for bar in bars) == [
        ("s0", pytest.approx(0.13), pytest.approx(0.3)),
        ("s1", pytest.approx(0.26), pytest.approx(0.6)),
    ]


def test_the_steady_part_of_the_only_cloud_is_shaded() -> None:
    assert [shape["type"] for shape in made(many_levels(1))["layout"]["shapes"]] == ["line", "rect"]


def test_many_points_are_small() -> None:
    few, many = (made(round_)["data"][0]["marker"]["size"] for round_ in (two_series(), a_million_gaps()))

    assert few > many


def test_no_trace_has_more_than_ten_thousand_points() -> None:
    assert 8_000 < len(made(a_million_gaps())["data"][0]["x"]) <= 10_000
