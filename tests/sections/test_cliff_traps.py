from __future__ import annotations

from tests.support.cliff_rounds import preempting
from tests.support.telling import analysed, chapter_of, text_of


def test_it_names_what_moves_a_cliff() -> None:
    analysis = analysed(preempting())
    text = text_of(chapter_of("cliff_traps", analysis), analysis)

    for trap in (
        "Slots with too short a context",
        "--kv-unified",
        "sliding windows",
        "Prompt cache",
        "Saturation is not a cliff",
    ):
        assert trap in text
