from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "retokenized_output"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def level(counted: float, again: float) -> Round:
    seen = {"concurrency": 8.0, "output_tokens_counted": counted, "output_tokens_retokenized": again}
    return memory_round({"s": {"c8": seen}})


@pytest.mark.parametrize(
    ("counted", "again", "status"),
    [
        (100.0, 98.0, "pass"),  # 2 % off
        (100.0, 97.0, "warn"),  # 3 % off
        (60.0, 57.0, "warn"),  # 5 % off
        (100.0, 300.0, "warn"),  # another tokenizer
        (4220.0, 0.0, "warn"),  # a stream that was not read
    ],
)
def test_two_counts_of_one_text_differ_little(counted: float, again: float, status: str) -> None:
    assert examine(level(counted, again)).status == status


def test_the_finding_has_both_counts_and_their_difference() -> None:
    round_ = level(60.0, 57.0)
    finding = examine(round_)

    assert finding.levels == ("c8",)
    text = said(finding, round_)
    assert "counted 60 tok of output, and the client 57 tok in the text that it received, a difference of −5.0%" in text
    assert "服务端计到输出 60 tok" in text


def test_of_several_levels_the_worst_is_told() -> None:
    rows = {
        f"c{nth}": {"concurrency": nth, "output_tokens_counted": 100.0, "output_tokens_retokenized": again}
        for nth, again in ((1.0, 90.0), (2.0, 50.0), (4.0, 100.0))
    }
    finding = examine(memory_round({"s": rows}))

    assert finding.levels == ("c1.0", "c2.0")
    assert {address.level for address in finding.evidence} == {"c1.0", "c2.0", "c4.0"}


def test_where_nobody_counted_again_there_is_nothing_to_examine() -> None:
    finding = examine(memory_round({"s": {"c8": {"concurrency": 8.0, "output_tokens_counted": 60.0}}}))

    assert (finding.status, finding.is_empty) == ("pass", True)
