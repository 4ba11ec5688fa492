from __future__ import annotations

from generator.told.figure_model import Mark
from generator.told.sentence import say
from tests.support.analyses import printer
from tests.support.specs import checked_spec
from tests.support.trace_figures import traced


def test_each_panel_has_an_axis_and_each_run_one_entry_in_the_legend() -> None:
    made = checked_spec(traced(), printer("en"))

    assert [trace["yaxis"] for trace in made["data"]] == ["y", "y", "y", "y2"]
    assert [trace["showlegend"] for trace in made["data"]] == [True, True, True, False]
    assert len(made["legend"]) == 3


def test_panels_stand_one_below_the_other() -> None:
    layout = checked_spec(traced(), printer("en"))["layout"]
    (low, top), (bottom, high) = layout["yaxis"]["domain"], layout["yaxis2"]["domain"]

    assert (top, bottom) == (1, 0)
    assert 0 < high < low < 1
    assert layout["xaxis"]["anchor"] == "y2"


def test_a_mark_crosses_all_panels() -> None:
    layout = checked_spec(traced(Mark(4.0, None, say("满", "full"))), printer("en"))["layout"]

    assert [(shape["x0"], shape["y0"], shape["y1"], shape["yref"]) for shape in layout["shapes"]] == [
        (4, 0, 1, "paper")
    ]
    assert "full" in [note["text"] for note in layout["annotations"]]
