from __future__ import annotations

import pytest

from generator.figures.cold_start_stages import cold_start_stages
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import BarPlot, FigureModel
from tests.support.started_rounds import TOLD, Start, started_in_every_way, started_round
from tests.support.telling import analysed


def plot(round_: Round) -> BarPlot:
    model = cold_start_stages.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, BarPlot)
    return model.plot


def test_moments_are_solid_and_stages_of_the_log_are_hatched() -> None:
    seen, logged = plot(started_round((Start(log=TOLD),))).bars

    assert [part.length for part in seen.segments] == pytest.approx([1, 1, 2, 0.5])
    assert {part.fill for part in seen.segments} == {"solid"}
    # 0.25 s until the first stage, 0.5 and 0.75 s of stages; of the 2 s until it was ready 0.5 are left
    assert [part.length for part in logged.segments] == pytest.approx([0.25, 0.5, 0.75, 0.5])
    assert [part.fill for part in logged.segments] == ["hatched"] * 3 + ["empty"]
    assert logged.name.en == "s, its log"


def test_a_start_that_was_declared_has_the_times_from_the_port() -> None:
    declared = plot(started_in_every_way()).bars[-1]
    # T1 = 20 s, T2 = 1.5 s, T3 − T2 = 0.5 s
    assert [part.length for part in declared.segments] == pytest.approx([20, 1.5, 0.5])


def test_without_a_log_there_is_one_bar() -> None:
    assert len(plot(started_round((Start(),))).bars) == 1


def test_stages_longer_than_the_start_leave_nothing_over() -> None:
    _, logged = plot(started_round((Start(log={**TOLD, "stages_told": 9.0}),))).bars
    assert "empty" not in {part.fill for part in logged.segments}


def test_without_a_start_it_is_not_drawn() -> None:
    assert isinstance(cold_start_stages.draw(analysed(started_round(()))), Missing)
