from __future__ import annotations

import json
from typing import Any

import pytest

from generator.told.figure_model import FigureModel
from tests.support.analyses import printer
from tests.support.fit_figures import fitted, many, odd
from tests.support.specs import checked_spec


def made(model: FigureModel) -> dict[str, Any]:
    return json.loads(json.dumps(checked_spec(model, printer("en")), allow_nan=False))  # type: ignore[no-any-return]


def test_points_are_markers_that_lead_to_their_derivations() -> None:
    first, second, *_ = made(fitted())["data"]

    assert (first["mode"], first["x"], first["y"]) == ("markers", [1, 8, 64], [15.83, 16.63, 22.5])
    assert all(anchor for anchor, _ in first["customdata"])
    assert second["customdata"] == [["", ""]]
    assert first["text"][1] == "C=8 · 8\u202ftok · 16.63\u202fms"


def test_trends_are_lines_and_differ() -> None:
    trends = made(fitted())["data"][2:6]

    assert [trend["meta"]["role"] for trend in trends] == ["fit", "fit", "theory", "floor"]
    assert [trend["mode"] for trend in trends] == ["lines"] * 4
    assert len({trend["line"]["dash"] for trend in trends}) == 4


def test_marks_stand_over_the_plot_and_on_it() -> None:
    spec_ = made(fitted())

    assert [shape["x0"] for shape in spec_["layout"]["shapes"]] == [8]
    assert (spec_["data"][-1]["x"], spec_["data"][-1]["y"]) == ([8], [16.63])


def test_many_points_are_small_and_say_no_more_than_where_they_are() -> None:
    (points,) = made(many(2000))["data"]

    assert points["marker"]["size"] < made(fitted())["data"][0]["marker"]["size"]
    assert "text" not in points
    assert len(points["x"]) == 2000


@pytest.mark.parametrize("model", odd().values(), ids=odd().keys())
def test_odd_figures_are_specs(model: FigureModel) -> None:
    assert all("<script" not in trace["name"] for trace in made(model)["data"])
