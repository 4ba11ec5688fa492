"""Points with trends for the tests of the renderings."""

from __future__ import annotations

from generator.text import Text, same
from generator.told.figure_model import Axis, FigureModel, FitPlot, Mark, Scatter, Spot, Trend
from generator.told.sentence import say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED

TOKENS = Axis(Text(zh="长度", en="length"), "tok", "linear")
TIME = Axis(Text(zh="用时", en="time"), "ms", "linear")


def fitted() -> FigureModel:
    """Return three points of the baseline that are values, one of the other series that is none, and four trends."""
    steps = (("c1", 1, 15.83), ("c8", 8, 16.63), ("c64", 64, 22.5))
    spots = tuple(Spot(x, y, level, Address("itl_p50", "level", BASELINE, level)) for level, x, y in steps)
    trends = (
        Trend(Text(zh="直线", en="line"), BASELINE, "fit", ((0.0, 15.8), (64.0, 22.4))),
        Trend(Text(zh="抛物线", en="parabola"), BASELINE, "fit", ((0.0, 15.7), (32.0, 18.0), (64.0, 22.5))),
        Trend(Text(zh="公式", en="formula"), BASELINE, "theory", ((0.0, 15.0), (64.0, 22.0))),
        Trend(Text(zh="地板", en="floor"), BASELINE, "floor", ((0.0, 14.0), (64.0, 18.2))),
    )
    scatters = (Scatter(BASELINE, spots), Scatter(COMPARED, (Spot(8, 10.3, "c8"),)))
    return of_plot(FitPlot(TOKENS, TIME, scatters, trends, (Mark(8, 16.63, say("拐点", "knee")),)))


def many(count: int = 2000) -> FigureModel:
    """Return so many points of one level, (i, 2 i)."""
    spots = tuple(Spot(float(i), 2.0 * i, "c1") for i in range(count))
    return of_plot(FitPlot(TOKENS, TIME, (Scatter(BASELINE, spots),)))


def odd() -> dict[str, FigureModel]:
    """Return figures at the edges: nothing, one point, what no axis has a place for, hostile names."""
    log = Axis(same("x"), "1", "log")
    nan = float("nan")
    hostile = "=<script>alert('&')</script>\x00%{x}"
    return {
        "nothing": of_plot(FitPlot(TOKENS, TIME, ())),
        "no point": of_plot(FitPlot(TOKENS, TIME, (Scatter(BASELINE, ()),))),
        "one point": of_plot(FitPlot(TOKENS, TIME, (Scatter(BASELINE, (Spot(3, 4, "c1"),)),))),
        "no place": of_plot(
            FitPlot(
                log,
                log,
                (Scatter(BASELINE, (Spot(0, 1, "c1"), Spot(nan, 1, "c1"), Spot(1, nan, "c8"))),),
                (Trend(same("t"), BASELINE, "fit", ((0.0, 1.0), (nan, nan))), Trend(same("e"), BASELINE, "floor", ())),
            )
        ),
        "hostile": of_plot(
            FitPlot(TOKENS, TIME, (Scatter(BASELINE, (Spot(1, 1, "c1"),)),),
                    (Trend(same(hostile), BASELINE, "fit", ((0.0, 1.0), (2.0, 1.0))),))
        ),
    }  # fmt: skip


def of_plot(plot: FitPlot) -> FigureModel:
    return FigureModel("fit", say("拟合", "The fit"), say("图注", "caption"), plot, {BASELINE: 0, COMPARED: 1})


def plot_of(model: FigureModel) -> FitPlot:
    assert isinstance(model.plot, FitPlot)
    return model.plot
