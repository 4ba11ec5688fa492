from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "latency_identity"


def one_series(*levels: Numbers) -> Round:
    """Return a round that asks for 101 tokens, of which 100 have a gap before them."""
    return memory_round({
        "s": {
            f"c{row}": {"concurrency": row, "asked_output_tokens": 101, **seen} for row, seen in enumerate(levels, 1)
        }
    })  # fmt: skip


def with_tpot(e2el: float) -> Numbers:
    """Return a level whose latencies put together come to 1 + 100 × 0.01 = 2 s."""
    return {"ttft_p50": 1.0, "tpot_p50": 0.01, "e2el_p50": e2el}


def with_itl(implied: float) -> Numbers:
    """Return a level with a mean gap of 0.02 s, whose medians imply this many seconds a token."""
    return {"ttft_p50": 1.0, "itl_mean": 0.02, "e2el_p50": 1.0 + 100 * implied}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_second_round_was_held_up_unequally_on_one_side() -> None:
    # llama.cpp, (E2EL p50 − TTFT p50) ÷ 255 against the mean ITL:
    #   C=2 (1859 − 104) ÷ 255 = 6.88 against 7.79, −11.7 %; C=4 8.47 against 11.71, −27.7 %;
    #   C=8 (3416 − 204) ÷ 255 = 12.60 against 18.33, −31.3 %; C=16 24.09 against 26.50, −9.1 %;
    #   C=32 68.13 against 67.96, +0.3 %; C=1 and C=64 have a TPOT p50: 93 + 255 × 5.85 = 1585 against 1585,
    #   and 442 + 255 × 57.54 = 15115 against 15193, +0.5 %.
    skewed, fits = found_by(CHECK, published("round-2"))

    assert (skewed.status, skewed.series) == ("warn", "llamacpp-q4_k_m")
    assert skewed.looks == "better"
    assert skewed.levels == ("c2", "c4", "c8", "c16")
    assert skewed.doubts == ()
    text = said(skewed, published("round-2"))
    assert "furthest off at C=8, 12.6 ms against 18.33 ms." in text
    assert "差得最多的是 C=8，12.6 ms 对 18.33 ms。" in text
    assert "Medians alone flatter llama.cpp Q4_K_M" in text
    # vLLM: at most +1.4 %, at C=32: (7962 − 588) ÷ 255 = 28.92 against 28.53. C=64 has a TPOT p50: 787 + 255 × 43.41
    # = 11857 against 11779, −0.7 %.
    assert (fits.status, fits.series) == ("pass", "vllm-bf16")
    assert "at C=32, where the implied TPOT and the mean ITL are 28.9 ms and 28.53 ms" in said(
        fits, published("round-2")
    )


@pytest.mark.parametrize(
    ("level", "status"),
    [
        (with_tpot(2.03), "pass"),  # 1.5 % above 2 s
        (with_tpot(2.05), "warn"),  # 2.5 %
        (with_tpot(1.97), "pass"),
        (with_tpot(1.95), "warn"),
        (with_itl(0.0208), "pass"),  # 4 % above 0.02 s
        (with_itl(0.0212), "warn"),  # 6 %
        (with_itl(0.0192), "pass"),
        (with_itl(0.0188), "warn"),
    ],
)
def test_tolerance_is_tighter_where_the_tpot_is_known(level: Numbers, status: str) -> None:
    assert examine(one_series(level)).status == status


def test_tpot_is_preferred_where_both_are_known() -> None:
    # Parts of 2 s against 2 s, while (2 − 1) ÷ 100 = 0.01 s is half the mean gap: requests differ, definitions agree.
    round_ = one_series({**with_tpot(2.0), "itl_mean": 0.02})

    assert examine(round_).status == "pass"
    assert "the E2EL p50 and what TTFT and TPOT put together are 2,000 ms and 2,000 ms" in said(examine(round_), round_)


def test_broken_identity_doubts_all_three() -> None:
    round_ = one_series(with_tpot(3.0), with_tpot(2.0))
    finding = examine(round_)

    assert finding.levels == ("c1",)
    assert {address.metric for address in finding.doubts} == {"e2el_p50", "ttft_p50", "tpot_p50"}
    text = said(finding, round_)
    assert "a TPOT p50 for every gap: 3,000 ms against 2,000 ms." in text
    assert "If TTFT or TPOT is wrong, it flatters s" in text
    assert finding.looks is None  # whichever number is wrong


def test_end_to_end_latency_that_is_too_short_flatters() -> None:
    round_ = one_series(with_tpot(1.5))

    assert "If the E2EL is wrong, it flatters s" in said(examine(round_), round_)


def test_mean_gap_below_the_typical_one_flatters() -> None:
    round_ = one_series(with_itl(0.03))

    assert "The mean ITL flatters s" in said(examine(round_), round_)


def test_both_ways_of_not_fitting_are_told_apart() -> None:
    identity, skew = found_by(CHECK, one_series(with_tpot(3.0), with_itl(0.01)))

    assert (identity.levels, skew.levels) == (("c1",), ("c2",))


@pytest.mark.parametrize(
    "level",
    [{}, {"ttft_p50": 1.0, "e2el_p50": 2.0}, {"ttft_p50": 1.0, "tpot_p50": 0.01}, {"itl_mean": 0.02}],
    ids=["nothing", "no gap", "no E2EL", "no medians"],
)
def test_unknown_where_a_part_is_missing(level: Numbers) -> None:
    finding = examine(one_series(level))

    assert finding.status == "unknown"
    assert finding.remedy is not None


def test_counted_tokens_stand_in_for_those_that_nobody_declared() -> None:
    # 5050 tokens ÷ 50 = 101 tokens a request, counted: 1 s + 100 × 0.01 s = 2 s against 2.2 s, 10 % off
    seen = {**with_tpot(2.2), "concurrency": 1, "completed": 50, "output_tokens_counted": 5050}
    round_ = memory_round({"s": {"c1": seen}})

    assert examine(round_).status == "warn"
    assert "2,200 ms against 2,000 ms" in said(examine(round_), round_)


def test_single_requests_that_are_unlike_are_no_fault() -> None:
    # Three answers of 3, 3 and 12 tokens; TTFT 0.1 s, gaps of 0.1, 0.1 and 0.01 s: E2EL 0.3, 0.3 and 0.21 s.
    # Medians: 0.1 s + (18 ÷ 3 − 1 = 5 gaps) × 0.1 s = 0.6 s, against 0.3 s.
    rows = [answer(0.1, 0.1, 0.1), answer(0.1, 0.1, 0.1), answer(0.1, *[0.01] * 11)]
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*rows)})
    finding = examine(round_)

    assert (finding.status, finding.doubts, finding.bias) == ("note", (), None)
    assert "300 ms against 600.0 ms" in said(finding, round_)
    assert "too unlike for medians to add up" in said(finding, round_)


def test_the_remedy_names_the_key_that_is_missing() -> None:
    latencies = {"concurrency": 1, **with_tpot(2.0)}
    table, runs = (
        memory_round({"s": {"c1": latencies}}),
        memory_round({"s": {"c1": latencies}}, runs={("s", "c1", None): None}),
    )

    assert "[workload] output_tokens of round.toml" in said(examine(table), table)
    assert "[workload] output_tokens of round.toml" in said(examine(runs), runs)
    assert "column" not in said(examine(runs), runs)
