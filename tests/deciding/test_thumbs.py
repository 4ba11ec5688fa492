"""Rules of thumb held against rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from generator.deciding.records import Held
from generator.deciding.thumbs import THUMBS, held
from generator.model import Round
from tests.support.choices import levels, stated, two
from tests.support.example_rounds import published
from tests.support.telling import analysed, text_of


def engines(vllm: Mapping[str, Sequence[float]], llama: Mapping[str, Sequence[float]], first: float = 1) -> Round:
    """Return a round that compares llama.cpp (``other``) with vLLM (``base``)."""
    return stated(two(levels(first, **vllm), levels(first, **llama)), base="vLLM", other="llama.cpp")


def held_of(key: str, round_: Round) -> Held:
    return next(one for one in held(analysed(round_)) if one.key == key)


def test_round_2_contradicts_what_its_numbers_do() -> None:
    standing = {one.key: one.standing for one in held(analysed(published("round-2")))}

    assert standing == {
        "equal_when_few": "contradicted",  # 2.61 times at C=1
        "little_use_below": "supported",
        "throughput_when_many": "supported",  # at C=64, as C=32 is spoilt
        "first_token": "contradicted",  # 1.14 times at most, in the p99 at C=16
        "linear": "contradicted",  # 22.4 times at 64 times the concurrency: 35 %
        "starts_sooner": "undecided",
    }


def test_round_2_says_so_in_numbers() -> None:
    analysis = analysed(published("round-2"))
    told = {one.key: text_of(one.reason, analysis) for one in held(analysis)}

    assert "2.61×" in told["equal_when_few"]
    assert "llama.cpp Q4_K_M has the shorter TTFT p50 at each usable level" in told["first_token"]
    assert (
        "vLLM BF16 has the shorter TTFT p99 at the usable levels from C=16 on (1.14× at C=16; too close"
        in told["first_token"]
    )
    assert "35.0%" in told["linear"]


def test_two_within_a_tenth_are_about_the_same() -> None:
    base = {"output_throughput": [100, 200, 300]}

    assert held_of("equal_when_few", engines(base, {"output_throughput": [109, 218, 327]})).standing == "supported"
    assert held_of("equal_when_few", engines(base, {"output_throughput": [109, 218, 333]})).standing == "contradicted"


@pytest.mark.parametrize(
    ("waits", "standing"),
    [([5.0, 1.0], "supported"), ([4.0, 1.0], "supported"), ([3.9, 1.0], "contradicted"), ([0.1, 0.1], "contradicted")],
)
def test_five_times_as_long_is_four_at_least(waits: list[float], standing: str) -> None:
    # 0.8 × 5 = 4 times the wait of vLLM, at any level.
    assert held_of("first_token", engines({"ttft_p50": [1, 1]}, {"ttft_p50": waits})).standing == standing


def test_a_lead_of_the_other_contradicts() -> None:
    round_ = engines({"output_throughput": [100, 200]}, {"output_throughput": [110, 150]}, first=32)

    assert held_of("throughput_when_many", round_).standing == "contradicted"  # 110 : 100 at C=32
    assert "C=32" in text_of(held_of("throughput_when_many", round_).reason, analysed(round_))


def test_a_lead_that_is_no_more_than_chance_decides_nothing() -> None:
    round_ = engines({"output_throughput": [100, 200]}, {"output_throughput": [101, 202]}, first=32)

    assert held_of("throughput_when_many", round_).standing == "undecided"


def test_what_was_not_measured_is_not_decided() -> None:
    round_ = engines({"output_throughput": [100, 200]}, {"output_throughput": [150, 220]}, first=8)

    assert {one.key for one in held(analysed(round_)) if one.standing == "undecided"} == {one.key for one in THUMBS}


@pytest.mark.parametrize(("llama", "standing"), [(10.0, "supported"), (90.0, "contradicted")])
def test_starts_are_held_against_each_other(llama: float, standing: str) -> None:
    at = levels(output_throughput=[100, 200])
    starts = {
        "base": {"cold_start_t1": 59.0, "cold_start_t2": 1.0},
        "other": {"cold_start_t1": llama, "cold_start_t2": 0.0},
    }

    assert held_of("starts_sooner", stated(two(at, at, starts), base="vLLM", other="llama.cpp")).standing == standing


def test_growth_in_proportion_is_borne_out_from_four_fifths() -> None:
    # 320 of 4 × 100 at C=4 is 80 %, and 316 is 79 %.
    asked = {"asked_input_tokens": [64.0] * 3, "asked_output_tokens": [64.0] * 3}
    slow: dict[str, list[float]] = {"output_throughput": [10, 20, 30], **asked}

    for delivered, standing in ((320, "supported"), (316, "contradicted")):
        round_ = engines({"output_throughput": [100, 190, delivered], **asked}, slow)
        assert held_of("linear", round_).standing == standing


def test_what_is_missing_is_said_level_or_quantity() -> None:
    # Round 1 has C=1, C=8 and C=32 of both, and the throughput and TTFT of neither at any of them together.
    analysis = analysed(published("round-1"))
    told = {one.key: text_of(one.reason, analysis) for one in held(analysis)}

    assert told["equal_when_few"] == "Output throughput is not known of both at C=1."
    assert told["throughput_when_many"] == "Output throughput is not known of both at C=32."
    assert told["first_token"].startswith("TTFT p50 is not known of both at C=1, C=8 and C=32.")
    assert told["linear"].endswith("and of vLLM BF16 these are not both on record.")
    # With C=1 alone it is the levels that are missing.
    alone = analysed(engines({"output_throughput": [100]}, {"output_throughput": [90]}))
    reasons = {one.key: text_of(one.reason, alone) for one in held(alone)}
    assert reasons["throughput_when_many"] == "No usable level in this range is common to both."
    assert reasons["linear"].endswith("and vLLM BF16 does not have both.")


def test_other_engines_have_no_rules_of_thumb() -> None:
    assert held(analysed(two(levels(output_throughput=[1]), levels(output_throughput=[2])))) == ()


def test_levels_of_other_lengths_speak_of_their_load_as_well() -> None:
    # One request at a time: llama.cpp delivers more with prompts of 32 tokens, vLLM with longer ones, up to 1536.
    sweep = published("cpu-input-sweep")

    assert held_of("equal_when_few", sweep).standing == "contradicted"
    assert held_of("little_use_below", sweep).standing == "contradicted"
    assert held_of("linear", sweep).standing == "undecided"
