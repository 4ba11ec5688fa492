from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "reasoning_in_output"


def level(**seen: float) -> Round:
    return memory_round({"s": {"c1": {"concurrency": 1, **seen}}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(("reasoning", "status"), [(1000, "pass"), (1001, "fail")])
def test_reasoning_is_part_of_the_output(reasoning: float, status: str) -> None:
    assert examine(level(reasoning_tokens=reasoning, output_tokens_counted=1000)).status == status


def test_both_counts_are_told_and_what_rests_on_them_is_doubted() -> None:
    round_ = level(reasoning_tokens=1500, output_tokens_counted=1000)
    finding = examine(round_)

    assert (finding.levels, finding.spoils, finding.looks) == (("c1",), (), "worse")
    assert "output_throughput" in {one.metric for one in finding.doubts}
    text = said(finding, round_)
    assert "At C=1 s has more tokens of reasoning than of output: 1,500 tok against 1,000 tok at C=1" in text
    assert "reasoning token 比输出 token 还多：C=1 为 1,500" in text


def test_a_single_answer_is_enough() -> None:
    round_ = level(reasoning_tokens=500, output_tokens_counted=1000, reasoning_above_output=2)

    assert examine(round_).status == "fail"
    assert "than of output: 2 answers at C=1" in said(examine(round_), round_)


def test_answers_without_excess_pass() -> None:
    assert examine(level(reasoning_tokens=500, output_tokens_counted=1000, reasoning_above_output=0)).status == "pass"


def test_without_reasoning_there_is_none_to_examine() -> None:
    assert examine(level(output_tokens_counted=1000)).is_empty
