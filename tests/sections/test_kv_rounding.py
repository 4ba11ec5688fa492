from __future__ import annotations

from generator.model import Round
from tests.support.gauged_rounds import BLOCKS, sampled, sampled_slots
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("kv_rounding", analysis), analysis)


def test_blocks_and_what_they_leave_empty() -> None:
    text = told(sampled(**BLOCKS))

    assert "in blocks of 16 tok: on average 7.50 tok of the last block" in text
    assert "held but unused" in text


def test_slots_keep_their_whole_context() -> None:
    text = told(sampled_slots())

    assert "keeps 512 tok of KV for each slot" in text
    # 240 tokens of two slots of 512: 1 − 240 ÷ 1024 = 76.6 %
    assert "76.6% of the places held" in text


def test_where_neither_is_known_there_is_nothing_to_tell() -> None:
    assert chapter_of("kv_rounding", analysed(two_series())) is None
