"""How far to load a series, and where to switch."""

from __future__ import annotations

from dataclasses import replace

from generator.deciding.capacity import capacity, leader_throughout, switches, without_failures
from generator.model import Round
from tests.support.choices import levels, pair_of, two
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed


def found(round_: Round) -> tuple[str | None, str]:
    analysis = analysed(round_)
    one = capacity(analysis, analysis.round.series[0])
    return (one.level.id if one.level is not None else None), one.ends


def with_target(round_: Round, ttft_ms: float) -> Round:
    workload = round_.file.workload.model_copy(update={"slo_ttft_ms": ttft_ms})
    return replace(round_, file=round_.file.model_copy(update={"workload": workload}))


def test_a_series_that_still_grows_is_loaded_as_far_as_it_was_measured() -> None:
    assert found(memory_round({"s": levels(output_throughput=[100, 190, 370])})) == ("c4", "measured")


def test_a_full_engine_is_loaded_to_its_knee() -> None:
    # From C=4 on throughput stays at 400, and requests wait.
    grown = memory_round({"s": levels(output_throughput=[100, 200, 400, 401, 402], e2el_p50=[1, 1, 1, 2, 4])})

    assert found(grown) == ("c4", "knee")


def test_failures_end_it_sooner() -> None:
    asked = {"requests": [100.0] * 3, "completed": [100.0, 99, 90], "failed": [0.0, 1, 10]}

    # One of a hundred is not too many.
    assert found(memory_round({"s": levels(output_throughput=[100, 190, 370], **asked)})) == ("c2", "failures")


def test_failures_that_are_not_known_are_named_up_to_the_capacity() -> None:
    levels_ = levels(output_throughput=[100, 190, 370])
    levels_["c1"] |= {"requests": 10.0, "completed": 10.0, "failed": 0.0}
    levels_["c4"] |= {"requests": 10.0, "completed": 5.0, "failed": 5.0}
    analysis = analysed(memory_round({"s": levels_}))
    one = capacity(analysis, analysis.round.series[0])

    # Half of them fail at C=4, which ends it at C=2; of that level nobody knows.
    assert (one.level.id if one.level else None, one.ends) == ("c2", "failures")
    assert [level.id for level in without_failures(analysis, one)] == ["c2"]


def test_no_series_is_loaded_past_an_excluded_level() -> None:
    # C=8 delivers half of C=4 and C=16 twice as much: C=8 failed its check, and C=16 is reached only through it.
    fallen = memory_round({"s": levels(output_throughput=[100, 200, 400, 200, 800], ttft_p99=[0.1, 0.2, 0.3, 9, 0.4])})

    assert found(fallen) == ("c4", "excluded")
    assert found(with_target(fallen, 500)) == ("c4", "excluded")
    assert found(with_target(fallen, 250)) == ("c2", "targets")


def test_targets_go_before_anything_else() -> None:
    round_ = memory_round({"s": levels(output_throughput=[100, 190, 370], ttft_p99=[0.1, 0.2, 0.9])})

    assert found(with_target(round_, 500)) == ("c2", "targets")
    assert found(with_target(round_, 50)) == (None, "targets")
    assert found(with_target(round_, 1000)) == ("c4", "measured")


def test_switching_goes_by_the_levels_around_the_crossover() -> None:
    analysis = analysed(published("round-2"))
    base, other = analysis.round.series

    [switch] = switches(analysis, (base, other))

    assert (switch.below, switch.above) == ("llamacpp-q4_k_m", "vllm-bf16")
    # At C=8 the two are 2 % apart: too close to choose by.
    assert (switch.low.id, switch.high.id) == ("c4", "c16")
    assert [level.id for level in switch.even] == ["c8"]
    assert switch.crossover is not None
    assert leader_throughout(analysis, (base, other)) is None


def test_one_that_always_leads_is_no_reason_to_switch() -> None:
    analysis, pair = pair_of(two(levels(output_throughput=[100, 200]), levels(output_throughput=[150, 250])))

    assert switches(analysis, pair) == []
    assert leader_throughout(analysis, pair) == "other"


def test_one_that_leads_with_short_prompts_alone_does_not_lead_throughout() -> None:
    # At C=1, 40 tok/s against 20 with prompts of 100 tokens, and 4 against 8 with prompts of 1000.
    def at_two_lengths(short: float, long: float) -> dict[str, dict[str, float]]:
        return {
            "short": {"concurrency": 1.0, "asked_input_tokens": 100.0, "output_throughput": short},
            "long": {"concurrency": 1.0, "asked_input_tokens": 1000.0, "output_throughput": long},
        }

    analysis, pair = pair_of(two(at_two_lengths(40, 4), at_two_lengths(20, 8)))
    assert leader_throughout(analysis, pair) is None

    analysis, pair = pair_of(two(at_two_lengths(40, 9), at_two_lengths(20, 8)))
    assert leader_throughout(analysis, pair) == "base"
