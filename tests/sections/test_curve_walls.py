from __future__ import annotations

from generator.model import Round
from generator.told.blocks import Ledger
from tests.support.ladder_rounds import ladder_levels, walled
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, text_of


def ledgers(round_: Round) -> dict[str, list[str]]:
    """Return the metrics of the lines of each group, by its heading."""
    analysis = analysed(round_)
    chapter = chapter_of("curve_walls", analysis)
    assert chapter is not None
    (ledger,) = (block for block in chapter.blocks if isinstance(block, Ledger))
    return {
        text_of(group.heading, analysis): [line.quantity.address.metric for line in group.lines]
        for group in ledger.groups
    }


def test_each_wall_stands_below_what_it_is_computed_from() -> None:
    found = ledgers(walled())

    bandwidth = ["weight_bytes_read", "kv_bytes_of_sequence", "wall_bandwidth"]
    assert found["slotted"] == [
        "kv_pool_tokens", "kv_slot_context", "wall_memory", *bandwidth, "log_slots_of_series", "wall_scheduler",
    ]  # fmt: skip
    assert found["paged"] == [
        "kv_pool_tokens", "request_tokens", "engine_block_tokens_of_series", "wall_memory", *bandwidth,
        "slots_by_flags", "wall_scheduler",
    ]  # fmt: skip
    assert found["plain"] == [
        "kv_pool_tokens", "request_tokens", "wall_memory", *bandwidth, "slots", "wall_scheduler",
    ]  # fmt: skip


def test_walls_that_are_not_known_say_why() -> None:
    analysis = analysed(memory_round({"a": ladder_levels()}, of_series={"a": {"slots": 8.0}}))
    text = text_of(chapter_of("curve_walls", analysis), analysis)

    assert "The memory wall of a is not known:" in text
    assert "The bandwidth bend of a is not known:" in text
    assert "The scheduler wall of a is not known" not in text


def test_a_series_without_a_curve_has_no_account() -> None:
    assert chapter_of("curve_walls", analysed(memory_round({"a": ladder_levels({1: 60.0})}))) is None
