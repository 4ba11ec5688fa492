from __future__ import annotations

import re

import pytest

from generator.render.svg.axes import SHEETS
from generator.render.svg.drawing import draw, size
from generator.render.svg.timeline import plot_height, window_of
from generator.told.figure_model import FigureModel, TimelinePlot
from tests.support.analyses import printer
from tests.support.figure_models import parsed
from tests.support.timeline_figures import odd, part, timed


def paths(model: FigureModel, class_: str) -> list[str]:
    return re.findall(rf'<path class="{class_}"[^>]* d="([^"]+)"', draw(model, printer("en"), "wide"))


def plot_of(model: FigureModel) -> TimelinePlot:
    assert isinstance(model.plot, TimelinePlot)
    return model.plot


def test_each_stage_is_one_path_beside_its_sign_in_the_key() -> None:
    # the key comes first: its signs are single strokes, that of a stall has a bar of its own to be veiled
    assert [d.count("M") for d in paths(timed(), "stretch queue")] == [1, 2]
    assert [d.count("M") for d in paths(timed(), "stretch prefill")] == [1, 2]
    assert [d.count("M") for d in paths(timed(), "stretch decode")] == [1, 1, 2]
    assert paths(timed(), "stretch wait") == []


def test_what_failed_is_a_cross_and_a_stall_is_veiled() -> None:
    (cross,) = paths(timed(), "cross")
    _, veil = paths(timed(), "veil")

    assert cross.count("l") == 2
    assert veil.count("z") == 1


def test_moments_and_spans_stand_in_rows_of_their_own() -> None:
    (moments,), (spans,) = paths(timed(), "moment"), paths(timed(), "span")

    assert (moments.count("M"), spans.count("M")) == (2, 1)
    assert ">launches</text>" in draw(timed(), printer("en"), "wide")


def test_bars_are_cut_at_the_window() -> None:
    # the first request is in its decode when the window begins, at its left border; its wait is not drawn
    _, wait = paths(part(), "stretch wait")
    _, decode = paths(part(), "stretch decode")
    left = re.search(r'class="axis" d="M([\d.]+)', draw(part(), printer("en"), "wide"))

    assert left is not None
    assert wait.count("M") == 1
    assert decode.startswith(f"M{left[1]} ")


def test_of_a_part_the_whole_run_stands_below() -> None:
    svg = draw(part(), printer("en"), "wide")

    assert "requests in flight over the whole run (4 at most)" in svg
    assert svg.count('class="frame"') == 1
    assert size(svg)[1] > size(draw(odd()["nothing"], printer("en"), "wide"))[1]


def test_rows_are_neither_thinner_than_a_line_nor_needlessly_thick() -> None:
    wide = SHEETS["wide"]

    assert plot_height(plot_of(timed()), wide) == pytest.approx(0.4 * wide.plot_height)  # two rows of 26 are less
    assert plot_height(plot_of(odd()["many rows"]), wide) == 400 * 2


def test_a_window_of_one_moment_is_a_second_wide() -> None:
    assert window_of(plot_of(odd()["a moment"])) == (0.0, 1.0)


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("model", [timed(), part(), *odd().values()])
def test_odd_timelines_are_drawn(model: FigureModel, width: str) -> None:
    root = parsed(draw(model, printer("zh"), "wide" if width == "wide" else "narrow"))

    assert "nan" not in "".join(str(element.attrib) for element in root.iter()).lower()
