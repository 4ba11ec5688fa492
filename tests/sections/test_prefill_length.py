from __future__ import annotations

import pytest

from generator.told.blocks import Ledger, Table
from tests.support.anatomy_rounds import divided, swept
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import analysed, chapter_of, text_of

BENT = swept(0.01, 1e-4, 2e-8)
STRAIGHT = swept(0.01, 1e-4, off=0.004)


def said(levels: Levels) -> str:
    analysis = analysed(memory_round({"a": levels}))
    return text_of(chapter_of("prefill_length", analysis), analysis)


@pytest.mark.parametrize(
    ("levels", "which"),
    [
        (BENT, "can be told from zero: the parabola stands."),
        (STRAIGHT, "cannot be told from zero: the line stands."),
    ],
    ids=["bent", "straight"],
)
def test_it_says_which_fit_stands(levels: Levels, which: str) -> None:
    assert which in said(levels)


def test_it_says_that_a_client_sees_more_than_the_prefill() -> None:
    assert "network, HTTP and tokenizing are in the intercept" in said(BENT)


def test_of_three_lengths_there_is_a_line_and_no_parabola() -> None:
    few = {level: BENT[level] for level in ("n64", "n512", "n4096")}

    assert (
        "There is no parabola: the levels with one request in flight and a known prefill have fewer than four"
        in said(few)
    )
    assert "no evidence that the growth is straight" in said(few)


def test_both_fits_stand_in_a_ledger_and_the_speeds_in_a_table() -> None:
    analysis = analysed(memory_round({"a": BENT}))
    chapter = chapter_of("prefill_length", analysis)
    assert chapter is not None

    (ledger,) = [block for block in chapter.blocks if isinstance(block, Ledger)]
    assert [len(group.lines) for group in ledger.groups] == [5, 6]
    (table,) = [block for block in chapter.blocks if isinstance(block, Table)]
    assert len(table.rows) == 6


def test_without_a_sweep_there_is_no_chapter() -> None:
    assert chapter_of("prefill_length", divided()) is None
