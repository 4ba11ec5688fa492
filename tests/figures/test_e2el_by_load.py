from __future__ import annotations

from generator.figures.e2el_by_load import e2el_by_load
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.example_rounds import published
from tests.support.telling import analysed


def test_without_a_tail_on_record_the_median_is_drawn_alone() -> None:
    model = e2el_by_load.draw(analysed(published("round-2")))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)

    assert [line.name.en for line in model.plot.lines] == ["vLLM BF16 p50", "llama.cpp Q4_K_M p50"]
    assert [point.y for point in model.plot.lines[0].points] == [4138, 4313, 4549, 4978, 5850, 7962, 11779]
