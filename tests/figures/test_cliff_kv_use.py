from __future__ import annotations

import pytest

from generator.figures.cliff_kv_use import cliff_kv_use
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.cliff_rounds import POOL, cliff_round, climbing, preempting
from tests.support.telling import analysed


def plot(model: FigureModel | Missing) -> LinePlot:
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)
    return model.plot


def test_use_in_percent_over_the_tokens_in_flight() -> None:
    drawn = plot(cliff_kv_use.draw(analysed(preempting())))

    # 4 × 160 and 6 × 160 tokens
    assert [point.x for point in drawn.lines[0].points][2:4] == [640.0, 960.0]
    assert [point.y for point in drawn.lines[0].points][2:4] == pytest.approx([82.2, 86.7])
    assert [mark.x for mark in drawn.marks] == [720.0, 960.0]


def test_without_samples_it_is_what_the_requests_would_take() -> None:
    drawn = plot(cliff_kv_use.draw(analysed(cliff_round({"s": climbing()}, {"s": POOL}))))

    # 12 × 160 ÷ 720 = 267 %
    assert drawn.lines[0].points[-1].y == pytest.approx(100 * 1920 / 720)


def test_without_a_pool_it_is_not_drawn() -> None:
    assert isinstance(cliff_kv_use.draw(analysed(cliff_round({"s": climbing()}, {"s": {"slots": 4.0}}))), Missing)


def test_what_was_not_sampled_is_dashed_and_says_that_it_is_arithmetic() -> None:
    sampled = plot(cliff_kv_use.draw(analysed(preempting()))).lines[0]
    computed = plot(cliff_kv_use.draw(analysed(cliff_round({"s": climbing()}, {"s": POOL})))).lines[0]

    assert (sampled.role, sampled.name.en) == ("measured", "s")
    assert (computed.role, computed.name.en) == ("floor", "s (arithmetic)")
