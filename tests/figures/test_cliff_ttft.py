from __future__ import annotations

from generator.figures.cliff_ttft import cliff_ttft
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.cliff_rounds import cliff_round, climbing, preempting
from tests.support.telling import analysed


def test_two_lines_in_ms_with_both_marks() -> None:
    model = cliff_ttft.draw(analysed(preempting()))

    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)
    p50, p99 = model.plot.lines
    assert (p50.name.en, p99.name.en) == ("s p50", "s p99")
    assert (p50.points[3].y, p99.points[3].y) == (9.9, 67.5)
    assert [mark.x for mark in model.plot.marks] == [4.5, 6.0]


def test_without_a_ttft_it_is_not_drawn() -> None:
    levels = climbing(ttft_p50=(None,) * 6, ttft_p99=(None,) * 6)
    assert isinstance(cliff_ttft.draw(analysed(cliff_round({"s": levels}, {"s": {"slots": 4.0}}))), Missing)
