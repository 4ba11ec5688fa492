from __future__ import annotations

from tests.support.started_rounds import Start, started_round
from tests.support.telling import analysed, chapter_of, text_of


def test_it_names_what_bends_a_start() -> None:
    analysis = analysed(started_round((Start(),)))
    text = text_of(chapter_of("cold_start_traps", analysis), analysis)

    for trap in ("A port is not readiness", "Page cache", "Compile caches", "Resolution"):
        assert trap in text
