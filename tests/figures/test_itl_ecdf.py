from __future__ import annotations

import pytest

from generator.figures.itl_ecdf import itl_ecdf
from generator.model import Round
from generator.told.figure_model import CurvePlot, FigureModel
from tests.support.request_rows import answer, requests_of
from tests.support.run_rounds import many_requests, round_of, two_series
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, CurvePlot]:
    model = itl_ecdf.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, CurvePlot)
    return model, model.plot


def test_gaps_of_all_answers_of_a_run_are_one_sample() -> None:
    _, plot = drawn(two_series())

    # 10 ms four times, 20 twice, 40, 80: 4, 6, 7 and 8 of 8
    assert list(plot.curves[0].points) == [(10, 0), (10, 50), (20, 75), (40, 87.5), (80, 100)]
    assert plot.x.scale == "linear"


def test_a_million_gaps_are_at_most_five_hundred_points_with_the_largest_exact() -> None:
    _, plot = drawn(round_of({("a", "c1", None): many_requests(1000, 1000)}))
    (curve,) = plot.curves

    assert len(curve.points) <= 501
    assert not curve.is_whole
    # gaps of 1 µs to 1 000 000 µs: the twenty largest are 999.981 to 1000 ms
    assert [x for x, _ in curve.points[-20:]] == [pytest.approx(999.981 + step / 1000) for step in range(20)]
    assert curve.points[-1] == (1000, 100)


def test_a_wide_span_has_a_log_axis_from_the_first_per_cent_on() -> None:
    # 1 µs is 1 % of 100 gaps; of 101 it is less, and the axis begins at the next one
    few = requests_of(answer(0.1, 1e-6, *[0.01] * 198, 0.9))
    model, plot = drawn(round_of({("a", "c1", None): few}))

    assert (plot.x.scale, plot.begins) == ("log", 10)
    assert "Chunks that came in one read are next to no time apart" in said(model.caption, two_series())


def test_without_tiny_gaps_nothing_is_said_of_them() -> None:
    model, _ = drawn(two_series())

    assert "one read" not in said(model.caption, two_series())


def test_with_enough_gaps_p99s_are_compared() -> None:
    quick, slow = (requests_of(*[answer(0.1, *[gap] * 5)] * 20) for gap in (0.01, 0.02))
    round_ = round_of({("a", "c4", None): slow, ("b", "c4", None): quick})
    model, _ = drawn(round_)

    assert said(model.title, round_) == (
        "在 C=4，b 的 ITL p99 较低，为 10.0 ms；a 为 20.0 ms\n"
        "At C=4 b has the lower ITL p99: 10.0 ms, against 20.0 ms of a"
    )


def test_a_series_alone_is_told_by_its_median_and_tail() -> None:
    round_ = round_of({("a", "c4", None): requests_of(answer(0.1, *[0.01] * 100))})
    model, _ = drawn(round_)

    assert said(model.title, round_).endswith("ITL of a at C=4: median 10.0 ms, p99 10.0 ms")
