from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.gauged_rounds import BYTES, Pool, gauged_round, pool_round, readings
from tests.support.run_rounds import two_series
from tests.support.telling import found_by, said


def examine(round_: Round) -> Finding:
    return found_by("kv_linear", round_)[0]


def test_a_pool_that_fills_as_the_formula_says_passes() -> None:
    finding = examine(pool_round(Pool()))

    assert finding.status == "pass"
    assert "of the formula's 2.000 KiB" in said(finding.message, pool_round(Pool()))


def test_tokens_of_other_bytes_are_a_warning_that_speaks_of_bytes() -> None:
    round_ = pool_round(Pool(each=1.5 * BYTES))
    finding = examine(round_)

    assert finding.status == "warn"
    assert "bytes ÷ tokens of the pool are not the formula's" in said(finding.message, round_)


def test_blocks_of_unknown_size_are_a_warning_that_speaks_of_places() -> None:
    round_ = pool_round(Pool(block=128), without=["engine_block_tokens_of_series"])
    finding = examine(round_)

    assert finding.status == "warn"
    assert "rounding to blocks takes more places" in said(finding.message, round_)


def test_shared_prefixes_are_a_warning_that_speaks_of_them() -> None:
    tokens = [float(n) for n in range(0, 1000, 50)]
    said_of = readings(
        tokens, tokens=tokens, kv_usage=[0.8 * n / 2000 for n in tokens], awaiting=[0] * 20, sequences=[1] * 20
    )
    round_ = gauged_round({"c1": said_of}, {"kv_pool_tokens": 2000, "kv_pool_bytes": 2000 * BYTES})
    finding = examine(round_)

    assert finding.status == "warn"
    assert "equal prefixes share blocks" in said(finding.message, round_)


def test_just_within_five_per_cent_is_no_warning() -> None:
    assert examine(pool_round(Pool(each=1.04 * BYTES))).status == "pass"
    assert examine(pool_round(Pool(each=1.07 * BYTES))).status == "warn"


def test_an_engine_that_does_not_tell_of_its_pool_is_unknown() -> None:
    round_ = gauged_round({"c1": readings([0, 1], running=[1, 1], tokens=[1, 2], awaiting=[0, 0], sequences=[1, 1])})
    finding = examine(round_)

    assert finding.status == "unknown"
    assert finding.remedy is not None


def test_without_samples_there_is_nothing_to_examine() -> None:
    finding = examine(two_series())

    assert (finding.status, finding.is_empty) == ("pass", True)


def test_what_the_log_rounds_off_a_small_pool_is_allowed() -> None:
    # 50,000 places of 1.08 x 2 KiB are 0.103 GiB; a log of two decimals may be off by 0.005 GiB, which is 4.9 %
    declared = pool_round(Pool(each=1.08 * BYTES))
    in_log = pool_round(Pool(each=1.08 * BYTES), in_log=True)

    assert (examine(declared).status, examine(in_log).status) == ("warn", "pass")


def test_a_slope_that_is_too_uncertain_to_tell_is_no_warning() -> None:
    # three samples about a line of 1.2 x the formula; what is left over is 0.03, -0.06, 0.03, so that the slope of
    # 0.0006 has a standard error of sqrt(0.0054 / 320,000) = 0.00013, a fifth of itself
    tokens, scatter = [100.0, 500.0, 900.0], (0.06, -0.12, 0.06)
    use = [(1.2 * n + 1000 * off) / 2000 for n, off in zip(tokens, scatter, strict=True)]
    said_of = readings([0, 1, 2], tokens=tokens, kv_usage=use, awaiting=[0] * 3, sequences=[1] * 3)
    round_ = gauged_round({"c1": said_of}, {"kv_pool_tokens": 2000, "kv_pool_bytes": 2000 * BYTES})

    assert examine(round_).status == "pass"


def test_requests_that_outgrow_the_window_are_not_held_against_a_formula() -> None:
    said_of = readings(
        [0, 1, 2], tokens=[100, 500, 900], kv_usage=[0.1, 0.3, 0.35], awaiting=[0] * 3, sequences=[1] * 3
    )
    pool = {"kv_pool_tokens": 2000.0, "kv_pool_bytes": 2000 * BYTES}
    round_ = gauged_round({"c1": said_of}, {**pool, "kv_beyond_window": 388.0})
    finding = examine(round_)

    assert finding.status == "unknown"
    assert "requests outgrow the attention window" in said(finding.message, round_)
    assert finding.remedy is not None
    assert "no longer than the attention window" in said(finding.remedy, round_)
