from __future__ import annotations

import pytest

from generator.figures.kv_linearity import MOST_POINTS, kv_linearity
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import FigureModel, FitPlot
from tests.support.gauged_rounds import BLOCKS, Pool, gauged_round, pool_round, readings, sampled, sampled_slots
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, FitPlot]:
    model = kv_linearity.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, FitPlot)
    return model, model.plot


def test_each_settled_sample_is_a_point_with_its_blocks_rounded() -> None:
    _, plot = drawn(sampled(**BLOCKS))

    # 100 tokens and half a block of 16 less a half for the one sequence
    assert [(spot.x, spot.y, spot.level) for spot in plot.scatters[0].spots][:2] == [
        (107.5, 10, "c1"),
        (127.5, 13, "c1"),
    ]
    assert len(plot.scatters[0].spots) == 6


def test_the_fitted_line_and_that_of_the_formula_reach_to_the_last_point() -> None:
    model, plot = drawn(pool_round(Pool(noise=0)))
    fitted, formula = plot.trends
    reach = max(spot.x for spot in plot.scatters[0].spots)

    assert (fitted.role, formula.role) == ("fit", "theory")
    assert list(formula.points[0]) == [0, 0]
    # a pool of 50,000 tokens: each takes 0.002 %
    assert formula.points[1] == pytest.approx((reach, reach * 0.002), rel=1e-4)
    assert fitted.points[1] == pytest.approx(formula.points[1], rel=0.01)
    assert "of the formula" in said(model.title, pool_round(Pool(noise=0)))


def test_tokens_in_slots_are_a_share_of_the_pool() -> None:
    _, plot = drawn(sampled_slots())

    assert [spot.y for spot in plot.scatters[0].spots] == pytest.approx(
        [202 / 20.48, 241 / 20.48, 283 / 20.48], abs=1e-4
    )


def test_there_are_not_too_many_points() -> None:
    count = 3 * MOST_POINTS
    tokens = [float(n) for n in range(count)]
    said_of = readings(
        tokens, tokens=tokens, kv_usage=[n / count for n in tokens], awaiting=[0] * count, sequences=[1] * count
    )
    _, plot = drawn(gauged_round({"c1": said_of}))

    assert len(plot.scatters[0].spots) <= MOST_POINTS


def test_without_the_use_of_the_pool_there_is_nothing_to_draw() -> None:
    round_ = gauged_round({"c1": readings([0, 1], tokens=[1, 2], awaiting=[0, 0], sequences=[1, 1], running=[1, 1])})
    missing = kv_linearity.draw(analysed(round_))

    assert isinstance(missing, Missing)
    assert "nor the tokens in slots" in said(missing.reason, round_)
