from __future__ import annotations

from generator.cold_starts import first_of, of_start, started, starts_of, state_at
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
