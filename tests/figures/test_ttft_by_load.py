from __future__ import annotations

from generator.figures.ttft_by_load import ttft_by_load
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.example_rounds import published
from tests.support.telling import analysed


def test_the_tail_of_the_first_token_is_drawn_beside_its_median() -> None:
    model = ttft_by_load.draw(analysed(published("round-2")))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)

    assert [point.y for point in model.plot.lines[0].points] == [102, 154, 288, 306, 474, 588, 787]
    assert [point.y for point in model.plot.lines[1].points] == [109, 203, 388, 734, 1407, 2854, 5924]
    assert (model.plot.y.unit, model.plot.x.scale) == ("ms", "log")
