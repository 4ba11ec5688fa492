from __future__ import annotations

import pytest

from generator.blocks import Ledger, Paragraph
from generator.kinds import Chapter
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def chapter(name: str) -> Chapter:
    told = chapter_of("batching", ANALYSES[name]())
    assert told is not None
    return told


def paragraphs(name: str) -> list[str]:
    return [text_of(one, ANALYSES[name]()) for one in chapter(name).blocks if isinstance(one, Paragraph)][1:]


def test_second_round_ranges_over_usable_levels() -> None:
    # Floors ÷ steps: vLLM 14.09 ÷ 15.83 = 89.0 % and 18.22 ÷ 22.50 = 81.0 %; llama.cpp 4.71 ÷ 5.84 = 80.6 %, and
    # 5.69 ÷ 23.35 = 24.4 % at C=16: C=32, lower still, is spoilt.
    assert paragraphs("round-2") == [
        "Over its usable levels vLLM BF16 reaches between 81.0% (C=64) and 89.0% (C=1) of its floor.",
        "Over its usable levels llama.cpp Q4_K_M reaches between 24.4% (C=16) and 80.6% (C=1) of its floor.",
    ]


@pytest.mark.parametrize("name", ["one level", "all of both series spoilt", "arrival rates"])
def test_fewer_than_two_floors_are_no_range(name: str) -> None:
    assert paragraphs(name) == []


@pytest.mark.parametrize(
    ("name", "groups"), [("round-2", [2]), ("one series", [1]), ("three series", [3]), ("one level", [])]
)
def test_marginal_cost_is_set_out_for_each_series_that_has_one(name: str, groups: list[int]) -> None:
    assert [len(block.groups) for block in chapter(name).blocks if isinstance(block, Ledger)] == groups
