from __future__ import annotations

import re

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "output_tokens"


def counted(*means: float | None) -> Round:
    """Return a round that asked for 1000 tokens and counted these on average; None is not recorded."""
    levels = {f"c{row}": {"concurrency": row, "asked_output_tokens": 1000.0} for row in range(1, len(means) + 1)}
    found = [{} if mean is None else {"output_tokens_mean": mean} for mean in means]
    return memory_round({"s": {key: asked | seen for (key, asked), seen in zip(levels.items(), found, strict=True)}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_second_round_is_short_on_one_side() -> None:
    # Counted tokens are throughput × duration ÷ completed, of 256 asked:
    #   C=1 161.5 × 63.40 ÷ 40 = 255.98, 0.01 % short: within the rounding of the throughput;
    #   C=2 252.82, 1.2 %; C=4 252.73, 1.3 %; C=8 254.83, 0.5 %; C=16 253.48, 1.0 %; C=64 252.91, 1.2 %;
    #   C=32 443.7 × 179.73 ÷ 319 = 249.99, 2.3 %: the worst.
    short, right = found_by(CHECK, published("round-2"))

    assert (short.status, short.series) == ("warn", "llamacpp-q4_k_m")
    assert short.levels == ("c2", "c4", "c8", "c16", "c32", "c64")
    text = said(short, published("round-2"))
    assert "furthest at C=32: on average 249.99 tok were counted where 256 tok were requested, 2.3% short" in text
    assert "要求 256 tok，平均计到 249.99 tok，缺 2.3%" in text
    # vLLM: at most 61.9 × 165.54 ÷ 40 = 256.17, which is 0.07 % above 256.
    assert (right.status, right.series) == ("pass", "vllm-bf16")


@pytest.mark.parametrize(
    ("mean", "status"),
    [
        (1000, "pass"),
        (998.5, "pass"),
        (1001.5, "pass"),
        (997, "note"),
        (1009, "note"),
        (985, "warn"),
        (1015, "warn"),
    ],
)
def test_status_grows_with_the_difference(mean: float, status: str) -> None:
    assert examine(counted(mean)).status == status  # a note above 0.2 %, a warning above 1 %


def test_more_than_asked_is_not_called_short() -> None:
    text = said(examine(counted(1000, 1100)), counted(1000, 1100))

    assert (
        "exceeds what was requested, furthest at C=2: on average 1,100 tok were counted where 1,000 tok were requested"
        in text
    )
    assert "输出多于要求" in text
    assert "overstated" in text
    assert not re.search(r"short|缺|-\d", text)


def test_worst_level_is_the_one_furthest_off_either_way() -> None:
    assert "furthest at C=2: on average 900 tok" in said(examine(counted(1050, 900)), counted(1050, 900))


def test_levels_that_cannot_be_checked_are_not_vouched_for() -> None:
    finding = examine(counted(1000, None))

    assert (finding.status, finding.levels) == ("pass", ("c1",))
    assert "Wherever it can be checked" in said(finding, counted(1000, None))


@pytest.mark.parametrize(
    ("round_", "reason"),
    [(counted(None), "there is no record of output tokens counted for s C=1"), (counted(), "it has no level")],
    ids=["not recorded", "no level"],
)
def test_unknown_says_why(round_: Round, reason: str) -> None:
    finding = examine(round_)

    assert finding.status == "unknown"
    assert reason in said(finding, round_)


def answered(*tokens: float, asked: float = 100) -> Round:
    level = {"concurrency": 1.0, "asked_output_tokens": asked}
    requests = requests_of(*(answer(0.1, tokens=count) for count in tokens))
    return memory_round({"s": {"c1": level}}, runs={("s", "c1", None): requests})


def test_short_answers_are_counted() -> None:
    # 40 + 100 + 100 = 240 of 300 = 80 %; one of three is below 95.
    finding = examine(answered(40, 100, 100))

    assert finding.status == "warn"
    text = said(finding, answered(40, 100, 100))
    assert "on average 80 tok were counted where 100 tok were requested, 20.0% short" in text
    assert "At C=1, 1 of 3 answers (33.3%) is below 95% of the requested length." in text
    assert "C=1 的 3 条回答里有 1 条（33.3%）不到要求长度的 95%" in text


def test_a_mean_as_asked_hides_no_short_answers() -> None:
    # (50 + 150) ÷ 2 = 100
    finding = examine(answered(50, 150))

    assert finding.status == "note"
    text = said(finding, answered(50, 150))
    assert "On average s produces what was requested, but not in each answer. At C=1, 1 of 2 answers (50.0%)" in text
    assert "并非每条都是" in text


def test_answers_of_the_length_asked_are_not_spoken_of() -> None:
    finding = examine(answered(100, 100))

    assert finding.status == "pass"
    assert "95%" not in said(finding, answered(100, 100))


def test_over_several_runs_whole_answers_are_counted_and_no_medians() -> None:
    # Of two runs of two answers, none and one is short: the median of both would be half an answer. 1 of 4 is 25 %.
    runs: dict[Trial, Requests | None] = {
        ("s", "c1", 1): requests_of(answer(0.1, tokens=100), answer(0.1, tokens=100)),
        ("s", "c1", 2): requests_of(answer(0.1, tokens=50), answer(0.1, tokens=150)),
    }
    round_ = memory_round({"s": {"c1": {"concurrency": 1.0, "asked_output_tokens": 100.0}}}, runs=runs)
    text = said(examine(round_), round_)

    assert "Over all runs, 1 of 4 answers (25.0%) is below 95% of the requested length." in text
    assert "全部运行合计 4 条回答里有 1 条（25.0%）" in text
