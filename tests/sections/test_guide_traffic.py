from __future__ import annotations

from generator.declared.profiles import ProfileFile
from tests.support.loads import BURSTY, EVEN, SHAREGPT, load_of, load_of_text, under_load
from tests.support.memory_round import Levels
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None, levels: Levels | None = None) -> str:
    analysis = analysed(under_load(load, levels))
    return text_of(chapter_of("guide_traffic", analysis), analysis)


def level(concurrency: float, throughput: float, **further: float) -> dict[str, dict[str, float]]:
    return {f"c{concurrency:g}": {"concurrency": concurrency, "output_throughput": throughput, **further}}


LEVELS = {**level(2, 150), **level(4, 300), **level(8, 500)}


def test_it_names_the_level_from_which_on_the_load_is_kept_up_with() -> None:
    text = told(load_of(EVEN), LEVELS)

    # 41 ÷ 20 s × 120 tok = 246 tok/s of output; the fullest second has 2 requests and no more
    assert "asks for 246 tok/s of output on average" in text
    assert "a keeps up from C=4 on (300 tok/s of output), in the fullest window, too" in text


def test_the_peak_may_need_a_higher_level_or_one_that_there_is_not() -> None:
    # on average 3.05 × 100 = 305 tok/s, in the fullest second 1,200
    high = told(load_of(BURSTY), LEVELS | level(16, 1300))
    none = told(load_of(BURSTY), LEVELS | level(16, 1100))

    assert "a keeps up on average from C=8 on (500 tok/s of output)" in high
    assert "For its fullest window a has to go to C=16 (1,300 tok/s of output)" in high
    assert "In its fullest window no level of a keeps up, C=16" in none


def test_a_load_beyond_every_level_is_said_to_be() -> None:
    assert "a does not keep up with the average at any level measured, C=2" in told(
        load_of(EVEN), level(1, 50) | level(2, 90)
    )


def test_the_larger_of_both_shares_decides() -> None:
    # 2.05 × 1,220 = 2,501 tok/s of all tokens
    levels = {**level(4, 300, total_token_throughput=2000), **level(8, 500, total_token_throughput=3000)}
    assert "a keeps up from C=8 on" in told(load_of(EVEN), levels)


def test_requests_longer_than_any_level_are_extrapolated() -> None:
    text = told(load_of(EVEN), level(4, 300, asked_input_tokens=1050, asked_output_tokens=150))

    # inputs from 900 to 1,300: the median of 1,100 is beyond 1,050
    assert (
        "Half of the requests or more have a longer input (1,100 tok or more) than any level (1,050 tok at most)"
        in text
    )
    assert "By output, the p99 of 139.6 tok is within the longest level (150 tok)" in text


def test_another_mixture_of_prefill_and_decode_is_said() -> None:
    text = told(load_of(EVEN), level(4, 300, asked_input_tokens=2000, asked_output_tokens=2000))
    assert "Of the tokens of the load 9.8% are output; the level nearest to that has 2,000 tok of input" in text


def test_bursts_and_a_load_below_the_lowest_level_are_told() -> None:
    assert "Requests come unevenly" in told(load_of(BURSTY), LEVELS)
    assert "come unevenly" not in told(load_of(EVEN), LEVELS)
    # 2.05 req/s × 1 s = 2.05 under way, and the lowest level has 4
    assert "The lowest level of a, C=4, is above the concurrency" in told(load_of(EVEN), level(4, 300, e2el_mean=1.0))


def test_a_load_without_lengths_or_times_needs_no_level_that_could_be_named() -> None:
    assert "it cannot be said which level it needs" in told(load_of_text(SHAREGPT), LEVELS)
    assert "only lengths can be compared" in told(load_of([(0.0, 10, 1), (0.0, 20, 2)]), LEVELS)


def test_without_a_profile_or_a_level_there_is_no_such_chapter() -> None:
    assert told(None, LEVELS) == told(load_of(EVEN)) == ""
