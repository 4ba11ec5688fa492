from __future__ import annotations

import json
from typing import Any

import pytest

from generator.figures.itl_ecdf import itl_ecdf
from generator.figures.ttft_ecdf import ttft_ecdf
from generator.kinds import Figure
from generator.model import Round
from generator.render.plotting.palette import LIGHT
from generator.values import Address
from tests.support.run_figures import RUN_FIGURES, a_million_gaps, figure_of, printed, run_figure
from tests.support.run_rounds import many_levels, repeated, two_series
from tests.support.specs import checked_spec


def made(round_: Round, figure: Figure = ttft_ecdf) -> dict[str, Any]:
    return json.loads(json.dumps(checked_spec(figure_of(figure, round_), printed(round_)), allow_nan=False))  # type: ignore[no-any-return]


def test_a_curve_is_a_trace_of_steps() -> None:
    first = made(two_series())["data"][0]

    assert (first["x"], first["y"]) == ([100, 100, 200, 300, 400], [0, 25, 50, 75, 100])
    assert first["line"]["shape"] == "hv"
    assert (first["name"], first["showlegend"]) == ("a C=1", False)
    assert first["meta"] == {"accent": 0, "role": "curve"}


def test_the_markers_of_a_series_stand_in_the_legend_and_open_their_derivation() -> None:
    dots = made(two_series())["data"][-1]

    assert (dots["name"], dots["mode"], dots["marker"]["color"]) == ("b", "markers", LIGHT[1])
    assert dots["text"][:2] == ["C=1 p50 500\u202fms", "C=1 p99 1,279\u202fms"]
    anchor = printed(two_series()).anchors[Address("ttft_p50", "level", "b", "c1")]
    assert dots["customdata"][0] == [anchor, ""]


def test_a_legend_is_for_several_series() -> None:
    assert made(two_series())["layout"]["showlegend"] is True
    assert [entry["name"] for entry in made(two_series())["legend"]] == ["a", "b"]
    assert made(many_levels(2))["layout"]["showlegend"] is False


def test_levels_are_named_beside_their_curves() -> None:
    notes = [note for note in made(many_levels(2))["layout"]["annotations"] if note.get("name") == "s0"]

    assert [(note["text"], note["xanchor"], note["y"]) for note in notes] == [("C=1", "left", 44), ("C=2", "left", 56)]
    # 44 % is reached on the step up at 200 ms
    assert notes[0]["x"] == pytest.approx(200)


def test_a_level_that_is_the_only_one_has_no_name_beside_its_curve() -> None:
    assert [note for note in made(many_levels(1))["layout"]["annotations"] if note.get("name") == "s0"] == []


def test_trials_are_traces_of_their_own() -> None:
    assert [trace["name"] for trace in made(repeated())["data"][:2]] == ["a C=2, trial 1", "a C=2, trial 2"]


def test_a_million_gaps_are_five_hundred_points() -> None:
    curve = made(a_million_gaps(), itl_ecdf)["data"][0]

    assert len(curve["x"]) <= 501
    assert curve["line"]["shape"] == "linear"
    # 1 008 000 gaps of 1 µs to 1.008 s: the twenty largest are there
    assert curve["x"][-20:] == [pytest.approx(1007.981 + step / 1000) for step in range(20)]


@pytest.mark.parametrize("name", RUN_FIGURES)
def test_specs_are_plain_json_and_no_trace_is_large(name: str) -> None:
    model, printer = run_figure(name)
    text = json.dumps(checked_spec(model, printer), allow_nan=False)

    assert '"bdata"' not in text
    assert {trace["type"] for trace in json.loads(text)["data"]} == {"scatter"}
    assert all(len(trace["x"]) <= 10_000 for trace in json.loads(text)["data"])
