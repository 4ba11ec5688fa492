from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from generator.render.plotly.parts import escaped, scatter
from generator.render.plotly.spec import check
from generator.render.plotting.palette import LIGHT
from generator.told.figure_model import FigureModel, LinePlot
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.figure_models import CONCURRENCY, HOSTILE, STEP, bar_figure, line, step_figure, stress_figures
from tests.support.figure_models import figure as figure_of
from tests.support.specs import checked_spec

STRESS = stress_figures()


def made(figure: FigureModel) -> dict[str, Any]:
    return json.loads(json.dumps(checked_spec(figure, printer("en")), allow_nan=False))  # type: ignore[no-any-return]


@pytest.mark.parametrize("figure", STRESS.values(), ids=STRESS.keys())
def test_every_spec_is_plain_json_without_template_or_packed_arrays(figure: FigureModel) -> None:
    text = json.dumps(checked_spec(figure, printer("zh")), allow_nan=False)
    assert '"template"' not in text
    assert '"bdata"' not in text
    assert {trace["type"] for trace in json.loads(text)["data"]} <= {"scatter", "bar"}


@pytest.mark.parametrize(
    "spec",
    [
        {"data": [scatter(x=[1], y=[2], made="up")], "layout": {}},
        {"data": [scatter(x=[1], y=[2], mode="zigzag")], "layout": {}},
        {"data": [], "layout": {"xaxis": {"type": "cubic"}}},
    ],
    ids=["name", "value", "layout"],
)
def test_what_plotly_does_not_know_is_refused(spec: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"Invalid (property|value)"):
        check(spec)


def test_a_measured_line() -> None:
    first, second, *_ = made(step_figure())["data"]
    assert (first["x"], first["y"]) == ([1, 8, 64], [15.83, 16.63, 22.5])
    assert first["meta"] == {"accent": 0, "role": "measured"}
    assert first["line"]["color"] == LIGHT[0]
    assert first["mode"] == "lines+markers"
    assert first["text"][1] == "C=8: 16.63\u202fms"
    assert first["customdata"][1] == [printer().anchors[Address("itl_p50", "level", BASELINE, "c8")], ""]
    assert first["line"]["dash"] == second["line"]["dash"] == "solid"
    assert first["marker"]["symbol"] != second["marker"]["symbol"]


def test_a_spoilt_point_is_open_and_carries_its_reason() -> None:
    second = made(step_figure())["data"][1]
    # Between the points is a gap: what leads to a spoilt one is no sound line, but a dotted one of its own.
    assert second["y"] == [5.84, None, 10.3]
    assert second["marker"]["symbol"] == ["square", "square", "square-open"]
    spoilt = Address("itl_p50", "level", COMPARED, "c8")
    assert second["customdata"][2] == [printer().anchors[spoilt], "spoilt by &lt;stalls&gt;"]


def test_a_line_is_broken_where_a_point_has_no_place() -> None:
    plot = LinePlot(CONCURRENCY, STEP, (line("gap", [(1, 5), (8, 0), (64, 7)]),))
    [only] = made(figure_of(plot))["data"]
    assert (only["x"], only["y"]) == ([1, None, 64], [5, None, 7])


def test_what_leads_to_a_spoilt_point_is_dotted_and_says_nothing() -> None:
    doubtful = made(step_figure())["data"][2]
    assert (doubtful["x"], doubtful["y"]) == ([1, 8, None], [5.84, 10.3, None])
    assert (doubtful["hoverinfo"], doubtful["showlegend"]) == ("skip", False)
    assert doubtful["meta"] == {"accent": 1, "role": "doubtful"}


def test_a_floor_is_dashed_without_markers() -> None:
    floor = made(step_figure())["data"][3]
    assert (floor["mode"], floor["line"]["dash"]) == ("lines", "dash")
    assert "marker" not in floor


def test_the_layout_has_axes_and_marks_and_no_title() -> None:
    layout = made(step_figure())["layout"]
    assert "title" not in layout
    assert layout["xaxis"]["tickvals"] == [1, 2, 4, 8, 16, 32, 64]
    assert layout["xaxis"]["type"] == "log"
    assert layout["shapes"][0]["x0"] == 12  # shapes stand at the value,
    above, below, mark = layout["annotations"]
    assert mark["x"] == pytest.approx(1.0791812)  # annotations at log10(12)
    assert (above["name"], above["text"]) == ("title", "step (ms)")  # no title is read sideways
    assert (below["name"], below["text"], below["y"], below["yshift"]) == ("title", "concurrency", 0, -22)
    assert "title" not in layout["xaxis"]  # one of Plotly's own would be placed before the ticks are measured


def test_a_mark_has_a_ring_where_it_lies() -> None:
    ring = made(step_figure())["data"][-1]
    assert (ring["x"], ring["y"], ring["hoverinfo"], ring["meta"]) == ([12], [16.9], "skip", {"role": "mark"})


def test_labels_stand_where_the_lines_end() -> None:
    approx = functools.partial(pytest.approx, abs=1e-5)
    first, second, floor = made(step_figure())["labels"]
    # log10(64) = 1.80618, log10(22.5) = 1.35218; the second line ends at C=8 with 10.3 ms
    assert (first["text"], first["x"], first["y"]) == ("vLLM BF16", approx(1.80618), approx(1.35218))
    assert (second["x"], second["y"]) == (approx(0.90309), approx(1.01284))
    assert (floor["role"], floor["accent"]) == ("floor", 0)
    assert made(bar_figure())["labels"] == []


def test_names_of_bars_stand_above_them_and_the_limit_says_what_it_is() -> None:
    _, name, limit = made(bar_figure())["layout"]["annotations"]
    assert (name["text"], name["y"]) == ("vLLM BF16", -0.5)
    assert (limit["text"], limit["xanchor"]) == ("capacity 24\u202fGiB", "right")


def test_a_long_hover_text_is_folded() -> None:
    texts = made(step_figure())["data"][1]["text"]
    assert texts[2] == "C=8: 10.30\u202fms (spoilt by &lt;stalls&gt;)"
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


def test_a_part_below_zero_cannot_be_stacked() -> None:
    assert made(STRESS["negative part"])["data"] == []
