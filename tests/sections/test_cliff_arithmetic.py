from __future__ import annotations

from generator.told.blocks import FigureBlock, Ledger
from tests.support.cliff_rounds import cliff_round, climbing, preempting, told_in_every_way
from tests.support.telling import analysed, chapter_of


def test_the_account_goes_from_the_pool_to_the_gap() -> None:
    chapter = chapter_of("cliff_arithmetic", analysed(preempting()))

    assert chapter is not None
    _, ledger, figure = chapter.blocks
    assert isinstance(ledger, Ledger)
    assert [line.quantity.address.metric for line in ledger.groups[0].lines] == [
        "kv_pool_tokens", "request_tokens", "engine_block_tokens_of_series", "wall_memory", "wall_scheduler",
        "cliff_wall", "cliff_staggered", "cliff_observed", "cliff_gap_levels",
    ]  # fmt: skip
    assert ledger.groups[0].lines[-1].is_sum
    assert figure == FigureBlock("cliff_kv_use")


def test_every_series_has_an_account_of_what_is_known_of_it() -> None:
    chapter = chapter_of("cliff_arithmetic", analysed(told_in_every_way()))

    assert chapter is not None
    ledger = chapter.blocks[1]
    assert isinstance(ledger, Ledger)
    by_slots = ledger.groups[4]  # its pool is not on record
    assert [line.quantity.address.metric for line in by_slots.lines][:2] == ["wall_scheduler", "cliff_wall"]


def test_without_a_cliff_there_is_no_account() -> None:
    assert chapter_of("cliff_arithmetic", analysed(cliff_round({"s": climbing((1, 2))}, {}))) is None
