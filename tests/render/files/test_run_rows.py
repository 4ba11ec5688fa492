from __future__ import annotations

from generator.render.files.run_rows import fact, fact_heading, place_cells, place_headings, run_told
from generator.values import Address
from tests.support.run_figures import curves_of, printed
from tests.support.run_rounds import repeated, two_series


def test_a_row_names_the_series_and_the_level() -> None:
    run, printer = curves_of(two_series()).curves[2], printed(two_series())

    assert [printer.plain_sentence(one.label) for one in place_headings(has_trials=False)] == ["series", "level"]
    assert [printer.plain(cell) for cell in place_cells(run, has_trials=False)] == ["b", "C=1"]


def test_a_row_names_the_trial_where_any_row_has_one() -> None:
    once, again = curves_of(two_series()).curves[2], curves_of(repeated()).curves[1]

    assert [printed(repeated()).plain_sentence(one.label) for one in place_headings(has_trials=True)][2] == "trial"
    assert printed(two_series()).plain(place_cells(once, has_trials=True)[2]) == ""
    assert printed(repeated()).plain(place_cells(again, has_trials=True)[2]) == "2"


def test_what_sums_a_run_up_is_named_in_heads_and_sentences() -> None:
    run, printer = curves_of(two_series()).curves[0], printed(two_series())
    p50 = Address("ttft_p50", "level", "a", "c1")

    assert (printer.plain_sentence(fact_heading(p50, printer).label), fact_heading(p50, printer).unit) == (
        "TTFT p50",
        "ms",
    )
    # the median of 100, 200, 300 and 400 ms
    assert printer.plain_sentence(run_told(run, [fact(p50, printer)], printer)).startswith("a C=1: TTFT p50 250")
