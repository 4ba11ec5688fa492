from __future__ import annotations

import pytest

from generator.figures.itl_by_load import itl_by_load
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.example_rounds import published
from tests.support.ladder_rounds import ladder_and_sweep
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, said, text_of


def test_each_series_has_a_line_for_the_median_and_one_for_the_tail() -> None:
    analysis = analysed(published("round-2"))
    model = itl_by_load.draw(analysis)
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)

    assert [line.name.en for line in model.plot.lines] == [
        "vLLM BF16 p50", "vLLM BF16 p99", "llama.cpp Q4_K_M p50", "llama.cpp Q4_K_M p99",
    ]  # fmt: skip
    assert [point.y for point in model.plot.lines[0].points] == [15.83, 16.15, 16.32, 16.63, 17.23, 19.82, 22.5]
    assert [point.level for line in model.plot.lines for point in line.points if point.spoilt] == ["c32", "c32"]
    assert "vLLM BF16 from 15.83 ms (C=1) to 22.50 ms (C=64)" in text_of(model.title, analysis)


def test_levels_of_a_sweep_are_left_out_and_named() -> None:
    model = itl_by_load.draw(analysed(ladder_and_sweep()))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)

    assert [point.x for point in model.plot.lines[0].points] == [1, 2, 4, 8, 16, 32, 64]
    assert "Not drawn: a at C=1 (input 100)" in said(model.caption, ladder_and_sweep())


@pytest.mark.parametrize("name", ["one level", "no levels", "nothing recorded"])
def test_fewer_than_two_loads_are_no_line(name: str) -> None:
    analysis = ANALYSES[name]()
    missing = itl_by_load.draw(analysis)

    assert isinstance(missing, Missing)
    assert "ITL over the load cannot be drawn" in text_of(missing.reason, analysis)
