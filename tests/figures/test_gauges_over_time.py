from __future__ import annotations

from generator.figures.gauges_over_time import MOST_POINTS, gauges_over_time
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import FigureModel, TracePlot
from tests.support.gauged_rounds import Pool, gauged_round, pool_round, readings, sampled, sampled_slots
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, TracePlot]:
    model = gauges_over_time.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, TracePlot)
    return model, model.plot


def names(plot: TracePlot) -> list[str]:
    return [panel.y.label.en for panel in plot.panels]


def test_there_is_a_panel_for_each_gauge_and_a_trace_for_each_level() -> None:
    model, plot = drawn(sampled())

    assert names(plot) == ["requests running", "requests waiting", "KV pool use"]
    assert [(trace.level, trace.points) for trace in plot.panels[2].traces] == [
        ("c1", ((0, 10), (1, 13), (2.5, 15))),
        ("c2", ((0, 10), (1, 22), (2, 27))),
    ]
    assert "The KV pool of a was 27.0% full at most, first at C=2" in said(model.title, sampled())


def test_where_nobody_waits_no_panel_says_so_but_the_caption() -> None:
    round_ = gauged_round({"c1": readings([0, 1], running=[1, 1], waiting=[0, 0], kv_usage=[0.1, 0.2])})
    model, plot = drawn(round_)

    assert names(plot) == ["requests running", "KV pool use"]
    assert "No sample saw a request wait." in said(model.caption, round_)


def test_tokens_in_flight_stand_in_for_the_pool() -> None:
    model, plot = drawn(sampled_slots())

    assert names(plot) == ["requests running", "tokens in flight, as the client knew"]
    assert list(plot.panels[1].traces[0].points) == [(0, 200), (1, 240), (2, 280)]
    assert "does not give the use of its KV pool" in said(model.caption, sampled_slots())


def test_of_many_levels_the_ends_are_drawn_and_the_fullest_between() -> None:
    used = {1: 0.1, 2: 0.9, 3: 0.8, 4: 0.9, 5: 0.9}  # the fullest between is the first of c2 and c4
    said_of = {
        f"c{n}": readings([0, 1], running=[n, n], waiting=[1, 1], kv_usage=[use, use]) for n, use in used.items()
    }
    model, plot = drawn(gauged_round(said_of))

    assert [trace.level for trace in plot.panels[0].traces if trace.is_drawn] == ["c1", "c2", "c5"]
    assert len(plot.panels[0].traces) == 5
    assert "the files have all" in said(model.caption, gauged_round(said_of))


def test_a_long_run_is_thinned_and_keeps_its_peak() -> None:
    use = [0.1] * 5000
    use[2345] = 0.9
    _, plot = drawn(gauged_round({"c1": readings(list(range(5000)), running=[1] * 5000, kv_usage=use)}))

    points = plot.panels[-1].traces[0].points
    assert len(points) <= MOST_POINTS
    assert (2345, 90) in points


def test_without_samples_it_says_what_would_bring_them() -> None:
    missing = gauges_over_time.draw(analysed(two_series()))

    assert isinstance(missing, Missing)
    assert "rounds collect" in said(missing.reason, two_series())


def test_a_whole_load_can_be_drawn() -> None:
    _, plot = drawn(pool_round(Pool()))

    assert {trace.level for trace in plot.panels[-1].traces} == {"c1", "c4", "c16"}
