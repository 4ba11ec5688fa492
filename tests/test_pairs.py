from __future__ import annotations

import pytest

from generator.pairs import (
    compared_levels,
    counted_alike,
    first_bracket,
    is_provisional,
    no_winner,
    queued_levels,
    rests_on_unequal,
    unequal_levels,
)
from generator.told.sentence import Quantity
from generator.values import Address
from tests.support.memory_round import Levels, Numbers, memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, text_of, throughputs


@pytest.mark.parametrize(
    ("a", "b", "bracket"),
    [
        # 110 ÷ 100 = 1.1, 190 ÷ 200 = 0.95
        ((100, 200), (110, 190), ("c1", "c2")),
        # 1.1, 1.0, 0.9: a level at which both are even ends the bracket
        ((100, 200, 300), (110, 200, 270), ("c1", "c2")),
        # 1.1, 1.0, 1.1: to touch 1 is not to pass it
        ((100, 200, 300), (110, 200, 330), None),
        # 1.1, 1.2
        ((100, 200), (110, 240), None),
        ((100,), (110,), None),
        ((), (), None),
        # a ratio of 0 has no logarithm
        ((100, 200), (110, 0), None),
    ],
)
def test_the_first_bracket_is_where_the_ratio_passes_one(
    a: tuple[float, ...], b: tuple[float, ...], bracket: tuple[str, str] | None
) -> None:
    found = first_bracket(analysed(memory_round({"a": throughputs(*a), "b": throughputs(*b)}, baseline="a")), "b")

    assert (tuple(level.id for level in found) if found else None) == bracket


def test_the_bracket_needs_no_concurrency() -> None:
    found = first_bracket(ANALYSES["arrival rates that cross"](), "b")

    assert found is not None
    assert [level.id for level in found] == ["r1", "r2"]


def test_where_curves_meet_between_levels_or_by_single_trials_is_provisional() -> None:
    # 1.1 at C=1 and 0.95 at C=2: they meet between the two. 1.1, 1.0, 0.9: they meet at C=2, measured once.
    between = memory_round({"a": throughputs(100, 200), "b": throughputs(110, 190)}, baseline="a")
    at_a_level = memory_round({"a": throughputs(100, 200, 300), "b": throughputs(110, 200, 270)}, baseline="a")
    never = memory_round({"a": throughputs(100, 200), "b": throughputs(110, 240)}, baseline="a")

    assert is_provisional(analysed(between), "b")
    assert is_provisional(analysed(at_a_level), "b")
    assert not is_provisional(analysed(never), "b")


def test_levels_spoilt_on_either_side_are_not_compared() -> None:
    assert "c32" not in [level.id for level in compared_levels(ANALYSES["round-2"](), "llamacpp-q4_k_m")]
    assert compared_levels(ANALYSES["all of the compared series spoilt"](), "llamacpp-q4_k_m") == []


def test_without_a_baseline_nothing_is_compared() -> None:
    assert compared_levels(ANALYSES["no baseline"](), "b") == []


def test_predictions_that_differ_in_print_are_both_there() -> None:
    # 14.207 GB ÷ 4.746 GB = 2.99; without the embedding, ÷ 4.440 GB = 3.20.
    assert counted_alike(ANALYSES["round-2"](), "llamacpp-q4_k_m") == Quantity(
        Address("predicted_speedup", "pair", "llamacpp-q4_k_m", basis="without_embedding")
    )


def test_without_an_embedding_on_record_there_is_one_prediction() -> None:
    assert counted_alike(ANALYSES["compared leads throughout"](), "b") is None


def test_predictions_that_read_the_same_are_told_once() -> None:
    weights = {"a": {"weight_bytes_per_step": 8e9}, "b": {"weight_bytes_per_step": 4e9}}
    of_series = {key: {**numbers, "embedding_bytes": 0.0} for key, numbers in weights.items()}
    analysis = analysed(memory_round({"a": throughputs(1), "b": throughputs(1)}, of_series=of_series, baseline="a"))

    assert counted_alike(analysis, "b") is None


def test_a_queue_on_either_side_rules_a_comparison_of_latencies_out() -> None:
    # 9.5 s of 10 s are a wait for the first token, at C=2 of the baseline and at C=8 of the other.
    def levels(*ttft: float) -> Levels:
        seen = {"e2el_p50": 10.0, "output_tokens_mean": 100.0}
        return {f"c{2**n}": {"concurrency": 2**n, "ttft_p50": one, **seen} for n, one in enumerate(ttft, start=1)}

    round_ = memory_round({"a": levels(9.5, 1, 1), "b": levels(1, 1, 9.5), "c": levels(1, 1, 1)}, baseline="a")
    analysis = analysed(round_)

    assert [level.id for level in queued_levels(analysis, "b")] == ["c2", "c8"]
    assert [level.id for level in queued_levels(analysis, "c")] == ["c2"]


def of_tokens(throughput: tuple[float, ...], tokens: tuple[float, ...]) -> Levels:
    """Return levels at C = 1, 2, 4, …: tokens a second, and those of an answer."""

    def one(seen: Numbers, mean: float) -> Numbers:
        return {**seen, "output_tokens_mean": mean}

    return {
        level: one(seen, mean) for (level, seen), mean in zip(throughputs(*throughput).items(), tokens, strict=True)
    }


@pytest.mark.parametrize(
    ("tokens", "unequal", "rests"),
    [
        ((100, 100, 100), [], False),
        ((100, 100, 50), ["c4"], False),  # the lead changes between C=1 and C=2
        ((100, 50, 100), ["c2"], True),
    ],
)
def test_levels_of_unequal_work_name_no_winner(tokens: tuple[float, ...], unequal: list[str], *, rests: bool) -> None:
    a, b = of_tokens((100, 200, 400), (100, 100, 100)), of_tokens((110, 190, 380), tokens)
    analysis = analysed(memory_round({"a": a, "b": b}, baseline="a"))

    assert [level.id for level in unequal_levels(analysis, "b")] == unequal
    assert rests_on_unequal(analysis, "b") is rests
    refused = no_winner(analysis, "b")
    assert (refused is None) is (not unequal)
    if refused is not None:
        assert text_of(refused, analysis).endswith("did not do the same work, and no winner is named there.")
