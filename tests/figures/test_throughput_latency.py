from __future__ import annotations

import pytest

from generator.figures.throughput_latency import throughput_latency
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.example_rounds import published
from tests.support.ladder_rounds import ladder_and_sweep
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, text_of


def test_points_follow_the_load_and_may_turn_back() -> None:
    analysis = analysed(published("round-2"))
    model = throughput_latency.draw(analysis)
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)

    llama = model.plot.lines[1]
    assert [(point.x, point.y) for point in llama.points][-3:] == [(548.0, 6467), (443.7, 17851), (1064.8, 15193)]
    assert [point.level for point in llama.points if point.spoilt] == ["c32"]
    assert "vLLM BF16 peaks at 1,387.8 tok/s, with an E2EL p50 of 11,779 ms (C=64)" in text_of(model.title, analysis)


def test_a_sweep_is_no_part_of_the_trade() -> None:
    model = throughput_latency.draw(analysed(ladder_and_sweep()))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)

    assert [point.x for point in model.plot.lines[0].points] == [60, 116, 220, 400, 640, 660, 665]


@pytest.mark.parametrize("name", ["one level", "no levels", "arrival rates"])
def test_fewer_than_two_points_are_no_line(name: str) -> None:
    assert isinstance(throughput_latency.draw(ANALYSES[name]()), Missing)
