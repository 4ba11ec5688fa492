from __future__ import annotations

from dataclasses import replace

from generator.across.cold_starts import first_of, of_start, soonest, started, starts_of, state_at
from tests.support.started_rounds import Start, started_in_every_way, started_round
from tests.support.telling import analysed


def test_the_starts_of_a_series_and_those_that_were_only_declared() -> None:
    analysis = analysed(started_in_every_way())
    ours, declared = analysis.round.series

    assert started(analysis) == [ours, declared]
    assert (starts_of(analysis, ours), first_of(analysis, ours)) == ((1, 2, 3, 4, 5, 6), 1)
    assert (starts_of(analysis, declared), first_of(analysis, declared)) == ((), None)
    assert of_start(analysis, "cold_start_t1", ours, 3) == 3.0
    assert of_start(analysis, "cold_start_t1", declared, None) == 20.0
    # two of nothing, two of all, one of which nobody knows, one of a half
    states = [state_at(analysis, ours, start) for start in starts_of(analysis, ours)]
    assert states == ["cold", "cold", "warm", "warm", "unknown", "unknown"]


def test_a_round_without_a_start_has_none() -> None:
    analysis = analysed(started_round(()))
    assert started(analysis) == []
    assert starts_of(analysis, analysis.round.series[0]) == ()


def test_what_a_start_lacks_is_not_taken_from_the_first() -> None:
    analysis = analysed(started_round((Start(), Start(token=None))))
    assert of_start(analysis, "cold_start_first_token", analysis.round.series[0], 2) is None


def test_starts_of_two_series_that_do_not_overlap_are_told_apart_whatever_a_third_shows() -> None:
    # a: 1.5 and 2 s; b: 2.5 and 3 s, of which the shortest is above the longest of a. c scatters, from 3 s on.
    quick, slow, wide = (Start(token=1.5), Start(token=2.0)), (Start(token=2.5), Start(token=3.0)), (3.0, 12.0)
    rounds = [started_round(starts, name) for starts, name in ((quick, "a"), (slow, "b"))]
    rounds.append(started_round(tuple(Start(token=one) for one in wide), "c"))
    joined = replace(
        rounds[0],
        series=tuple(one for round_ in rounds for one in round_.series),
        observations=tuple(seen for round_ in rounds for seen in round_.observations),
    )
    early, later = soonest(analysed(joined))

    assert ([one.id for one in early], [one.id for one in later]) == (["a"], ["b", "c"])
