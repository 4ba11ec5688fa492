from __future__ import annotations

from generator.figures.profile_arrivals import profile_arrivals
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, TracePlot
from tests.support.loads import BURSTY, SHAREGPT, load_of, load_of_text, under_load
from tests.support.telling import analysed, said


def plot_of(model: FigureModel | Missing) -> TracePlot:
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, TracePlot)
    return model.plot


def test_bursts_stand_out_of_what_is_else_empty() -> None:
    round_ = under_load(load_of(BURSTY))
    model = profile_arrivals.draw(analysed(round_))
    ((trace,),) = (panel.traces for panel in plot_of(model).panels)

    # twelve in the first second, and nothing in the three behind it
    assert trace.points[:4] == ((0.0, 12.0), (1.0, 12.0), (1.0, 0.0), (2.0, 0.0))
    assert isinstance(model, FigureModel)
    assert "has 4.00× the requests of an average one" in said(model.title, round_)


def test_a_long_span_is_told_in_hours_or_days() -> None:
    for hours, unit in ((1, "s"), (3, "h"), (200, "d")):
        rows = [(0.0, 10, 1), (5.0, 10, 1), (hours * 3600.0, 10, 1)]
        assert plot_of(profile_arrivals.draw(analysed(under_load(load_of(rows))))).x.unit == unit


def test_without_times_there_is_nothing_to_draw() -> None:
    for load in (None, load_of_text(SHAREGPT)):
        assert isinstance(profile_arrivals.draw(analysed(under_load(load))), Missing)
