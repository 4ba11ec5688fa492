"""Rules held against rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from generator.deciding.records import Advice
from generator.deciding.rules import FAILURES, RULES
from generator.deciding.weigh import advise, in_flight
from generator.deciding.yardsticks import BY_METRIC
from generator.model import Round
from tests.support.analyses import graph
from tests.support.choices import levels, stated, tried, two
from tests.support.example_rounds import one_series, published, three_series
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, text_of


def sound(**columns: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return levels at which none of a thousand requests fails."""
    count = len(next(iter(columns.values())))
    return levels(**columns, requests=[1000] * count, completed=[1000] * count, failed=[0] * count)


def advice(rule: str, round_: Round) -> Advice:
    return next(one for one in advise(analysed(round_)) if one.rule.key == rule)


def reason(rule: str, round_: Round) -> str:
    return text_of(advice(rule, round_).reason, analysed(round_))


def test_rules_go_by_what_there_is() -> None:
    metrics = {metric for metric, _ in graph().metrics}

    for rule in RULES:
        criteria = (rule.decides, *rule.beside)
        assert {one for criterion in criteria for one in criterion.metrics} <= metrics
        assert all(set(one.metrics) <= BY_METRIC.keys() for one in criteria if one.scale == "load")
        assert {condition.metric for condition in rule.conditions} <= metrics
        assert rule.low <= rule.high
    assert len({rule.key for rule in RULES}) == len(RULES)


def test_round_2_comes_to_what_its_numbers_say() -> None:
    found = {one.rule.key: one.preferred for one in advise(analysed(published("round-2")))}

    llama, vllm = "llamacpp-q4_k_m", "vllm-bf16"
    assert found == {
        "interactive": llama, "local_development": None, "edge": llama, "api_low": llama, "api_high": vllm,
        "batch": vllm, "serverless": None,
    }  # fmt: skip


def test_nothing_is_surer_than_the_demands_allow() -> None:
    found = advise(analysed(published("round-2")))

    assert {one.certainty for one in found if one.preferred is not None} == {"qualitative"}
    assert {one.certainty for one in found if one.preferred is None} == {"open"}


def test_nothing_is_ranked_where_nothing_is_compared() -> None:
    assert advise(analysed(one_series())) == ()
    assert (
        advise(analysed(memory_round({"a": levels(output_throughput=[1]), "b": levels(output_throughput=[2])}))) == ()
    )


def test_a_start_that_was_not_measured_decides_nothing() -> None:
    told = reason("serverless", published("round-2"))

    assert "No verdict" in told
    assert "Have rounds collect start" in told


@pytest.mark.parametrize(("other", "preferred"), [(30.0, "other"), (70.0, "base"), (61.0, None)])
def test_starts_decide_where_they_are_known(other: float, preferred: str | None) -> None:
    at = levels(output_throughput=[100, 200], e2el_p50=[1, 1])
    # From the spawn to the first token: 60 s for the one; 61 s is less than 5 % more.
    starts = {
        "base": {"cold_start_t1": 59.0, "cold_start_t2": 1.0},
        "other": {"cold_start_t1": other, "cold_start_t2": 0.0},
    }
    found = advice("serverless", two(at, at, starts))

    assert found.preferred == preferred
    assert (found.certainty == "open") is (preferred is None)


def test_a_range_without_levels_is_beyond_the_data() -> None:
    round_ = two(levels(output_throughput=[100, 200]), levels(output_throughput=[150, 220]))
    found = advice("api_high", round_)

    assert found.is_beyond
    assert (found.preferred, found.certainty) == (None, "open")
    told = reason("api_high", round_)
    assert "32 or more" in told
    assert "extrapolation" in told
    assert "at C=2" in told.replace("At", "at")


def test_a_lead_that_changes_within_the_range_decides_nothing() -> None:
    found = advice("api_low", two(levels(e2el_p50=[1, 2, 3]), levels(e2el_p50=[0.5, 1.9, 6])))

    assert (found.preferred, found.certainty) == (None, "open")


def test_levels_that_are_close_do_not_stand_against_the_others() -> None:
    # At C=4 the other is 1 % behind, which is nothing to choose by.
    found = advice("api_low", two(sound(e2el_p50=[1, 2, 3]), sound(e2el_p50=[0.5, 1.5, 3.03])))

    assert found.preferred == "other"


def test_too_close_throughout_is_no_preference() -> None:
    round_ = two(levels(e2el_p50=[1, 2, 3]), levels(e2el_p50=[1.01, 2.02, 3.03]))

    assert advice("api_low", round_).preferred is None
    assert "too close" in reason("api_low", round_)


def test_what_speaks_against_it_makes_a_preference_less_sure() -> None:
    tails = {"ttft_p99": [0.5, 0.6, 0.7]}
    base = sound(e2el_p50=[1, 2, 3], **tails)
    found = advice("api_low", two(base, sound(e2el_p50=[0.5, 1, 1.5], ttft_p99=[1, 1.2, 1.4])))

    assert found.preferred == "other"
    assert [name.en for name in found.against] == ["TTFT p99"]
    assert found.certainty != "firm"


def test_a_series_that_fails_too_often_is_not_chosen_for_a_service() -> None:
    # The faster one loses 10 of 100 requests at C=1.
    base = levels(e2el_p50=[2.0], requests=[100], completed=[100], failed=[0])
    other = levels(e2el_p50=[1.0], requests=[100], completed=[90], failed=[10])
    round_ = two(base, other)

    assert advice("api_low", round_).preferred == "base"
    assert f"{FAILURES:.0%}" in reason("api_low", round_)
    # Someone who uses it alone may still want it.
    assert advice("interactive", round_).preferred == "other"


def test_what_cannot_be_known_to_be_kept_is_not_kept() -> None:
    # The other fails 10 of 100; of the base nobody wrote down how many, so that it may fail more.
    other = levels(e2el_p50=[1.0], requests=[100], completed=[90], failed=[10])
    round_ = two(levels(e2el_p50=[2.0]), other)
    found = advice("api_low", round_)

    assert (found.preferred, found.certainty, found.is_unknown) == (None, "open", True)
    assert not found.is_unmeasured
    told = reason("api_low", round_)
    assert told.startswith("Whether base keeps this at C=1 is unknown: no more than 1% of the requests fail (there is ")
    assert told.endswith("Not kept by other.")


def test_one_that_leads_and_may_fail_is_not_preferred_but_one_that_keeps_is() -> None:
    known, unknown = sound(e2el_p50=[2.0]), levels(e2el_p50=[1.0])

    ahead = advice("api_low", two(known, unknown))
    assert (ahead.preferred, ahead.is_unknown) == (None, True)
    assert "base takes 2.00× as long. Whether other keeps this" in reason("api_low", two(known, unknown))
    # The one that is behind may fail or not: the one that leads is known to keep it.
    assert advice("api_low", two(sound(e2el_p50=[1.0]), levels(e2el_p50=[2.0]))).preferred == "base"


def test_what_no_scenario_asks_for_may_be_unknown() -> None:
    assert advice("interactive", two(levels(e2el_p50=[2.0]), levels(e2el_p50=[1.0]))).preferred == "other"


def test_no_series_at_all_may_be_fit() -> None:
    at = levels(e2el_p50=[2.0], requests=[100], completed=[90], failed=[10])
    found = advice("api_low", two(at, at))

    assert (found.preferred, found.certainty) == (None, "open")


COLLAPSED = [200, 300, 400, 500, 600, 100, 2000]
"""Throughput that collapses at C=32, which is excluded, and is back at C=64."""


def test_no_series_is_preferred_beyond_its_own_excluded_level() -> None:
    # From C=32 on both have C=64 alone; the other delivers more there, and gets there only through C=32.
    round_ = two(sound(output_throughput=[100, 200, 300, 400, 500, 600, 700]), sound(output_throughput=COLLAPSED))
    found = advice("api_high", round_)

    assert (found.preferred, found.certainty, found.is_unmeasured) == (None, "open", False)
    assert reason("api_high", round_).endswith(
        "C=64 of other lies beyond C=32, which is excluded (see Anomaly): the number was measured, but other is not "
        "advised there."
    )


def test_one_may_be_preferred_to_another_beyond_the_excluded_level_of_that_one() -> None:
    round_ = two(sound(output_throughput=[100, 200, 300, 400, 500, 600, 7000]), sound(output_throughput=COLLAPSED))

    assert advice("api_high", round_).preferred == "base"
    assert "other is not advised there" in reason("api_high", round_)


def test_the_highest_throughput_says_below_which_level_it_is() -> None:
    # Of the other 600 tok/s at C=16 count, and 2,000 at C=64 do not.
    round_ = two(levels(output_throughput=[100, 200, 300, 400, 500, 550, 580]), levels(output_throughput=COLLAPSED))

    assert reason("batch", round_) == (
        "They are too close to choose between. The highest output throughput is 600 tok/s for other and 580 tok/s for "
        "base. Of other, only levels below C=32 count: that one is excluded (see Anomaly), and any higher load passes "
        "through it."
    )


def test_the_best_of_three_is_found() -> None:
    round_ = stated(three_series())
    analysis = analysed(round_)
    best = {s.id: analysis.frame.of_series("best_throughput", s.id).value or 0.0 for s in round_.series}

    found = advice("batch", round_)

    assert found.preferred == max(best, key=lambda series: best[series])
    assert len(best) == 3


def test_a_level_under_a_rate_counts_by_what_was_in_flight() -> None:
    level = {"r1": {"rate": 1.0, "mean_concurrency": 3.0}}
    analysis = analysed(two(level, {"r1": {"rate": 1.0, "mean_concurrency": 5.0}}))
    at = analysis.round.series[0].levels[0]

    assert in_flight(analysis, analysis.round.series, at) == 5.0
    assert in_flight(analysis, (), at) is None


def test_unlike_precision_keeps_a_preference_from_being_firm() -> None:
    round_ = two(levels(e2el_p50=[2.0]), levels(e2el_p50=[1.0]))
    unlike = replace(
        round_,
        series=tuple(
            replace(one, table=one.table.model_copy(update={"engine": one.id, "precision": precision}))
            for one, precision in zip(round_.series, ("BF16", "Q4_K_M"), strict=True)
        ),
    )

    assert "same_precision" in {bound.key for bound in advice("interactive", unlike).bounds}
    assert "same_precision" not in {bound.key for bound in advice("interactive", round_).bounds}


def test_a_lead_that_turns_with_the_lengths_of_requests_decides_nothing() -> None:
    # Short prompts: 1 s against 2 s; long ones, at the same load: 9 s against 5 s. No load has a second level.
    base = at_two_lengths(e2el_p50=(1.0, 9.0), output_throughput=(40.0, 4.0))
    other = at_two_lengths(e2el_p50=(2.0, 5.0), output_throughput=(20.0, 8.0))

    for rule in ("interactive", "api_low", "batch"):
        found = advice(rule, two(base, other))
        assert (found.preferred, found.certainty) == (None, "open")
        assert "depends on the lengths of requests" in reason(rule, two(base, other))


def test_a_lead_at_every_length_is_one() -> None:
    base = at_two_lengths(e2el_p50=(1.0, 4.0), output_throughput=(40.0, 10.0))
    other = at_two_lengths(e2el_p50=(2.0, 5.0), output_throughput=(20.0, 8.0))

    assert {advice(rule, two(base, other)).preferred for rule in ("interactive", "batch")} == {"base"}


def at_two_lengths(**columns: tuple[float, float]) -> dict[str, dict[str, float]]:
    return {
        level: {"concurrency": 1.0, "asked_input_tokens": length, **{key: of[at] for key, of in columns.items()}}
        for at, (level, length) in enumerate((("short", 100.0), ("long", 1000.0)))
    }


def test_the_grounds_name_every_series() -> None:
    told = reason("batch", stated(three_series()))

    assert told.count("tok/s for") == 3


def test_trials_that_overlap_decide_nothing() -> None:
    # 1 to 1.4 s against 1.3 to 1.6 s: whoever is ahead at the median may be so by chance.
    round_ = tried("e2el_p50", [1.0, 1.4], [1.3, 1.6])

    assert advice("interactive", round_).preferred is None
    assert "leave open who leads" in reason("interactive", round_)


def test_the_highest_throughput_decides_nothing_where_its_trials_overlap() -> None:
    # 100 to 140 tok/s against 130 to 160 tok/s: a preference whose certainty is open would be none.
    round_ = tried("output_throughput", [100, 140], [130, 160])

    assert advice("batch", round_).preferred is None
    assert "leave open who leads" in reason("batch", round_)


def test_a_ratio_says_which_is_how_many_times_the_other() -> None:
    # At C=1 and C=2 twice the throughput, which is more; an answer in half of the time, which is less.
    answers = two(levels(e2el_p50=[2.0, 2.0]), levels(e2el_p50=[1.0, 1.0]))
    outputs = two(levels(32, output_throughput=[100]), levels(32, output_throughput=[200]))

    assert "for other and 2,000 ms for base: base takes 2.00× as long." in reason("interactive", answers)
    assert "for other and 100 tok/s for base: other delivers 2.00× as much." in reason("api_high", outputs)
