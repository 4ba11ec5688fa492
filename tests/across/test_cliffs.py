from __future__ import annotations

import pytest

from generator.across.cliffs import (
    Sign,
    cliff_marks,
    climbed,
    due_at,
    failed_from,
    failed_loads,
    failed_whole,
    failure_marks,
    first_wall,
    observed_at,
    signs_at,
    with_cliff,
)
from generator.frame import Analysis
from tests.support.cliff_rounds import POOL, cliff_round, climbing, preempting
from tests.support.telling import analysed, text_of


def test_both_positions_lie_on_rungs() -> None:
    analysis = analysed(preempting())
    (series,) = with_cliff(analysis)

    # 720 ÷ 160 = 4.5: C = 6 is the first above it, and the first that preempts
    due, seen = due_at(analysis, series), observed_at(analysis, series)
    assert (due and due.id, seen and seen.id) == ("c6", "c6")


SIGNS: dict[str, list[Sign]] = {
    "c1": [],
    "c2": [],
    "c4": [],
    # 0.0675 > 3 × 0.0091; throughput grew by 5.6 % over 0.58 of a doubling, for which 2.9 % would be flat
    "c6": ["preempted", "waiting", "ttft_p99"],
    "c8": ["preempted", "waiting", "flat", "ttft_p50"],
    "c12": ["preempted", "waiting", "flat"],
}


def test_each_level_has_its_signs() -> None:
    analysis = analysed(preempting())
    (series,) = analysis.round.series
    assert {level.id: signs_at(analysis, series, level) for level in climbed(analysis, series)} == SIGNS


def test_requests_that_failed_for_want_of_kv_are_told_as_such() -> None:
    levels = climbing(log_kv_full=(5, 7, 11, 86, 82, 90), failed=(0, 0, 1, 18, 24, 36))
    analysis = analysed(cliff_round({"s": levels}, {"s": POOL}))
    (series,) = analysis.round.series
    signs = {level.id: signs_at(analysis, series, level) for level in climbed(analysis, series)}

    assert signs["c2"] == []  # what did not fit at once did so in the end
    assert signs["c6"][0] == "refused"


def test_failures_of_another_cause_or_of_none_on_record_are_no_sign() -> None:
    levels = climbing(failed=(0, 0, 1, 0, 0, 0))
    analysis = analysed(cliff_round({"s": levels}, {"s": POOL}))
    (series,) = analysis.round.series
    failing = next(level for level in climbed(analysis, series) if level.id == "c4")

    assert signs_at(analysis, series, failing) == []


def test_a_wall_is_the_pool_the_slots_or_both() -> None:
    def wall(**constants: float) -> str:
        analysis = analysed(preempting(**constants))
        return first_wall(analysis, analysis.round.series[0])

    assert (wall(slots=32.0), wall(slots=4.0)) == ("pool", "slots")
    # four slots of 180 tokens are all of the 720
    kept = {"log_slot_context_of_series": 180.0, "log_slots_of_series": 4.0}
    assert wall(slots=4.0, **kept) == "both"


def test_a_short_ladder_or_an_unknown_wall_shows_no_cliff() -> None:
    short = cliff_round({"s": climbing((1, 2))}, {"s": POOL})
    assert with_cliff(analysed(short)) == []
    assert with_cliff(analysed(cliff_round({"s": climbing()}, {}))) == []


@pytest.mark.parametrize(
    ("metric", "places"),
    [(None, [4.5, 6.0]), ("cliff_tokens", [720.0, 960.0])],  # 4.5 × 160, 6 × 160
    ids=["concurrency", "tokens in flight"],
)
def test_marks_stand_on_either_axis(metric: str | None, places: list[float]) -> None:
    analysis = analysed(preempting())
    (series,) = analysis.round.series
    marks = cliff_marks(analysis, [series], [1.0, 2000.0], metric)

    assert [mark.x for mark in marks] == places
    assert [text_of(mark.label, analysis) for mark in marks] == ["predicted C=4.50: s", "observed C=6: s"]


def test_series_with_a_mark_at_one_place_share_it() -> None:
    levels = climbing(server_preemptions=(0.0, 0.0, 0.0, 9.0, 13.0, 21.0))
    # 720 ÷ 160 = 4.5 and 600 ÷ 160 = 3.75 requests fit.
    pools = {"s": POOL, "t": POOL | {"kv_pool_tokens": 600.0}}
    analysis = analysed(cliff_round({"s": levels, "t": levels}, pools))
    marks = cliff_marks(analysis, analysis.round.series, [1.0, 12.0])

    assert [text_of(mark.label, analysis) for mark in marks] == [
        "predicted C=4.50: s", "predicted C=3.75: t", "observed C=6: all series",
    ]  # fmt: skip


def test_marks_beyond_what_is_drawn_are_left_out() -> None:
    analysis = analysed(preempting())
    (series,) = analysis.round.series
    assert [mark.x for mark in cliff_marks(analysis, [series], [1.0, 5.0])] == [4.5]
    assert cliff_marks(analysis, [series], []) == []


def failing(*answered: float) -> Analysis:
    """Return a round of one series at C = 1, 2, 4, 6, 8 and 12 of which so many requests were answered at each."""
    failed = tuple(0.0 if some else 9.0 for some in answered)
    refused = tuple(9.0 * (not some) for some in answered)
    levels = climbing(completed=answered, failed=failed, log_kv_full=refused)
    return analysed(cliff_round({"s": levels}, {"s": POOL}))


def test_from_which_level_on_every_request_failed() -> None:
    whole = failing(9, 9, 9, 0, 0, 0)
    (series,) = whole.round.series

    assert [level.load for level in failed_whole(whole, series)] == [6, 8, 12]
    assert failed_loads(whole, [series]) == {6.0, 8.0, 12.0}
    assert [text_of(mark.label, whole) for mark in failure_marks(whole, [series])] == ["all failed from C=6 on: s"]
    marks = cliff_marks(whole, [series], [1.0, 12.0])
    assert [text_of(mark.label, whole) for mark in marks] == [
        "predicted C=4.50: s", "observed C=6, all fail: s",
    ]  # fmt: skip


def test_a_level_that_was_answered_above_ends_nothing() -> None:
    between = failing(9, 9, 9, 0, 9, 9)
    (series,) = between.round.series

    assert failed_from(between, series) is None
    assert failure_marks(between, [series]) == []
