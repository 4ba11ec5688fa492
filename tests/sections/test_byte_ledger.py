from __future__ import annotations

import pytest

from generator.blocks import Ledger, Paragraph
from generator.kinds import Chapter
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def chapter(name: str) -> Chapter:
    told = chapter_of("byte_ledger", ANALYSES[name]())
    assert told is not None
    return told


def callout(name: str) -> str:
    analysis = ANALYSES[name]()
    (told,) = [block for block in chapter(name).blocks if isinstance(block, Paragraph) and block.kind == "callout"]
    return text_of(told, analysis)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("round-2", "Byte ledger: 2.99× predicted, 2.71× measured"),
        ("three series", "Byte ledger: what a step must read"),
        ("one series", "Byte ledger: what a step must read"),
    ],
)
def test_heading_quotes_the_speed_of_one_pair(name: str, expected: str) -> None:
    assert text_of(chapter(name).heading, ANALYSES[name]()) == expected


def test_sums_have_a_rule_above_them() -> None:
    (ledger,) = [block for block in chapter("round-2").blocks if isinstance(block, Ledger)]

    assert [len(group.lines) for group in ledger.groups] == [6, 6, 3]
    sums = [line.quantity.address.metric for group in ledger.groups for line in group.lines if line.is_sum]
    assert sums == ["bytes_per_step", "bytes_per_step", "predicted_speedup_attained"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("round-2", "attains 90.6% of the prediction, which says that it stays further from"),  # 2.71 ÷ 2.99
        # b reads 8.063 GB where a reads 4.063 GB, in 12.5 ms where a takes 10 ms: 0.80 ÷ 0.504 = 158.8 %
        ("compared trails throughout", "attains 158.8% of the prediction, which says that it stays no further from"),
    ],
)
def test_share_attained_is_read_the_right_way(name: str, words: str) -> None:
    assert words in callout(name)
    assert "says nothing of causes" in callout(name)


def test_what_holds_for_all_pairs_is_said_once() -> None:
    assert callout("three series").count("of the prediction") == 2
    assert callout("three series").count("by construction") == 1


@pytest.mark.parametrize("name", ["no levels", "nothing recorded", "arrival rates"])
def test_without_bytes_there_is_nothing_to_tell(name: str) -> None:
    assert chapter_of("byte_ledger", ANALYSES[name]()) is None
