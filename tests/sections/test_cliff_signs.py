from __future__ import annotations

from generator.model import Round
from generator.told.blocks import Table
from tests.sections.test_distributions import cells
from tests.support.cliff_rounds import cliff_round, climbing, preempting
from tests.support.telling import analysed, chapter_of


def table(round_: Round) -> Table:
    chapter = chapter_of("cliff_signs", analysed(round_))
    assert chapter is not None
    (found,) = (block for block in chapter.blocks if isinstance(block, Table))
    return found


def test_a_row_a_level_with_its_numbers_and_the_signs_that_set_in() -> None:
    round_ = preempting()
    rows = cells(table(round_), round_)

    # 6 × 160 = 960 tokens at full length
    assert rows[3] == [
        "s", "C=6", "cliff: preempted, waiting and TTFT p99 jumps",
        "960", "9", "2", "0", "86.7", "1,917", "9.90", "67.5",
    ]  # fmt: skip
    assert rows[0][2] == "none"
    assert rows[4][2] == "preempted, waiting, throughput no longer rises and TTFT p50 jumps"


def test_what_no_level_tells_has_no_column_and_what_one_lacks_is_a_dash() -> None:
    levels = climbing(server_preemptions=(None, 0.0, 0.0, 9.0, 9.0, 9.0))
    round_ = cliff_round({"s": levels}, {"s": {"kv_pool_tokens": 720.0}})
    found = table(round_)

    assert len(found.headings) == 2 + 6 + 1  # tokens, preempted, failed, throughput, two of TTFT, and the signs
    assert cells(found, round_)[0][4] == "—"


def test_a_round_without_a_cliff_to_tell_has_no_such_chapter() -> None:
    assert chapter_of("cliff_signs", analysed(cliff_round({"s": climbing((1, 2))}, {}))) is None
