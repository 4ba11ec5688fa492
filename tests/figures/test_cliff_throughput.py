from __future__ import annotations

from generator.figures.cliff_throughput import cliff_throughput
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.cliff_rounds import cliff_round, climbing, preempting
from tests.support.telling import analysed


def test_a_line_over_the_concurrency_with_both_marks() -> None:
    model = cliff_throughput.draw(analysed(preempting()))

    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)
    (line,) = model.plot.lines
    assert [(point.x, point.y) for point in line.points][2:4] == [(4.0, 1816.0), (6.0, 1917.0)]
    assert [mark.x for mark in model.plot.marks] == [4.5, 6.0]


def test_a_level_that_delivered_nothing_has_no_point() -> None:
    levels = climbing(output_throughput=(474.0, 933.0, 1816.0, 0.0, None, None))
    model = cliff_throughput.draw(analysed(cliff_round({"s": levels}, {"s": {"kv_pool_tokens": 720.0}})))

    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)
    assert [point.x for point in model.plot.lines[0].points] == [1.0, 2.0, 4.0]
    assert model.plot.marks == ()  # 4.5 lies beyond what is drawn


def test_without_a_wall_it_is_not_drawn() -> None:
    assert isinstance(cliff_throughput.draw(analysed(cliff_round({"s": climbing()}, {}))), Missing)
