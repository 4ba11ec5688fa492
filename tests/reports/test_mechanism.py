"""The report on where the time goes."""

from __future__ import annotations

from generator.frame import Analysis
from generator.render.site import draw_figures
from generator.render.views.reports import Told, tell
from tests.support.analyses import small_analysis
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue


def told(analysis: Analysis) -> Told:
    reports = tell(analysis, catalogue(), draw_figures(catalogue(), analysis))
    return next(one for one in reports if one.report.key == "mechanism")


def test_it_is_a_page_of_its_own_where_a_section_has_something_to_tell() -> None:
    found = told(small_analysis())

    assert (found.report.page, found.report.charts) == ("mechanism.html", "mechanism.charts.js")
    assert found.lacks is None
    assert found.story[0][0].key == "byte_ledger"


def test_a_round_of_which_it_has_nothing_to_tell_has_no_such_page_and_says_what_would_make_one() -> None:
    found = told(analysed(memory_round({"s": {}})))

    assert found.story == ()
    assert found.lacks is not None
    for words in ("weight_bytes", "memory_bandwidth_gb_s"):
        assert words in found.lacks.en
        assert words in found.lacks.zh
