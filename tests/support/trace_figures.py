"""Figures of quantities over time, for the tests of their renderings."""

from __future__ import annotations

from generator.text import Text
from generator.told.figure_model import Axis, FigureModel, Mark, Panel, Trace, TracePlot
from generator.told.sentence import say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED

TIME = Axis(Text(zh="自第一条请求起", en="after the first request"), "s", "linear")
RUNNING = Axis(Text(zh="正在计算的请求", en="requests running"), "1", "linear")
POOL = Axis(Text(zh="KV 池占用", en="KV pool use"), "%", "linear")


def trace(series: str, level: str, *points: tuple[float, float], trial: int | None = None, drawn: bool = True) -> Trace:
    """Return a trace that is summed up by the throughput of its level."""
    facts = (Address("output_throughput", "level", series, level),)
    return Trace(series, level, trial, points, facts, drawn)


def traced(*marks: Mark) -> FigureModel:
    """Return two panels: in the first one two levels of a series and one of another, in the second one level alone."""
    panels = (
        Panel(
            RUNNING,
            (
                trace(BASELINE, "c1", (0, 1), (10, 1)),
                trace(BASELINE, "c8", (0, 0), (1, 8), (9, 8), (12, 2)),
                trace(BASELINE, "c64", (0, 64), (5, 64), drawn=False),
                trace(COMPARED, "c8", (0, 4), (20, 8)),
            ),
        ),
        Panel(POOL, (trace(BASELINE, "c8", (0, 0), (6, 93.5)),)),
    )
    accents = {BASELINE: 0, COMPARED: 1}
    title = say("引擎怎么说", "What the engine said")
    return FigureModel("gauges_over_time", title, say("图注", "caption"), TracePlot(TIME, panels, marks), accents)


def plot_of(model: FigureModel) -> TracePlot:
    """Return the plot."""
    assert isinstance(model.plot, TracePlot)
    return model.plot
