from __future__ import annotations

import json
from typing import Any

import pytest

from generator.figure_model import FigureModel
from generator.render.palette import LIGHT
from generator.render.plotly_spec import escaped, spec
from tests.support.analyses import printer
from tests.support.figure_models import HOSTILE, bar_figure, step_figure, stress_figures

STRESS = stress_figures()


def made(figure: FigureModel) -> dict[str, Any]:
    return json.loads(json.dumps(spec(figure, printer("en")), allow_nan=False))  # type: ignore[no-any-return]


@pytest.mark.parametrize("figure", STRESS.values(), ids=STRESS.keys())
def test_every_spec_is_plain_json_without_template_or_packed_arrays(figure: FigureModel) -> None:
    text = json.dumps(spec(figure, printer("zh")), allow_nan=False)
    assert '"template"' not in text
    assert '"bdata"' not in text
    assert {trace["type"] for trace in json.loads(text)["data"]} <= {"scatter", "bar"}


def test_a_measured_line() -> None:
    first, second, _ = made(step_figure())["data"]
    assert (first["x"], first["y"]) == ([1, 8, 64], [15.83, 16.63, 22.5])
    assert first["meta"] == {"accent": 0, "role": "measured"}
    assert first["line"]["color"] == LIGHT[0]
    assert first["mode"] == "lines+markers"
    assert first["text"][1] == "C=8: 16.63\u202fms"
    assert first["customdata"][1] == ["level~itl_p50~vllm-bf16~c8", ""]
    assert first["line"]["dash"] == second["line"]["dash"] == "solid"
    assert first["marker"]["symbol"] != second["marker"]["symbol"]


def test_a_spoilt_point_is_open_and_carries_its_reason() -> None:
    second = made(step_figure())["data"][1]
    assert second["marker"]["symbol"] == ["square", "square-open"]
    assert second["customdata"][1] == ["level~itl_p50~llamacpp-q4_k_m~c8", "spoilt by &lt;stalls&gt;"]


def test_a_floor_is_dashed_without_markers() -> None:
    floor = made(step_figure())["data"][2]
    assert (floor["mode"], floor["line"]["dash"]) == ("lines", "dash")
    assert "marker" not in floor


def test_the_layout_has_axes_and_marks_and_no_title() -> None:
    layout = made(step_figure())["layout"]
    assert "title" not in layout
    assert layout["xaxis"]["tickvals"] == [1, 2, 4, 8, 16, 32, 64]
    assert layout["xaxis"]["type"] == "log"
    assert layout["yaxis"]["title"]["text"] == "step (ms)"
    assert layout["shapes"][0]["x0"] == 12  # shapes stand at the value,
    assert layout["annotations"][0]["x"] == pytest.approx(1.0791812)  # annotations at log10(12)


def test_a_long_hover_text_is_folded() -> None:
    texts = made(step_figure())["data"][1]["text"]
    assert texts[1] == "C=8: 10.30\u202fms (spoilt by &lt;stalls&gt;)"
    long = made(STRESS["hostile"])["data"][0]
    assert "<b>" not in long["name"]


def test_hostile_names_are_shown_as_they_are() -> None:
    trace = made(STRESS["hostile"])["data"][0]
    assert trace["name"] == escaped(HOSTILE)
    assert "<script" not in json.dumps(trace)
    assert trace["hovertemplate"] == "%{fullData.name}<br>%{text}<extra></extra>"


def test_bars_are_stacked_and_patterned() -> None:
    made_spec = made(bar_figure())
    layout, (weights, pool, free, other) = made_spec["layout"], made_spec["data"]
    assert layout["barmode"] == "stack"
    assert (weights["x"], weights["orientation"]) == ([14.49], "h")
    assert pool["marker"]["pattern"] == {"shape": "/", "fillmode": "overlay", "size": 7, "fgopacity": 0.3}
    assert free["marker"]["color"] == "rgba(0,0,0,0)"
    assert other["meta"] == {"accent": 0, "role": "solid"}
    assert layout["annotations"][0]["text"] == "capacity 24\u202fGiB"


def test_a_part_below_zero_cannot_be_stacked() -> None:
    assert made(STRESS["negative part"])["data"] == []
