from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.svg.axes import SHEETS
from generator.render.svg.lines import draw_lines, spread
from generator.render.wording.markup import text_width
from generator.told.figure_model import LinePlot, Mark
from generator.told.sentence import say
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.figure_models import CONCURRENCY, STEP, line, step_figure

ACCENTS = {BASELINE: 0, COMPARED: 1}


def drawn(plot: LinePlot, width: str = "wide") -> str:
    return draw_lines(plot, ACCENTS, printer("en"), SHEETS["wide" if width == "wide" else "narrow"])[0]


def dots_in(svg: str) -> int:
    """The markers of a drawing: each begins with a move."""
    return sum(d.count("M") for d in re.findall(r'class="dot" d="([^"]+)"', svg))


def step_plot() -> LinePlot:
    plot = step_figure().plot
    assert isinstance(plot, LinePlot)
    return plot


def test_labels_are_pushed_apart_in_order_and_stay_inside() -> None:
    assert spread([10, 12, 100], [16, 16, 16], 0, 110) == [10, 26, 100]
    assert spread([100, 105], [16, 16], 0, 110) == [94, 110]
    # The first has two lines: 15 pixels more. Its middle is half of that below the border, and so much further away.
    assert spread([0, 0], [31, 16], 0, 110) == [7.5, 31]


@given(st.lists(st.floats(0, 300), min_size=1, max_size=15))
def test_spread_labels_never_touch(wanted: list[float]) -> None:
    placed = spread(wanted, [16] * len(wanted), 0, 300)
    gaps = [b - a for a, b in zip(sorted(placed), sorted(placed)[1:], strict=False)]
    assert all(gap >= 16 - 1e-6 for gap in gaps)
    assert all(-1e-6 <= at <= 300 + 1e-6 for at in placed)


def test_lines_are_labelled_at_their_ends_where_there_is_room() -> None:
    svg = drawn(step_plot())
    assert '<text class="label measured s0"' in svg
    assert '<text class="label floor s0"' in svg
    assert 'class="leader"' in svg  # the second series ends at C=8


def test_a_narrow_drawing_has_a_legend_above() -> None:
    svg = drawn(step_plot(), "narrow")
    assert 'class="leader"' not in svg
    assert svg.index(">llama.cpp Q4_K_M</text>") < svg.index(">step (ms)</text>")


def test_a_floor_is_dashed_and_has_no_markers() -> None:
    plot = LinePlot(CONCURRENCY, STEP, (line("floor", [(1, 14.09), (8, 14.55)], role="floor"),))
    svg = drawn(plot)
    assert re.search(r'<g class="s0"><path class="line floor" d="M\S+ \S+L\S+ \S+" stroke-dasharray="5 4"/></g>', svg)
    assert 'class="dot"' not in svg


def test_a_spoilt_point_is_hollow_and_says_why() -> None:
    svg = drawn(step_plot())
    point = svg[svg.index('<g class="spoilt">') :]
    assert point.split("</title>")[0].endswith(">C=8: 10.30\u202fms (spoilt by &lt;stalls&gt;)")
    assert 'class="ring"' in point.split("</g>")[0]
    assert 'class="line measured spoilt"' in svg  # what leads to it is no sound line


def test_a_line_is_broken_where_a_point_has_no_place() -> None:
    plot = LinePlot(CONCURRENCY, STEP, (line("gap", [(1, 5), (8, 0), (64, 7), (32, 6)]),))
    path = re.search(r'<path class="line measured" d="([^"]+)"', drawn(plot))
    assert path is not None
    assert path[1].count("M") == 1  # only the last two are neighbours
    assert dots_in(drawn(plot)) == 3


@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_labels_of_marks_stand_one_above_the_other_within_the_borders(width: str) -> None:
    marks = tuple(Mark(x, 6.0, say("很长的说明", "a long explanation")) for x in (1, 8, 64))
    svg = drawn(LinePlot(CONCURRENCY, STEP, (line("a", [(1, 5), (64, 7)]),), marks), width)
    labels = re.findall(r'<text class="label mark" x="([\d.]+)" y="([\d.]+)" text-anchor="middle">([^<]+)', svg)
    assert len({y for _, y, _ in labels}) == 3
    sheet, halves = SHEETS["wide" if width == "wide" else "narrow"], [text_width(text) / 2 for *_, text in labels]
    assert all(half <= float(x) <= sheet.width - half for (x, *_), half in zip(labels, halves, strict=True))
    assert svg.count('class="mark dot"') == 3


def test_marks_at_one_place_share_their_line_and_keep_their_words() -> None:
    marks = (Mark(8, None, say("甲", "one")), Mark(8, None, say("乙", "other")), Mark(16, None, say("丙", "third")))
    svg = drawn(LinePlot(CONCURRENCY, STEP, (line("a", [(1, 5), (64, 7)]),), marks))

    assert svg.count('<line class="mark"') == 2  # at 8 and at 16
    assert svg.count('class="label mark"') == 3


def test_long_words_at_a_mark_and_long_names_take_several_lines() -> None:
    long = "an engine with one pool of memory for all of its slots and a name that says so"
    mark = Mark(8, None, say(long, long))
    svg = drawn(LinePlot(CONCURRENCY, STEP, (line(long, [(1, 5), (64, 7)]),), (mark,)), "narrow")

    told = [" ".join(re.findall(rf'<text class="label {kind}[^>]*>([^<]+)', svg)) for kind in ("mark", "measured")]
    assert told == [long, long]


@pytest.mark.parametrize(("count", "rows"), [(1, 3), (3, 9)])
def test_a_plot_is_higher_than_the_words_of_its_marks(count: int, rows: int) -> None:
    # Rows of 18 pixels: three take 54, and the plot keeps its 230; nine take 162, and the plot has 2.25 times that.
    words = say("一二三四五六七八" * 9, "eight words of it " * 9)
    marks = tuple(Mark(8.0 + at, None, words) for at in range(count))
    svg = drawn(LinePlot(CONCURRENCY, STEP, (line("a", [(1, 5), (64, 7)]),), marks), "narrow")
    (top, bottom) = map(
        float, re.findall(r'<line class="mark" x1="[^"]+" y1="([^"]+)" x2="[^"]+" y2="([^"]+)"', svg)[0]
    )

    assert svg.count('class="label mark"') == rows
    assert bottom - top == pytest.approx(max(230, 2.25 * 18 * rows))


def test_a_mark_without_a_place_on_the_axis_is_left_out() -> None:
    plot = LinePlot(CONCURRENCY, STEP, (line("a", [(1, 5)]),), (Mark(0, None, say("无", "none")),))
    assert "mark" not in drawn(plot)
