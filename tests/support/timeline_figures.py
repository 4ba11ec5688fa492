"""Timelines for the tests of the renderings."""

from __future__ import annotations

from typing import Final

from generator.text import Text, same
from generator.told.figure_model import Axis, Course, FigureModel, Stretch, Strip, TimelinePlot
from generator.told.sentence import say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED

TIME: Final = Axis(Text(zh="时间", en="time"), "s", "linear")
ROWS: Final = Axis(Text(zh="行", en="rows"), "", "linear", (0.0, 1.0, 2.0))


def timed() -> FigureModel:
    """Return three requests in two rows, of which one failed; a stall, launches, a time of waiting."""
    courses = (
        Course(1, 0, 0.0, (Stretch("queue", 0.0, 0.5), Stretch("prefill", 0.5, 1.0), Stretch("decode", 1.0, 4.0))),
        Course(2, 1, 0.0, (Stretch("queue", 0.0, 1.0), Stretch("prefill", 1.0, 2.0), Stretch("decode", 2.0, 4.0))),
        Course(3, 0, 4.0, ()),
    )
    strips = (
        Strip(Text(zh="受理", en="launches"), moments=(0.5, 1.0)),
        Strip(Text(zh="在等", en="waiting"), spans=((0.0, 1.0),)),
    )
    return of_plot(courses, stalls=((2.5, 3.5),), strips=strips, window=(0.0, 5.0))


def part() -> FigureModel:
    """Return a part of a run: two requests of ten, one of which reaches out of the window."""
    courses = (
        Course(4, 0, 8.0, (Stretch("wait", 8.0, 9.0), Stretch("decode", 9.0, 12.0))),
        Course(5, 1, 10.5, (Stretch("wait", 10.5, 11.0),)),
    )
    return of_plot(courses, window=(10.0, 11.0), left_out=8, in_flight=((0.0, 1.0), (50.0, 4.0), (100.0, 0.0)))


def odd() -> dict[str, FigureModel]:
    """Return timelines at the edges: nothing, a moment, very many rows, hostile names."""
    hostile = "=<script>alert('&')</script>\x00%{x}"
    crowded = tuple(Course(n + 1, n, 0.0, (Stretch("decode", 0.0, 1.0),)) for n in range(400))
    return {
        "nothing": of_plot((), window=(0.0, 0.0)),
        "a moment": of_plot((Course(1, 0, 0.0, ()),), window=(0.0, 0.0)),
        "many rows": of_plot(crowded, window=(0.0, 1.0)),
        "hostile": of_plot((), strips=(Strip(same(hostile), moments=(0.5,)),), window=(0.0, 1.0)),
    }


def of_plot(
    courses: tuple[Course, ...],
    *,
    window: tuple[float, float],
    stalls: tuple[tuple[float, float], ...] = (),
    strips: tuple[Strip, ...] = (),
    left_out: int = 0,
    in_flight: tuple[tuple[float, float], ...] = (),
) -> FigureModel:
    plot = TimelinePlot(
        x=TIME,
        y=ROWS,
        series=BASELINE,
        level="c8",
        trial=None,
        courses=courses,
        stalls=stalls,
        strips=strips,
        window=window,
        whole=100.0,
        left_out=left_out,
        in_flight=in_flight,
        facts=(Address("output_throughput", "level", BASELINE, "c8"),),
    )
    return FigureModel("timeline", say("时间线", "The timeline"), say("图注", "c"), plot, {BASELINE: 0, COMPARED: 1})
