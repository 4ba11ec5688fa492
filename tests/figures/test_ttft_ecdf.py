from __future__ import annotations

from generator.figures.ttft_ecdf import ttft_ecdf
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import CurvePlot, FigureModel
from tests.support.example_rounds import published
from tests.support.run_rounds import OFTEN_QUICK, OFTEN_SLOW, many_levels, repeated, round_of, two_series
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, CurvePlot]:
    model = ttft_ecdf.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, CurvePlot)
    return model, model.plot


def test_a_curve_begins_at_the_smallest_value_and_rises_with_each() -> None:
    _, plot = drawn(two_series())

    # four answers: a quarter each
    assert list(plot.curves[0].points) == [(100, 0), (100, 25), (200, 50), (300, 75), (400, 100)]
    assert [(curve.series, curve.level) for curve in plot.drawn] == [
        ("a", "c1"), ("a", "c2"), ("b", "c1"), ("b", "c2")
    ]  # fmt: skip


def test_dots_stand_at_median_and_p99() -> None:
    _, plot = drawn(two_series())

    # (200 + 300) ÷ 2; 300 + 0.97 × 100
    assert [(dot.name.en, dot.x, dot.y) for dot in plot.curves[0].dots] == [("p50", 250, 50), ("p99", 397, 99)]


def test_title_compares_medians_where_a_p99_would_be_one_request() -> None:
    round_ = round_of({("a", "c2", None): OFTEN_QUICK, ("b", "c2", None): OFTEN_SLOW})
    model, _ = drawn(round_)

    # (400 + 600) ÷ 2 = 500 ms
    assert said(model.title, round_) == (
        "在 C=2，a 的 TTFT 中位数较低，为 250 ms；b 为 500 ms\n"
        "At C=2 a has the lower median TTFT: 250 ms, against 500 ms of b"
    )


def test_the_higher_the_load_the_heavier_the_curve() -> None:
    _, plot = drawn(many_levels(3))

    assert [curve.shade for curve in plot.curves] == [0, 0.5, 1]


def test_of_many_levels_three_are_drawn_and_all_are_in_the_model() -> None:
    model, plot = drawn(many_levels(6))

    assert [curve.level for curve in plot.drawn] == ["c1", "c8", "c32"]
    assert [curve.level for curve in plot.curves] == ["c1", "c2", "c4", "c8", "c16", "c32"]
    assert "the lowest, a middle and the highest usable one are drawn" in said(model.caption, many_levels(6))


def test_each_trial_is_a_curve_of_its_own() -> None:
    model, plot = drawn(repeated())

    assert [(curve.trial, curve.points[-1]) for curve in plot.curves] == [(1, (400, 100)), (2, (1300, 100))]
    assert "they are not pooled" in said(model.caption, repeated())


def test_without_requests_it_is_said_what_to_import() -> None:
    missing = ttft_ecdf.draw(analysed(published("round-2")))

    assert isinstance(missing, Missing)
    assert said(missing, published("round-2")).count("--save-detailed") == 2
