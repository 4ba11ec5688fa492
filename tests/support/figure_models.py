"""Figures for the tests of the renderings: plain ones, and those that break careless ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from generator.text import Text, same
from generator.told.figure_model import Axis, Bar, BarPlot, FigureModel, Line, LinePlot, Mark, Point, Role, Segment
from generator.told.sentence import say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED

CONCURRENCY = Axis(Text(zh="并发", en="concurrency"), "", "log", (1, 2, 4, 8, 16, 32, 64))
STEP = Axis(Text(zh="步长", en="step"), "ms", "log")
MEMORY = Axis(Text(zh="显存", en="memory"), "GiB", "linear")
HOSTILE = "=<script>alert('&')</script>\x00%{x}"
LONG = "an engine whose name was written by somebody who had eighty letters to fill up."
REASON = say("作废，因为 <停顿>", "spoilt by <stalls>")


def parsed(svg: str) -> ElementTree.Element:
    """Return the root element of a drawing; ill-formed XML raises."""
    return ElementTree.fromstring(svg)  # noqa: S314  # our own writer's


def line(
    name: str,
    points: Iterable[tuple[float, float]],
    *,
    series: str = BASELINE,
    role: Role = "measured",
    spoilt: Sequence[int] = (),
) -> Line:
    """Return a line whose points stand at the levels c1, c8 and c64 of the small analysis, then at c8."""
    levels = ("c1", "c8", "c64")
    metric = "itl_p50" if role == "measured" else "decode_floor"
    made = []
    for at, (x, y) in enumerate(points):
        level = levels[at] if at < len(levels) else "c8"
        address = Address(metric, "level", series, level)
        made.append(Point(x, y, level, address, REASON if at in spoilt else None))
    return Line(same(name), series, role, tuple(made))


def figure(plot: LinePlot | BarPlot, key: str = "step", title: str = "The step") -> FigureModel:
    """Return a figure of the two series of the small analysis."""
    accents = {BASELINE: 0, COMPARED: 1} | {f"s{number}": number for number in range(12)}
    return FigureModel(key, say("{t}", "{t}", t=same(title)), say("图注", "caption"), plot, accents)


def step_figure() -> FigureModel:
    """Return measured steps of both series, a floor, a spoilt point and a mark; numbers as in the analysis."""
    lines = (
        line("vLLM BF16", [(1, 15.83), (8, 16.63), (64, 22.5)]),
        line("llama.cpp Q4_K_M", [(1, 5.84), (8, 10.3)], series=COMPARED, spoilt=[1]),
        line("vLLM BF16 floor", [(1, 14.09), (8, 14.55), (64, 18.22)], role="floor"),
    )
    return figure(LinePlot(CONCURRENCY, STEP, lines, (Mark(12, 16.9, say("交点", "crossing")),)))


def bar_figure(name: str = "vLLM BF16") -> FigureModel:
    """Return one bar of four parts, the last one too short for its label, and a capacity of 24 GiB."""
    parts = (
        Segment(Text(zh="权重", en="weights"), 14.49, "solid"),
        Segment(Text(zh="KV 池", en="KV pool"), 6.41, "hatched"),
        Segment(Text(zh="空闲", en="free"), 2.9, "empty"),
        Segment(Text(zh="其余", en="other"), 0.2, "solid"),
    )
    bar = Bar(same(name), BASELINE, parts)
    return figure(BarPlot(MEMORY, (bar,), 24.0, Text(zh="容量", en="capacity")), "memory")


def stress_figures() -> dict[str, FigureModel]:
    """Return figures at the edges: nothing, one point, twelve series, nine orders of magnitude, hostile names."""
    decades = [(float(2**i), 10 ** (1.5 * i - 4)) for i in range(7)]
    twelve = tuple(line(f"engine {n}", [(1, 5 + n), (8, 9 + n), (64, 30 + n)], series=f"s{n}") for n in range(12))
    borders = (Mark(1, None, say(LONG, LONG)), Mark(64, 1.0, say(LONG, LONG)))
    linear = Axis(Text(zh="上下文", en="context"), "tok", "linear")
    return {
        "nothing": figure(LinePlot(CONCURRENCY, STEP, ())),
        "no drawable point": figure(LinePlot(CONCURRENCY, STEP, (line("none", [(1, 0.0)]),))),
        "one point": figure(LinePlot(CONCURRENCY, STEP, (line("one", [(8, 16.63)]),))),
        "twelve series": figure(LinePlot(CONCURRENCY, STEP, twelve)),
        "forty lines": figure(LinePlot(CONCURRENCY, STEP, twelve * 3 + twelve[:4])),
        "nine orders": figure(LinePlot(CONCURRENCY, STEP, (line("wide", decades),), borders)),
        "zero and below": figure(LinePlot(CONCURRENCY, STEP, (line("low", [(1, 0), (8, -3), (64, 5)]),))),
        "not finite": figure(LinePlot(CONCURRENCY, STEP, (line("odd", [(1, float("nan")), (8, 1e308)]),))),
        "linear": figure(LinePlot(linear, Axis(same("y"), "ms", "linear"), (line("a", [(1, -5), (2, 3)]),))),
        "level": figure(LinePlot(linear, Axis(same("y"), "ms", "linear"), (line("a", [(1, 0), (1, 0)]),))),
        "hostile": figure(LinePlot(CONCURRENCY, STEP, (line(HOSTILE, [(1, 5.0)], spoilt=[0]),)), title=HOSTILE),
        "long name": figure(LinePlot(CONCURRENCY, STEP, (line(LONG, [(1, 5.0), (8, 6.0)]),))),
        "no bars": figure(BarPlot(MEMORY, ())),
        "bars": bar_figure(),
        "hostile bar": bar_figure(HOSTILE),
        "negative part": figure(
            BarPlot(MEMORY, (Bar(same("b"), BASELINE, (Segment(same("rest"), -1.0, "hatched"),)),))
        ),
    }
