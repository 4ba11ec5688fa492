from __future__ import annotations

import pytest

from generator.declared.profiles import ProfileFile
from tests.support.loads import BURSTGPT, EVEN, SHAREGPT, load_of, load_of_text, under_load
from tests.support.memory_round import Levels
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None, levels: Levels | None = None) -> str:
    analysis = analysed(under_load(load, levels))
    return text_of(chapter_of("profile_concurrency", analysis), analysis)


def test_littles_law_is_a_ledger() -> None:
    analysis = analysed(under_load(load_of_text(BURSTGPT)))

    # 2 ÷ 40 s × 3 s
    assert analysis.frame.of_round("traffic_concurrency").value == pytest.approx(0.15)
    assert "1 were under way at once at most" in told(load_of_text(BURSTGPT))


def test_without_durations_it_is_not_known() -> None:
    assert "the concurrency of the load is not known" in told(load_of(EVEN))
    assert "for each level, the table below" not in told(load_of(EVEN))
    assert "for each level, the table below" in told(load_of(EVEN), {"c1": {"concurrency": 1}})


def test_without_times_there_is_no_such_chapter() -> None:
    assert told(load_of_text(SHAREGPT)) == told(None) == ""
