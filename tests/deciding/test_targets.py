"""Latency targets."""

from __future__ import annotations

from dataclasses import replace

from generator.deciding.targets import Kept, Target, declared, kept, tail_of
from generator.model import Round
from tests.support.choices import levels
from tests.support.memory_round import memory_round
from tests.support.telling import analysed

TTFT = Target("ttft", 0.5)


def found(round_: Round, *targets: Target) -> Kept:
    analysis = analysed(round_)
    return kept(analysis, analysis.round.series[0], targets)


def test_targets_are_read_from_the_workload() -> None:
    round_ = memory_round({"s": levels(ttft_p99=[0.1])})
    workload = round_.file.workload.model_copy(update={"slo_ttft_ms": 500.0, "slo_e2el_ms": 8000.0})
    with_targets = replace(round_, file=round_.file.model_copy(update={"workload": workload}))

    assert declared(analysed(round_)) == ()
    assert declared(analysed(with_targets)) == (TTFT, Target("e2el", 8.0))


def test_a_capacity_ends_before_the_first_level_that_misses() -> None:
    # 0.6 s at C=4 is too much, whatever C=8 does.
    one = found(memory_round({"s": levels(ttft_p95=[0.1, 0.5, 0.6, 0.4])}), TTFT)

    assert one.last is not None
    assert one.last.id == "c2"
    assert one.broken is not None
    assert (one.broken[0].id, one.broken[1]) == ("c4", "ttft_p95")


def test_all_levels_may_keep_it_or_none() -> None:
    all_of_them = found(memory_round({"s": levels(ttft_p95=[0.1, 0.2])}), TTFT)
    none = found(memory_round({"s": levels(ttft_p95=[0.6, 0.7])}), TTFT)

    assert (all_of_them.last and all_of_them.last.id, all_of_them.broken) == ("c2", None)
    assert none.last is None
    assert none.broken is not None


def test_every_target_has_to_be_kept() -> None:
    round_ = memory_round({"s": levels(ttft_p95=[0.1, 0.2, 0.3], e2el_p95=[1, 9, 9])})

    one = found(round_, TTFT, Target("e2el", 8.0))

    assert one.last is not None
    assert one.last.id == "c1"


def test_the_percentile_is_one_that_all_levels_have() -> None:
    both = {"c1": {"concurrency": 1.0, "ttft_p95": 0.1, "ttft_p99": 0.2}, "c2": {"concurrency": 2.0, "ttft_p99": 0.3}}
    analysis = analysed(memory_round({"s": both}))
    [series] = analysis.round.series

    assert tail_of(analysis, "ttft", series, series.levels[:1]) == "ttft_p95"
    assert tail_of(analysis, "ttft", series, series.levels) == "ttft_p99"
    assert tail_of(analysis, "e2el", series, series.levels) is None
    assert tail_of(analysis, "ttft", series, ()) is None


def test_gaps_stand_in_for_a_tpot_that_is_not_known() -> None:
    analysis = analysed(memory_round({"s": levels(itl_p99=[0.02])}))
    [series] = analysis.round.series

    assert tail_of(analysis, "tpot", series, series.levels) == "itl_p99"


def test_without_a_percentile_nothing_is_known() -> None:
    assert not found(memory_round({"s": levels(ttft_p50=[0.1])}), TTFT).is_known
