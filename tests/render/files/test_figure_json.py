"""A figure as JSON, for whoever draws it anew."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.render.files.figure_json import figure_json
from generator.text import LANGS
from generator.told.figure_model import FigureModel
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.figure_models import bar_figure, step_figure, stress_figures

STRESS = stress_figures()


def made(figure: FigureModel) -> dict[str, Any]:
    found = figure_json(figure, {lang: printer(lang) for lang in LANGS})
    return json.loads(json.dumps(found, allow_nan=False))  # type: ignore[no-any-return]


@pytest.mark.parametrize("figure", STRESS.values(), ids=STRESS.keys())
def test_whatever_a_figure_holds_is_json(figure: FigureModel) -> None:
    assert made(figure)["schema"] == 1


def test_a_point_says_what_it_is_the_value_of() -> None:
    first, second, floor = made(step_figure())["lines"]
    assert (first["name"], first["series"], first["role"]) == (
        {"zh": "vLLM BF16", "en": "vLLM BF16"},
        BASELINE,
        "measured",
    )
    assert first["points"][0] == {
        "x": 1, "y": 15.83, "spoilt": None, "metric": "itl_p50", "basis": None, "scope": "level", "series": BASELINE,
        "level": "c1", "trial": None, "derivation": printer().anchors[Address("itl_p50", "level", BASELINE, "c1")],
    }  # fmt: skip
    assert second["points"][1]["spoilt"] == {"zh": "作废，因为 <停顿>", "en": "spoilt by <stalls>"}
    assert second["series"] == COMPARED
    assert floor["role"] == "floor"


def test_axes_marks_and_words_come_in_both_languages() -> None:
    found = made(step_figure())
    assert found["kind"] == "lines"
    assert found["y"] == {"label": {"zh": "步长", "en": "step"}, "unit": "ms", "scale": "log"}
    assert found["marks"] == [{"x": 12, "y": 16.9, "label": {"zh": "交点", "en": "crossing"}}]
    assert found["title"]["en"] == "The step"
    assert "15.83\u202fms" in found["alt"]["zh"]


def test_a_bar_is_made_of_segments_up_to_a_limit() -> None:
    found = made(bar_figure())
    assert found["kind"] == "bars"
    assert found["limit"] == {"name": {"zh": "容量", "en": "capacity"}, "length": 24.0}
    assert [part["length"] for part in found["bars"][0]["segments"]] == [14.49, 6.41, 2.9, 0.2]
    assert [part["fill"] for part in found["bars"][0]["segments"]] == ["solid", "hatched", "empty", "solid"]


def test_what_is_no_number_is_null() -> None:
    (line,) = made(STRESS["not finite"])["lines"]
    assert [point["y"] for point in line["points"]] == [None, 1e308]
