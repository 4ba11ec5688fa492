from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.analyses import small_round
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.run_rounds import QUICK, round_of
from tests.support.telling import found_by, said

CHECK = "token_accounting"


def typed(*totals: str, output: str = "100.0", duration: str = "512") -> Round:
    """Return a round in which 40 requests of 1024 tokens of input are completed at every level.

    With the usual output and duration the parts are 100 + 1024 × 40 ÷ 512 = 180 tok/s. Half a digit of the output is
    0.05; half a digit of the duration moves the prompts by 80 × 0.5 ÷ 512 = 0.078; together 0.128.
    """
    level = {"completed": "40", "output_throughput": output, "duration_s": duration}
    rows = [level | {"concurrency": str(row), "total_token_throughput": total} for row, total in enumerate(totals, 1)]
    return small_round({"s": rows}, baseline=None)


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_second_round_adds_up_to_its_rounding() -> None:
    # vLLM at C=4: 225.1 + 1024 × 80 ÷ 90.99 = 225.1 + 900.3 = 1125.4; printed 1125, 0.4 off, within 0.5 + 0.05.
    # llama.cpp at C=4: 318.4 + 1024 × 80 ÷ 63.50 = 318.4 + 1290.1 = 1608.5; printed 1609, 0.52 off, within
    # 0.5 + 0.05 + 1290.1 × 0.005 ÷ 63.50 = 0.65.
    for finding in found_by(CHECK, published("round-2")):
        assert finding.status == "pass"
        assert finding.levels == ("c1", "c2", "c4", "c8", "c16", "c32", "c64")


@pytest.mark.parametrize(
    ("total", "status"),
    [
        ("180", "pass"),
        ("180.15", "note"),  # 0.15 off, more than 0.005 + 0.128
        ("180.13", "pass"),  # 0.13 off
        ("180.1", "pass"),  # 0.1 off, less than 0.05 + 0.128
        ("180.2", "note"),  # 0.2 off, more than 0.178
        ("181", "note"),  # 1 off, more than 0.5 + 0.128, less than 1 % of 180
        ("182", "warn"),  # 2 off, more than 1.8
        ("179", "note"),
        ("178", "warn"),
    ],
)
def test_status_grows_with_the_difference(total: str, status: str) -> None:
    assert examine(typed(total)).status == status


def test_coarse_rounding_explains_much() -> None:
    # 1024 × 40 ÷ 4 = 10 240, half a second of 4 moves it by 1280; so 100 + 10 240 may well be 11 000.
    assert examine(typed("11000", duration="4")).status == "pass"


@pytest.mark.parametrize(("total", "status"), [(181.7, "pass"), (178.3, "pass"), (181.9, "warn"), (178.1, "warn")])
def test_one_in_a_hundred_is_forgiven_where_nothing_is_known_of_the_rounding(total: float, status: str) -> None:
    parts = {"output_throughput": 100, "asked_input_tokens": 1024, "completed": 40, "duration": 512}  # 180 tok/s
    level = {"c1": {"concurrency": 1, **parts, "total_token_throughput": total}}

    assert examine(memory_round({"s": level})).status == status


def test_warning_names_the_worst_level_and_doubts_its_total() -> None:
    round_ = typed("180", "181", "190")
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c2", "c3"))
    assert [(address.metric, address.level) for address in finding.doubts] == [("total_token_throughput", "c3")]
    text = said(finding, round_)
    assert "At C=2 and C=3 the total throughput of s is not" in text
    assert "furthest off at C=3, 190 tok/s on record, 180.00 tok/s from its parts." in text
    assert "差得最多的是 C=3，记录的是 190 tok/s，按各部分相加应为 180.00 tok/s。" in text
    assert "it flatters s" in text


def test_total_that_is_too_small_flatters_nobody() -> None:
    round_ = typed("170")

    assert "it makes s look worse" in said(examine(round_), round_)


def test_note_blames_the_prompts_and_doubts_nothing() -> None:
    round_ = typed("181")
    finding = examine(round_)

    assert (finding.bias, finding.doubts) == (None, ())
    text = said(finding, round_)
    assert "of the completed requests: 181 tok/s on record, 180.00 tok/s from its parts." in text
    assert "prompts tend to be a little longer or shorter than requested" in text


@pytest.mark.parametrize(
    "level",
    [
        pytest.param({"total_token_throughput": 180}, id="no parts"),
        pytest.param(
            {"output_throughput": 100, "asked_input_tokens": 1024, "completed": 40, "duration": 512}, id="no total"
        ),
        pytest.param({}, id="nothing"),
    ],
)
def test_what_was_not_printed_apart_cannot_be_compared(level: dict[str, float]) -> None:
    finding = examine(memory_round({"s": {"c1": {"concurrency": 1, **level}}}))

    assert finding.status == "unknown"
    assert finding.remedy is not None


def test_counted_prompts_stand_in_for_those_that_nobody_declared() -> None:
    # 100 tok/s + 2048 tokens ÷ 512 s = 104 tok/s against 110 tok/s: 6 off, more than 1.04
    seen = {"concurrency": 1, "duration": 512, "output_throughput": 100, "input_tokens_counted": 2048}
    fits = memory_round({"s": {"c1": {**seen, "total_token_throughput": 104}}})
    off = memory_round({"s": {"c1": {**seen, "total_token_throughput": 110}}})

    assert (examine(fits).status, examine(off).status) == ("pass", "warn")


def test_the_total_of_the_client_is_held_against_its_requests() -> None:
    # Two answers of 3 tokens to 10 each, in 2 s: 3 tok/s + 20 ÷ 2 s = 13 tok/s
    requests = requests_of(answer(0.1, 0.1, 0.1), answer(0.1, 0.1, 0.1))

    def reported(total: float) -> Round:
        seen = {"concurrency": 1, "duration": 2, "total_token_throughput__reported": total}
        return memory_round({"s": {"c1": seen}}, runs={("s", "c1", None): requests})

    assert (examine(reported(13)).status, examine(reported(16)).status) == ("pass", "warn")


def test_a_total_that_is_added_up_from_requests_has_none_to_be_held_against() -> None:
    finding = examine(round_of({("s", "c2", None): QUICK}))

    assert (finding.status, finding.is_empty) == ("pass", True)
