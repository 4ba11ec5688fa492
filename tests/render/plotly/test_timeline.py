from __future__ import annotations

import json
from typing import Any

import pytest

from generator.told.figure_model import FigureModel
from tests.support.analyses import printer
from tests.support.specs import checked_spec
from tests.support.timeline_figures import odd, part, timed


def made(model: FigureModel) -> dict[str, Any]:
    return json.loads(json.dumps(checked_spec(model, printer("en")), allow_nan=False))  # type: ignore[no-any-return]


def test_each_stage_is_one_trace_with_gaps_between_its_bars() -> None:
    queue, prefill, decode, failed, *_ = made(timed())["data"]

    assert [trace["name"] for trace in (queue, prefill, decode, failed)] == ["queue", "prefill", "decode", "failed"]
    assert queue["x"] == [0.0, 0.5, None, 0.0, 1.0, None]
    assert queue["y"] == [0.5, 0.5, None, 1.5, 1.5, None]
    assert queue["text"][0].replace("\u202f", " ") == "#1 · 0 s – 0.500 s"
    assert queue["line"]["width"] < prefill["line"]["width"] == decode["line"]["width"]
    assert (failed["x"], failed["y"]) == ([4.0], [0.5])


def test_strips_stand_above_the_bars_each_with_its_name() -> None:
    whole = made(timed())
    *_, launches, waiting = whole["data"]
    names = [note for note in whole["layout"]["annotations"] if note["text"] in {"launches", "waiting"}]

    assert launches["x"] == [0.5, 1.0]
    assert waiting["x"] == [0.0, 1.0, None]
    assert whole["layout"]["yaxis"]["range"][1] > launches["y"][0] > waiting["y"][0] > 2
    assert [note["text"] for note in names] == ["launches", "waiting"]
    assert all(low < note["y"] for low, note in zip((launches["y"][0], waiting["y"][0]), names, strict=True))


def test_stalls_are_veils_over_the_rows() -> None:
    (veil,) = made(timed())["layout"]["shapes"]

    assert [veil[side] for side in ("x0", "x1", "y0", "y1")] == [2.5, 3.5, 0, 2]


def test_the_axis_of_time_is_the_window() -> None:
    assert made(part())["layout"]["xaxis"]["range"] == [10.0, 11.0]


@pytest.mark.parametrize("model", odd().values(), ids=odd().keys())
def test_odd_timelines_are_specs(model: FigureModel) -> None:
    assert "<script" not in json.dumps(made(model))
