"""The report on how a round was measured, with all of its data."""

from __future__ import annotations

from generator.render.views.reports import tell
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue


def test_every_round_has_it_even_one_that_holds_next_to_nothing() -> None:
    analysis = analysed(memory_round({"s": {}}))
    (told,) = [one for one in tell(analysis, catalogue(), {}) if one.report.key == "measurement"]

    assert told.report.page == "measurement.html"
    assert told.lacks is None
    assert [section.key for section, _ in told.story][-2:] == ["data", "findings"]
