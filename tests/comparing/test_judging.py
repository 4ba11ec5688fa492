from __future__ import annotations

import math

import pytest

from generator.comparing import telling
from generator.comparing.estimating import Found
from generator.comparing.judging import Judged, judge
from generator.comparing.records import Difference, Estimate, Measured
from generator.kinds import Better
from generator.values import Address

SIDE = Measured(100.0, 5, 5)


def row(
    log_ratio: float = 0.1,
    p: float | None = 0.01,
    *,
    same: float = 0.9,
    better: Better | None = "higher",
    primary: bool = True,
    firm: bool = True,
    things: int = 0,
    work: bool = False,
) -> Judged:
    found = Found("welch", SIDE, SIDE, Estimate(log_ratio, p=p, p_same=same), p, "A", firm)
    return Judged(Address("x", "level", "a", "c8"), better, found, 0.05, primary, (), things, work)


def only(one: Judged) -> Difference:
    (found,) = judge([one])
    return found


def test_the_metric_says_which_way_is_better() -> None:
    assert only(row(0.1, better="higher")).verdict == "better"
    assert only(row(-0.1, better="higher")).verdict == "worse"
    assert only(row(0.1, better="lower")).verdict == "worse"
    assert only(row(-0.1, better="lower")).verdict == "better"


def test_a_metric_without_a_direction_is_neither() -> None:
    found = only(row(better=None))
    assert (found.verdict, found.suggests, found.reasons) == ("inconclusive", None, (telling.NO_DIRECTION,))


def test_what_is_not_found_is_not_the_same() -> None:
    found = only(row(0.01, p=0.4))
    assert (found.verdict, found.suggests, found.reasons) == ("inconclusive", None, (telling.NOT_FOUND,))


def test_the_same_has_to_be_shown() -> None:
    found = only(row(0.01, p=0.4, same=0.01))
    assert (found.verdict, found.reasons) == ("same", (telling.WITHIN_MARGIN,))


def test_a_difference_that_is_measurable_but_small_is_the_same_and_says_so() -> None:
    found = only(row(0.01, p=0.001, same=0.001))
    assert (found.verdict, found.reasons) == ("same", (telling.WITHIN_MARGIN, telling.SMALL))


def test_what_may_not_conclude_only_suggests() -> None:
    found = only(row(-0.1, firm=False))
    assert (found.verdict, found.suggests) == ("inconclusive", "worse")
    assert only(row(0.0, p=0.9, same=0.001, firm=False)).verdict == "inconclusive"


def test_rows_of_the_primary_metric_share_one_chance_of_a_false_alarm() -> None:
    # Holm: 0.01 × 3 = 0.03; 0.03 × 2 = 0.06; 0.9.
    found = judge([row(p=0.03), row(p=0.01), row(p=0.9)])
    assert [one.verdict for one in found] == ["inconclusive", "better", "inconclusive"]
    assert [one.p_adjusted for one in found] == pytest.approx([0.06, 0.03, 0.9])
    assert found[0].suggests == "better"
    assert telling.ONE_OF_MANY in found[0].reasons


def test_other_rows_share_a_rate_of_false_discoveries() -> None:
    # Benjamini–Hochberg: 0.01 × 3, 0.03 × 3 ÷ 2 = 0.045, 0.9: two are found.
    found = judge([row(p=p, primary=False) for p in (0.03, 0.01, 0.9)])
    assert [one.verdict for one in found] == ["better", "better", "inconclusive"]


def test_the_families_do_not_touch_each_other() -> None:
    rows = [row(p=0.04), *(row(p=0.5, primary=False) for _ in range(20))]
    assert judge(rows)[0].p_adjusted == 0.04


def test_where_two_things_changed_no_cause_is_named() -> None:
    found = only(row(-0.1, things=2))
    assert (found.verdict, found.suggests, found.grade) == ("confounded", "worse", "D")
    assert found.reasons == (telling.changed_at_once(2),)
    assert only(row(-0.1, things=1)).verdict == "worse"


def test_other_work_is_not_compared_and_counts_among_no_rows() -> None:
    found = judge([row(p=0.03), row(p=0.01, work=True)])
    assert [one.verdict for one in found] == ["better", "not_comparable"]
    assert (found[1].p_adjusted, found[1].grade) == (None, None)


def test_an_interval_that_leaves_out_one_suggests_a_direction() -> None:
    def of_blocks(low: float, high: float) -> Difference:
        found = Found("blocks", SIDE, SIDE, Estimate((low + high) / 2, low, high), grade="B")
        return only(Judged(Address("x", "level", "a", "c8"), "lower", found, 0.05, is_primary=True))

    assert (of_blocks(0.01, 0.1).verdict, of_blocks(0.01, 0.1).suggests) == ("inconclusive", "worse")
    assert of_blocks(-0.01, 0.1).suggests is None


def test_a_change_beyond_the_bound_of_the_noise_suggests_a_direction() -> None:
    def of_noise(log_ratio: float) -> Difference:
        found = Found("noise", SIDE, SIDE, Estimate(log_ratio), grade="C", log_bound=math.log(1.05))
        return only(Judged(Address("x", "level", "a", "c8"), "higher", found, 0.05, is_primary=True))

    assert (of_noise(0.06).suggests, of_noise(-0.06).suggests, of_noise(0.04).suggests) == ("better", "worse", None)
    assert of_noise(0.06).bound == pytest.approx(0.05)


def test_counts_point_where_the_share_went() -> None:
    found = Found("exact", Measured(0.0, 3, 960), Measured(9.0, 3, 480), None, 0.001, "A", is_firm=True)
    assert (
        only(Judged(Address("failed", "level", "a", "c8"), "lower", found, 0.05, is_primary=False)).verdict == "worse"
    )


def test_what_only_suggests_is_confounded_too_where_two_things_changed() -> None:
    found = only(row(-0.1, firm=False, things=2))
    assert (found.verdict, found.suggests, found.grade) == ("confounded", "worse", "D")
    assert only(row(0.01, p=0.4, firm=False, things=2)).verdict == "inconclusive"


def spoilt(log_ratio: float, things: int) -> Difference:
    found = Found("noise", SIDE, SIDE, Estimate(log_ratio), grade="C", log_bound=math.log(1.05), is_spoilt=True)
    return only(Judged(Address("x", "level", "a", "c8"), "lower", found, 0.05, is_primary=True, things=things))


def test_a_spoilt_level_has_no_direction_and_at_most_shows_that_things_changed() -> None:
    assert (spoilt(1.0, 2).verdict, spoilt(1.0, 2).suggests) == ("confounded", None)
    assert spoilt(1.0, 2).reasons[0] == telling.SPOILT
    assert (spoilt(1.0, 1).verdict, spoilt(1.0, 1).grade) == ("not_comparable", None)
    assert spoilt(0.01, 2).verdict == "not_comparable"


def test_with_trials_enough_that_differ_by_next_to_nothing_the_same_is_certain() -> None:
    assert only(row(1e-6, p=0.4, same=0.0)).verdict == "same"  # p underflows to nought


def test_what_does_not_survive_the_correction_points_nowhere_where_several_things_changed() -> None:
    crowd = [row(0.1, p=0.04, things=things) for things in (1, 2)]
    alone, confounded = judge(crowd)  # Holm: 2 × 0.04
    assert (alone.verdict, alone.suggests) == ("inconclusive", "better")
    assert (confounded.verdict, confounded.suggests, confounded.grade) == ("inconclusive", None, "D")


def at_spoilt_level(*, one: bool, p: float = 0.001) -> Difference:
    found = Found("welch", SIDE, SIDE, Estimate(-0.5, p=p, p_same=0.9), p, "A", is_spoilt=True, is_one_spoilt=one)
    return only(Judged(Address("x", "level", "a", "c8"), "higher", found, 0.05, is_primary=True))


def test_a_level_that_one_round_alone_spoils_points_where_its_numbers_went() -> None:
    lost = at_spoilt_level(one=True)
    assert (lost.verdict, lost.suggests) == ("inconclusive", "worse")
    assert telling.SPOILT in lost.reasons
    assert at_spoilt_level(one=False).verdict == "not_comparable"
    assert at_spoilt_level(one=True, p=0.4).verdict == "not_comparable"
