from __future__ import annotations

from generator.model import Round
from tests.support.gauged_rounds import BYTES, Pool, gauged_round, pool_round, readings
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("kv_linearity", analysis), analysis)


def test_the_verdict_gives_measured_and_computed_bytes() -> None:
    text = told(pool_round(Pool()))

    assert "KV is what the formula says" in text
    assert "the formula gives 2.000 KiB" in text
    assert "lie on a line" in text


def test_bytes_that_are_off_are_not_called_equal() -> None:
    assert "KV is not what the formula says" in told(pool_round(Pool(each=2 * BYTES)))


def test_a_pool_whose_bytes_are_computed_is_said_to_check_tokens() -> None:
    assert "what is checked here is the count of tokens" in told(pool_round(Pool(), without=["kv_pool_bytes"]))


def test_samples_that_do_not_lie_on_a_line_are_no_more_than_an_average() -> None:
    assert "no more than an average" in told(pool_round(Pool(noise=0.3)))


def test_without_a_shape_or_a_pool_it_says_what_is_missing() -> None:
    assert "no formula to compare it with (there is no record of layers" in told(pool_round(Pool(), shape={}))
    nothing = ["kv_pool_bytes", "kv_pool_tokens"]
    assert "the bytes of the pool are not on record" in told(pool_round(Pool(), without=nothing))


def test_what_is_not_known_has_its_reason() -> None:
    round_ = gauged_round({"c1": readings([0, 1], tokens=[1, 2], awaiting=[0, 0], sequences=[1, 1], running=[1, 1])})

    assert "neither on /metrics nor on /slots" in told(round_)
    assert "is not known" in told(two_series())


def test_requests_that_outgrow_the_window_are_held_against_no_formula() -> None:
    assert "there is no formula to compare it with (requests outgrow the attention window" in told(
        window_round({"kv_beyond_window": 388.0})
    )


def test_of_windows_it_says_why_a_place_is_no_token() -> None:
    # 0.3 of 1500 places for 800 tokens are 0.5625 places a token
    assert "a place is not quite a token" in told(window_round({"kv_window_elements": 7680.0}))
    assert "a place is not quite a token" not in told(window_round({}))


def test_without_samples_the_pool_is_held_against_the_formula() -> None:
    silent = {"c1": readings([0, 1], tokens=[1, 2], awaiting=[0, 0], sequences=[1, 1], running=[1, 1])}
    same, more = ({"kv_pool_tokens": 1000.0, "kv_pool_bytes": 1000 * each} for each in (BYTES, 1.5 * BYTES))

    assert "2.000 KiB a token, which agrees with the formula's 2.000 KiB" in told(gauged_round(silent, same))
    assert "3.000 KiB a token, against the formula's 2.000 KiB" in told(gauged_round(silent, more))


def test_tokens_in_slots_are_said_to_check_the_count_alone() -> None:
    said_of = readings(
        [0, 1, 2], tokens=[100, 500, 900], slot_tokens=[100, 500, 900], awaiting=[0] * 3, sequences=[1] * 3
    )
    pool = {"kv_pool_tokens": 1000.0, "kv_pool_bytes": 1000 * BYTES}

    assert "computed from the tokens in the slots" in told(gauged_round({"c1": said_of}, pool))
    assert "computed from the tokens in the slots" not in told(pool_round(Pool()))


def test_of_few_levels_of_one_load_it_says_that_a_line_goes_through_them_easily() -> None:
    assert "The samples are of C=1 alone" in told(window_round({}))
    assert "alone, with their tokens" not in told(pool_round(Pool()))


def window_round(constants: dict[str, float]) -> Round:
    """Return a round of one level whose pool of 1500 places is used to 10 to 40 %."""
    said_of = readings(
        [0, 1, 2], tokens=[100, 500, 900], kv_usage=[0.1, 0.25, 0.4], awaiting=[0] * 3, sequences=[1] * 3
    )
    pool = {"kv_pool_tokens": 1500.0, "kv_pool_bytes": 1500 * BYTES}
    return gauged_round({"c1": said_of}, {**pool, **constants})
