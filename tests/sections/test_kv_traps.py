from __future__ import annotations

from generator.model import Round
from tests.support.gauged_rounds import sampled
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("kv_traps", analysis), analysis)


def test_it_names_what_bends_the_slope() -> None:
    text = told(sampled())

    for trap in ("Tokens in flight", "Shared prefixes", "sliding window", "standard error"):
        assert trap in text
