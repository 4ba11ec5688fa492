from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.comparing import telling
from generator.comparing.records import Comparison, Verdict
from generator.comparing.rounds import Options
from generator.declared.round_tables import ModelTable
from generator.frame import Analysis
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.comparing.two_rounds import a_run, analysed, compared, of_runs, row, throughputs
from tests.support.machines import machine

SLOWER = (90.0, 91.0, 92.0)
USUAL = (100.0, 101.0, 102.0)
ONE_CHANGE = machine({"engine.version": "2"}, flags=[])
BEFORE = machine({"engine.version": "1"}, flags=[])
MIRRORED: dict[Verdict, Verdict] = {"better": "worse", "worse": "better"}


def test_a_slower_head_is_worse() -> None:
    found = row(throughputs(*USUAL), throughputs(*SLOWER))
    # Geometric means 101.0 and 91.0, give or take the spread of 1 %.
    assert found.verdict == "worse"
    assert found.change == pytest.approx(91 / 101 - 1, abs=1e-4)
    assert found.grade == "A"
    assert compared(throughputs(*USUAL), throughputs(*SLOWER)).gate == "worse"


def test_a_quicker_head_is_better() -> None:
    assert compared(throughputs(*SLOWER), throughputs(*USUAL)).gate == "better"


def test_two_quiet_rounds_are_the_same_within_the_margin() -> None:
    found = row(throughputs(100.0, 100.1, 100.2), throughputs(100.1, 100.2, 100.3))
    assert found.verdict == "same"
    assert row(
        throughputs(100.0, 100.1, 100.2), throughputs(100.1, 100.2, 100.3), options=Options(margin=1e-4)
    ).verdict == ("inconclusive")


def test_single_runs_never_bear_a_verdict() -> None:
    base, head = of_runs({("a", "c1", None): a_run(1)}), of_runs({("a", "c1", None): a_run(2, pace=2.0)})
    found = compared(base, head)
    assert {one.verdict for one in found.differences if one.method == "blocks"} == {"inconclusive"}
    assert row(base, head, "ttft_p50").suggests == "worse"
    assert found.gate == "inconclusive"


def test_gaps_between_tokens_are_resampled_with_their_requests() -> None:
    found = row(of_runs({("a", "c1", None): a_run(1)}), of_runs({("a", "c1", None): a_run(2, pace=1.2)}), "itl_p99")
    assert found.method == "blocks"
    assert found.head.n == 200


def test_one_thing_that_changed_is_what_is_being_compared() -> None:
    found = row(throughputs(*USUAL, machine=BEFORE), throughputs(*SLOWER, machine=ONE_CHANGE))
    assert (found.verdict, [one.path for one in found.changed]) == ("worse", ["engine.version"])


def test_two_things_that_changed_cannot_be_told_apart() -> None:
    two = machine({"engine.version": "2", "gpu.driver": "590"}, flags=[])
    one = machine({"engine.version": "1", "gpu.driver": "580"}, flags=[])
    base, head = throughputs(*USUAL, machine=one), throughputs(*SLOWER, machine=two)
    assert (row(base, head).verdict, row(base, head).suggests, row(base, head).grade) == ("confounded", "worse", "D")
    assert compared(base, head).banner.standing == "partial"
    meant = Options(intended=frozenset({"engine", "gpu.driver"}))
    assert row(base, head, options=meant).verdict == "worse"


def test_a_level_of_one_round_only_is_left_out_and_named() -> None:
    base = analysed({"c1": {"output_throughput": USUAL}, "c8": {"output_throughput": USUAL}})
    head = analysed({"c8": {"output_throughput": SLOWER}, "c64": {"output_throughput": SLOWER}})
    found = compared(base, head)
    assert [(one.shared, one.only_base, one.only_head) for one in found.pairs] == [(("c8",), ("c1",), ("c64",))]
    assert {one.address.level for one in found.differences} == {"c8"}
    assert found.banner.standing == "partial"


def test_rounds_without_a_common_series_are_not_comparable() -> None:
    base, head = (
        analysed({"c8": {"output_throughput": USUAL}}),
        analysed({"c8": {"output_throughput": USUAL}}, series="b"),
    )
    found = compared(base, head)
    assert (found.banner.standing, found.banner.reasons[0], found.gate) == ("not_comparable", telling.NO_SERIES, None)
    assert (found.only_base, found.only_head) == (("a",), ("b",))


def test_rounds_without_a_common_level_are_not_comparable() -> None:
    found = compared(analysed({"c1": {"output_throughput": USUAL}}), analysed({"c2": {"output_throughput": USUAL}}))
    assert (found.banner.standing, found.banner.reasons[0]) == ("not_comparable", telling.NO_LEVEL)


def test_a_level_that_was_asked_other_lengths_is_not_comparable() -> None:
    def asked(tokens: float) -> Analysis:
        return analysed({"c8": {"output_throughput": USUAL, "asked_input_tokens": (tokens,)}})

    assert row(asked(1000), asked(505)).verdict == "not_comparable"
    assert row(asked(1000), asked(970)).verdict == "not_comparable"
    assert row(asked(1000), asked(990)).reasons == row(asked(1000), asked(1000)).reasons


def test_another_model_is_other_work_for_every_row() -> None:
    base, head = throughputs(*USUAL), throughputs(*SLOWER)
    file = head.round.file.model_copy(update={"model": ModelTable(name="another model")})
    found = compared(base, replace(head, round=replace(head.round, file=file)))
    assert {one.verdict for one in found.differences} == {"not_comparable"}
    assert (found.banner.standing, found.banner.reasons[0]) == ("not_comparable", telling.OTHER_WORK)


def spoilt(analysis: Analysis) -> Analysis:
    finding = Finding("x", "fail", say(zh="坏", en="bad"), "a", ("c8",), spoils=("c8",))
    return replace(analysis, spoilt={("a", "c8"): finding})


def test_a_level_that_is_spoilt_on_both_sides_is_not_compared() -> None:
    base, head = spoilt(throughputs(*USUAL)), spoilt(throughputs(*SLOWER))
    assert (row(base, head).verdict, row(base, head).reasons) == ("not_comparable", (telling.SPOILT,))
    assert compared(base, head).banner.reasons[0] == telling.NOTHING_LEFT


def test_a_level_that_one_side_alone_spoils_points_where_it_went() -> None:
    there, back = (
        row(throughputs(*USUAL), spoilt(throughputs(*SLOWER))),
        row(spoilt(throughputs(*SLOWER)), throughputs(*USUAL)),
    )
    assert (there.verdict, there.suggests, back.suggests) == ("inconclusive", "worse", "better")
    assert row(throughputs(*USUAL), spoilt(throughputs(*USUAL[::-1]))).verdict == "not_comparable"


def test_a_round_against_itself_is_identical() -> None:
    base = analysed({"c8": {"output_throughput": USUAL}}, sha256="ab")
    assert compared(base, base).banner.standing == "identical"


def test_what_is_not_on_record_is_said() -> None:
    found = compared(throughputs(*USUAL), throughputs(*SLOWER))
    assert (found.banner.standing, found.banner.reasons) == ("comparable", (telling.UNKNOWN_SETTINGS,))


def test_a_metric_that_neither_round_has_is_no_row() -> None:
    found = compared(throughputs(*USUAL), throughputs(*SLOWER), Options(primary="ttft_p50"))
    assert found.gate is None
    assert [one.address.metric for one in found.differences] == ["output_throughput"]


def test_noise_is_learnt_from_earlier_rounds_of_the_same_setting() -> None:
    earlier = [throughputs(100.0 + number % 2, machine=BEFORE) for number in range(11)]
    base, head = throughputs(100.0, machine=BEFORE), throughputs(97.0, machine=BEFORE)
    found = row(base, head, options=Options(earlier=earlier))
    # Every change was by 1 ÷ 100: the bound is ln 1.01, and −3 % lies beyond it. With two rounds it is the default.
    assert found.bound == pytest.approx(0.01)
    assert found.suggests == "worse"
    assert row(base, head, options=Options(earlier=earlier[:2])).bound == pytest.approx(0.05)
    changed = throughputs(97.0, machine=ONE_CHANGE)
    others = [throughputs(100.0 + number % 2, machine=ONE_CHANGE) for number in range(11)]
    assert row(base, head, options=Options(earlier=others)).bound == pytest.approx(0.05)
    # Rounds of the head's setting tell of the noise as well as those of the base's.
    assert row(base, changed, options=Options(earlier=others)).bound == pytest.approx(0.01)


numbers = st.lists(st.floats(50.0, 200.0), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(base=numbers, head=numbers, failed=st.integers(0, 20), things=st.booleans())
def test_swapped_rounds_mirror_every_row(base: list[float], head: list[float], failed: int, *, things: bool) -> None:
    def made(values: list[float], lost: int, version: str) -> Analysis:
        told = {"engine.version": version, "gpu.driver": version if things else "1"}
        sent = {"requests": (320.0,), "completed": (320.0 - lost,)}
        return analysed({"c8": {"output_throughput": values, **sent}}, machine=machine(told, flags=[]))

    one, other = made(base, failed, "1"), made(head, 1, "2")
    assert_mirrored(compared(one, other), compared(other, one))


def test_swapped_runs_mirror_every_row() -> None:
    one, other = of_runs({("a", "c1", None): a_run(1)}), of_runs({("a", "c1", None): a_run(2, pace=1.03)})
    assert_mirrored(compared(one, other), compared(other, one))


def assert_mirrored(there: Comparison, back: Comparison) -> None:
    """Check that the swapped comparison has each verdict, ratio and interval turned round, to the last bit."""
    assert len(there.differences) == len(back.differences) > 0
    for one, other in zip(there.differences, back.differences, strict=True):
        assert other.verdict == MIRRORED.get(one.verdict, one.verdict)
        assert other.suggests == (None if one.suggests is None else MIRRORED[one.suggests])
        assert (other.p, other.p_adjusted, other.grade, other.bound) == (one.p, one.p_adjusted, one.grade, one.bound)
        assert (other.base, other.head, other.reasons) == (one.head, one.base, one.reasons)
        if one.estimate is None or other.estimate is None:
            assert one.estimate is other.estimate
            continue
        turned = [
            None if x is None else -x for x in (one.estimate.log_ratio, one.estimate.log_high, one.estimate.log_low)
        ]
        assert [other.estimate.log_ratio, other.estimate.log_low, other.estimate.log_high] == turned
