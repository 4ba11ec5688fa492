from __future__ import annotations

from generator.render.files.run_names import level_and_trial, run_name
from generator.told.figure_model import OF_NO_SERIES, Trace
from tests.support.run_figures import curves_of, printed
from tests.support.run_rounds import repeated, two_series


def test_a_run_is_named_by_series_and_level() -> None:
    assert run_name(curves_of(two_series()).curves[2], printed(two_series())) == "b C=1"


def test_trials_are_told_apart_in_both_languages() -> None:
    second = curves_of(repeated()).curves[1]

    assert level_and_trial(second, printed(repeated())) == "C=2, trial 2"
    assert level_and_trial(second, printed(repeated(), "zh")) == "C=2，第 2 次"


def test_what_is_of_no_series_is_of_the_load_of_users() -> None:
    trace = Trace(OF_NO_SERIES, "", None, ())

    assert run_name(trace, printed(two_series())) == "the load"
    assert run_name(trace, printed(two_series(), "zh")) == "负载"
    assert printed(two_series()).accent(OF_NO_SERIES) == 0
