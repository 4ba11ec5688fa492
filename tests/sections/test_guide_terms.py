from __future__ import annotations

from tests.support.example_rounds import one_series
from tests.support.telling import analysed, chapter_of, text_of


def test_it_names_what_makes_a_choice_go_wrong() -> None:
    analysis = analysed(one_series())
    text = text_of(chapter_of("guide_terms", analysis), analysis)

    for trap in (
        "It is not a break-even",
        "Means alone",
        "Unlike precision",
        "Open and closed loop",
        "Less than 5% apart",
    ):
        assert trap in text
