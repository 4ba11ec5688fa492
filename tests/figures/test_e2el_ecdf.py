from __future__ import annotations

from generator.figures.e2el_ecdf import e2el_ecdf
from generator.kinds import Missing
from generator.told.figure_model import CurvePlot, FigureModel
from tests.support.request_rows import failure, requests_of
from tests.support.run_rounds import round_of, two_series
from tests.support.telling import analysed, said


def test_whole_answers_are_a_sample_without_the_failed() -> None:
    model = e2el_ecdf.draw(analysed(two_series()))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, CurvePlot)

    assert list(model.plot.curves[0].points) == [(130, 0), (130, 25), (230, 50), (350, 75), (490, 100)]
    # b: 200 + 60, 400 + 60, 600 + 100, 1300 + 180; the fifth one failed
    assert [x for x, _ in model.plot.curves[2].points[1:]] == [260, 460, 700, 1480]


def test_where_all_failed_there_is_nothing_to_draw() -> None:
    round_ = round_of({("a", "c1", None): requests_of(failure(start=0.0), failure(start=1.0))})
    missing = e2el_ecdf.draw(analysed(round_))

    assert isinstance(missing, Missing)
    assert "E2EL" in said(missing, round_)
