from __future__ import annotations

import pytest

from generator.figures.requests_over_time import requests_over_time
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import CloudPlot, FigureModel
from tests.support.request_rows import answer, failure, requests_of
from tests.support.run_rounds import QUICK, SLOW, SLOW_ROWS, many_levels, many_requests, repeated, round_of, two_series
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, CloudPlot]:
    model = requests_over_time.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, CloudPlot)
    return model, model.plot


def test_each_request_is_a_point_at_its_sending() -> None:
    _, plot = drawn(two_series())

    assert [(cloud.series, cloud.level) for cloud in plot.clouds] == [("a", "c2"), ("b", "c2")]
    assert plot.clouds[0].points == ((0, 130), (0, 230), (0.2, 350), (0.3, 490))


def test_failed_requests_keep_their_sending() -> None:
    model, plot = drawn(two_series())

    assert [cloud.failed for cloud in plot.clouds] == [(), (0.6,)]
    assert said(model.title, two_series()) == "b 在 C=2 的 5 条请求里有 1 条失败\n1 of 5 requests to b failed at C=2"
    assert "Crosses on the base line" in said(model.caption, two_series())


def test_the_steady_part_is_from_the_first_end_to_the_last_sending() -> None:
    model, plot = drawn(many_levels(1))

    # the first answer ends after 0.13 s, the last request is sent after 0.3 s
    assert plot.clouds[0].window == pytest.approx((0.13, 0.3))
    assert said(model.title, many_levels(1)).endswith(
        "a at C=1: of 2.00 s, the load was steady from 0.130 s to 0.300 s"
    )


def test_where_all_are_sent_at_once_there_is_no_steady_part() -> None:
    round_ = round_of({("a", "c2", None): requests_of(answer(0.1, 0.1, start=0.0), answer(0.1, 0.2, start=0.0))})
    model, plot = drawn(round_)

    assert plot.clouds[0].window is None
    assert "steady" not in said((model.title, model.caption), round_)


def test_the_highest_level_and_the_first_trial_are_drawn() -> None:
    _, plot = drawn(repeated())

    assert [(cloud.level, cloud.trial) for cloud in plot.clouds] == [("c2", 1)]


def test_ten_thousand_points_are_the_most_and_keep_the_extremes() -> None:
    requests = many_requests(30_000, 2)
    requests.e2el[12_345] = 99.0
    _, plot = drawn(round_of({("a", "c1", None): requests}))
    (cloud,) = plot.clouds

    assert len(cloud.points) <= 10_000
    assert (123.45, 99_000) in cloud.points
    assert (cloud.points[0][0], cloud.points[-1][0]) == (0, 299.99)


def test_of_many_requests_it_is_said_that_some_stand_for_all() -> None:
    many, few = round_of({("a", "c1", None): many_requests(501, 2)}), many_levels(1)

    assert "some stand for all" in said(drawn(many)[0].caption, many)
    assert "some stand for all" not in said(drawn(few)[0].caption, few)


def test_without_times_of_sending_it_is_said_so() -> None:
    round_ = round_of({("a", "c1", None): requests_of(answer(0.1, 0.1))})
    missing = requests_over_time.draw(analysed(round_))

    assert isinstance(missing, Missing)
    assert "says when its requests were sent" in said(missing, round_)


def test_without_requests_it_is_said_what_to_import() -> None:
    round_ = round_of({("a", "c1", None): None})
    missing = requests_over_time.draw(analysed(round_))

    assert isinstance(missing, Missing)
    assert "--save-detailed" in said(missing, round_)


def test_a_level_without_times_gives_way_to_a_lower_one() -> None:
    untimed = requests_of(answer(0.1, 0.1), answer(0.2, 0.1))
    _, plot = drawn(round_of({("a", "c1", None): QUICK, ("a", "c2", None): untimed}))

    assert [cloud.level for cloud in plot.clouds] == ["c1"]


def test_the_title_tells_of_the_run_that_is_drawn() -> None:
    # trial 1 has 1 failure of 5, trial 2 has 3 of 7: the median of 2 is of neither
    more = requests_of(*SLOW_ROWS, failure(start=0.7), failure(start=0.8))
    round_ = round_of({("a", "c2", 1): SLOW, ("a", "c2", 2): more})
    model, plot = drawn(round_)

    assert plot.clouds[0].failed == (0.6,)
    assert said(model.title, round_) == (
        "a 在 C=2 的 5 条请求里有 1 条失败（第 1 次测量）\n1 of 5 requests to a failed at C=2 (trial 1)"
    )
