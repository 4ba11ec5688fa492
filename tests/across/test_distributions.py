from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from generator.across.distributions import E2EL, MOST_IN_ALL, TTFT, ecdf, runs
from generator.frame import Analysis
from generator.kinds import Missing
from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.figure_model import CurvePlot, FigureModel
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.support.request_rows import answer, requests_of
from tests.support.run_rounds import OFTEN_QUICK, OFTEN_SLOW, QUICK, SLOW, many_requests, repeated, round_of, two_series
from tests.support.telling import analysed, text_of

Runs = dict[Trial, Requests | None]
SPOILT = Finding("toy", "fail", say(zh="坏了", en="broken"))


def spoiling(round_: Round, *places: tuple[str, str]) -> Analysis:
    return replace(analysed(round_), spoilt=dict.fromkeys(places, SPOILT))


def plot_of(analysis: Analysis) -> CurvePlot:
    model = ecdf("ttft_ecdf", analysis, TTFT)
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, CurvePlot)
    return model.plot


def drawn(plot: CurvePlot) -> Mapping[str, list[str]]:
    levels: dict[str, list[str]] = {}
    for curve in plot.drawn:
        levels.setdefault(curve.series, []).append(curve.level)
    return levels


def test_runs_are_those_with_requests_by_rising_load() -> None:
    round_ = round_of({("a", "c1", None): None, ("a", "c4", None): QUICK, ("a", "c2", None): SLOW})

    assert [(level.id, trial) for level, trial, _ in runs(analysed(round_), round_.series[0])] == [
        ("c2", None), ("c4", None)
    ]  # fmt: skip


def test_each_trial_is_a_run() -> None:
    round_ = repeated()

    assert [trial for _, trial, _ in runs(analysed(round_), round_.series[0])] == [1, 2]


def test_spoilt_levels_are_not_drawn_and_named() -> None:
    analysis = spoiling(two_series(), ("a", "c1"))
    model = ecdf("ttft_ecdf", analysis, TTFT)

    assert drawn(plot_of(analysis)) == {"a": ["c2"], "b": ["c1", "c2"]}
    assert isinstance(model, FigureModel)
    assert "Not drawn because excluded: a at C=1." in text_of(model.caption, analysis)


def test_where_all_is_spoilt_it_is_said_so() -> None:
    analysis = spoiling(two_series(), *((series, level) for series in ("a", "b") for level in ("c1", "c2")))
    missing = ecdf("ttft_ecdf", analysis, TTFT)

    assert isinstance(missing, Missing)
    assert "every level with per-request records is excluded" in text_of(missing, analysis)


def test_of_many_levels_those_that_all_series_have_come_first() -> None:
    of_a: Runs = {("a", f"c{load}", None): QUICK for load in (1, 2, 4, 8, 16, 32)}
    of_b: Runs = {("b", f"c{load}", None): SLOW for load in (2, 8, 16, 64, 128)}

    # both have 2, 8 and 16
    assert drawn(plot_of(analysed(round_of({**of_a, **of_b})))) == {"a": ["c2", "c8", "c16"], "b": ["c2", "c8", "c16"]}


def test_series_with_little_in_common_are_drawn_at_their_own_ends() -> None:
    of_a: Runs = {("a", f"c{load}", None): QUICK for load in (1, 2, 4, 8, 16)}
    of_b: Runs = {("b", f"c{load}", None): SLOW for load in (3, 5)}

    assert drawn(plot_of(analysed(round_of({**of_a, **of_b})))) == {"a": ["c1", "c4", "c16"], "b": ["c3", "c5"]}


def test_of_very_many_curves_each_has_fewer_points() -> None:
    requests = many_requests(1000, 1)
    plot = plot_of(analysed(round_of({("a", "c2", trial): requests for trial in range(1, 61)})))

    # 12 000 ÷ 60, and the foot of the curve
    assert {len(curve.points) for curve in plot.curves} <= set(range(120, MOST_IN_ALL // 60 + 2))


@pytest.mark.parametrize(("slowest", "scale"), [(2.9, "linear"), (3.1, "log")])
def test_an_axis_is_logarithmic_where_values_span_more_than_thirty_times(slowest: float, scale: str) -> None:
    round_ = round_of({("a", "c1", None): requests_of(answer(0.1, 0.1), answer(slowest, 0.1))})

    assert plot_of(analysed(round_)).x.scale == scale


def test_who_is_alike_is_not_ranked() -> None:
    round_ = round_of({("a", "c1", None): OFTEN_QUICK, ("b", "c1", None): OFTEN_QUICK})
    model = ecdf("e2el_ecdf", analysed(round_), E2EL)

    assert isinstance(model, FigureModel)
    assert text_of(model.title, analysed(round_)) == "How E2EL is distributed at C=1"


def test_of_several_the_best_and_the_next_are_named() -> None:
    round_ = round_of({("a", "c1", None): OFTEN_SLOW, ("b", "c1", None): OFTEN_QUICK, ("c", "c1", None): OFTEN_SLOW})
    model = ecdf("ttft_ecdf", analysed(round_), TTFT)

    assert isinstance(model, FigureModel)
    assert text_of(model.title, analysed(round_)) == (
        "At C=1 b has the lowest median TTFT: 250 ms, ahead of a at 500 ms"
    )


def test_a_few_answers_of_single_runs_are_not_ranked() -> None:
    # four answers each: medians of 250 and 500 ms
    round_ = round_of({("a", "c1", None): SLOW, ("b", "c1", None): QUICK})
    model = ecdf("ttft_ecdf", analysed(round_), TTFT)

    assert isinstance(model, FigureModel)
    assert text_of(model.title, analysed(round_)) == (
        "At C=1, median TTFT: 500 ms for a and 250 ms for b (too few answers to rank)"
    )


def test_where_repetitions_overlap_nobody_is_quicker() -> None:
    # a: medians of 250 and 500 ms, 375 between them; b: 500 and 500
    of_a: Runs = {("a", "c2", 1): QUICK, ("a", "c2", 2): SLOW}
    of_b: Runs = {("b", "c2", 1): SLOW, ("b", "c2", 2): SLOW}
    analysis = analysed(round_of({**of_a, **of_b}))
    model = ecdf("ttft_ecdf", analysis, TTFT)

    assert isinstance(model, FigureModel)
    assert text_of(model.title, analysis) == (
        "At C=2 the median TTFT of a and b cannot be distinguished: 375 ms and 500 ms, and their runs overlap"
    )


def test_repetitions_that_stay_apart_tell_who_is_quicker() -> None:
    of_a: Runs = {("a", "c2", 1): QUICK, ("a", "c2", 2): QUICK}
    analysis = analysed(round_of({**of_a, ("b", "c2", None): OFTEN_SLOW}))
    model = ecdf("ttft_ecdf", analysis, TTFT)

    assert isinstance(model, FigureModel)
    assert text_of(model.title, analysis).startswith("At C=2 a has the lower median TTFT")
