from __future__ import annotations

import gzip
import time
from dataclasses import replace

import numpy as np

from generator.across.timelines import MOST
from generator.figures.timeline import MOST_MOMENTS, MOST_STALLS, timeline
from generator.kinds import Missing
from generator.model import Round
from generator.render.svg.drawing import draw
from generator.runs.requests import Requests
from generator.runs.server_times import ServerTimes
from generator.told.figure_model import FigureModel, Stretch, TimelinePlot
from tests.numeric.test_common_stalls import TWO
from tests.support.analyses import printer
from tests.support.example_rounds import published
from tests.support.gauged_rounds import readings
from tests.support.request_rows import FILE, answer, failure, requests_of
from tests.support.run_rounds import many_requests, round_of
from tests.support.telling import analysed, said


def of(requests: Requests) -> Round:
    return round_of({("a", "c2", None): requests})


def drawn(round_: Round) -> tuple[FigureModel, TimelinePlot]:
    model = timeline.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, TimelinePlot)
    return model, model.plot


def test_each_request_is_a_bar_of_what_it_did() -> None:
    round_ = of(requests_of(*TWO))
    model, plot = drawn(round_)

    assert [course.lane for course in plot.courses] == [0, 1]
    assert plot.courses[0].stretches == (Stretch("wait", 0.0, 0.5), Stretch("decode", 0.5, 1.8))
    assert plot.stalls == ((0.7, 1.7),)
    assert (plot.window, plot.left_out, plot.in_flight) == ((0.0, 1.8), 0, ())
    assert "a at C=2: all running answers stalled at once 1 time, for 1.00 s in total" in said(
        model.title, of(requests_of(*TWO))
    )
    assert "queueing and prefill cannot be separated" in said(model.caption, round_)


def test_with_launches_the_wait_is_queue_and_prefill() -> None:
    requests = replace(requests_of(*TWO), server=ServerTimes({"launch": np.array([0.1, 0.4])}))
    model, plot = drawn(of(requests))

    assert plot.courses[1].stretches[:2] == (Stretch("queue", 0.0, 0.4), Stretch("prefill", 0.4, 0.6))
    assert {strip.name.en: strip.moments for strip in plot.strips}["accepted by the server (log)"] == (0.1, 0.4)
    assert "matched in the order of sending" in said(model.caption, of(requests))


def test_what_failed_has_no_bar_but_its_place() -> None:
    model, plot = drawn(of(requests_of(*TWO, failure(start=1.0))))

    assert (plot.courses[2].sent, plot.courses[2].stretches) == (1.0, ())
    assert "Crosses are requests that failed" in said(model.caption, of(requests_of(*TWO, failure(start=1.0))))


def test_times_of_waiting_are_those_of_the_samples() -> None:
    # Sampled at 0, 0.5, 1 and 1.5 s; somebody waits at the second and third: from 0.5 s to 1.5 s.
    gauges = readings([0.0, 0.5, 1.0, 1.5], running=[1, 2, 2, 2], waiting=[0, 1, 2, 0])
    _, plot = drawn(of(replace(requests_of(*TWO), gauges=gauges)))

    assert [strip.spans for strip in plot.strips if strip.spans] == [((0.5, 1.5),)]


def test_the_run_with_the_longest_stalls_is_shown_with_its_trial() -> None:
    quick = requests_of(*(answer(0.1, 0.1, 0.1, start=0.0) for _ in range(2)))
    round_ = round_of({("a", "c2", 1): quick, ("a", "c2", 2): requests_of(*TWO)})
    model, plot = drawn(round_)

    assert plot.trial == 2
    assert "(trial 2)" in said(model.title, round_)
    assert all(address.trial == 2 for address in plot.facts)


def test_rows_are_counted_at_round_steps() -> None:
    # 64 side by side: at 20, 40 and 60
    _, plot = drawn(of(requests_of(*(answer(0.1, 0.1, 0.1, start=0.0) for _ in range(64)))))

    assert plot.y.ticks == (0, 20, 40, 60)


def test_without_stalls_the_title_says_so() -> None:
    quick = requests_of(*(answer(0.1, 0.1, 0.1, start=0.0) for _ in range(2)))

    assert "never stalled at once" in said(drawn(of(quick))[0].title, of(quick))


def test_of_one_request_at_a_time_nothing_is_said_of_stalls() -> None:
    alone = requests_of(answer(0.1, 0.1, start=0.0), answer(0.1, 0.1, start=0.5))

    assert said(drawn(of(alone))[0].title, of(alone)).endswith("one at a time")


def test_of_many_requests_a_part_is_drawn_and_the_whole_is_told() -> None:
    round_ = of(many_requests(2000, 2))
    model, plot = drawn(round_)

    assert len(plot.courses) == MOST
    assert plot.left_out == 2000 - MOST
    assert plot.in_flight[0][0] == 0
    assert "the other 1,600 are in the curve of requests in flight" in said(model.caption, round_)


def test_moments_and_stalls_are_no_more_than_can_be_seen() -> None:
    # 150 stalls of 2 s, ever longer; 1000 launches
    pair = [answer(0.1, *(gap for n in range(150) for gap in (0.01, 2 + n / 1000, 0.01)), start=0.0) for _ in range(2)]
    logged = ServerTimes({"launch": np.linspace(0, 300, 1000)})
    _, plot = drawn(of(replace(requests_of(*pair), server=logged)))

    assert len(plot.stalls) == MOST_STALLS
    assert min(end - begin for begin, end in plot.stalls) > 2.049  # the longest 100 of 2.000 to 2.149 s
    assert len(next(strip for strip in plot.strips if "accepted" in strip.name.en).moments) == MOST_MOMENTS


def test_a_hundred_thousand_requests_are_drawn_soon_and_weigh_little() -> None:
    # a thousand a second, each of 1 s, but for half a second at 50 s
    count = 100_000
    gaps = np.tile(np.array([100_000, 100_000], dtype=np.int32), count)
    requests = Requests(
        answered=np.ones(count, dtype=np.bool_),
        start=np.arange(count) / 1000 + np.where(np.arange(count) >= 50_000, 0.5, 0.0),
        ttft=np.full(count, 0.8),
        e2el=np.full(count, 1.0),
        input_tokens=np.full(count, 16.0),
        output_tokens=np.full(count, 3.0),
        gap_counts=np.full(count, 2, dtype=np.int64),
        gaps=gaps,
        source=FILE,
    )
    analysis = analysed(of(requests))
    begun = time.process_time()
    model = timeline.draw(analysis)
    assert isinstance(model, FigureModel)
    svg = draw(model, printer("en", analysis), "wide")

    assert time.process_time() - begun < 10
    assert len(svg) < 60_000
    assert len(gzip.compress(svg.encode())) < 12_000


def test_a_table_of_results_cannot_be_drawn() -> None:
    missing = timeline.draw(analysed(published("round-2")))

    assert isinstance(missing, Missing)
    assert "rounds collect" in said(missing.reason, published("round-2"))
