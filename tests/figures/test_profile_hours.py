from __future__ import annotations

from generator.figures.profile_hours import profile_hours
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, TracePlot
from tests.support.loads import EVEN, load_of, under_load
from tests.support.telling import analysed, said

DAYS = [(hour * 3600.0 + 1, 10, 1) for hour in range(48) for _ in range(2 if hour % 24 < 12 else 1)]
"""Two days with twice as many requests in the first half of each."""


def test_each_hour_is_a_step() -> None:
    round_ = under_load(load_of(DAYS, 60.0))
    model = profile_hours.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, TracePlot)
    ((trace,),) = (panel.traces for panel in model.plot.panels)

    # in each of both days 2 in the first hour; of the last hour the span holds nothing of the second day
    assert trace.points[:2] == ((0.0, round(4 / 7200, 5)), (1.0, round(4 / 7200, 5)))
    assert len(trace.points) == 48
    assert "days begin with the first request" in said(model.caption, round_)


def test_a_span_under_a_day_has_no_hours() -> None:
    for load in (None, load_of(EVEN)):
        assert isinstance(profile_hours.draw(analysed(under_load(load))), Missing)
