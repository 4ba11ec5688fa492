from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from generator.analysis.stages import analyse
from generator.render.views.published import ClaimView, published_view
from generator.render.wording.numbers import Printer
from generator.text import Lang, Text
from generator.told.claims import Claim
from tests.support.memory_round import GRAPH, memory_round

STEP = Claim(
    "a", metric="itl_p50", series="s", level="c1", stated=Decimal("20.0"), source=Text(zh="表一", en="table one")
)
LOST = Claim("lost", text=Text(zh="<说不清>", en="<nobody knows>"), reason=Text(zh="没有留存", en="it did not survive"))


def printer(*claims: Claim, lang: Lang = "en") -> Printer:
    """Print claims about a step of 20 ms."""
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "itl_p50": 0.020}}})
    return Printer(analyse(replace(round_, claims=claims), GRAPH, ()), GRAPH, lang)


def row(claim: Claim, lang: Lang = "en") -> ClaimView:
    (group,) = published_view(printer(claim, lang=lang)).groups
    (found,) = group.rows
    return found


def test_a_row_has_both_numbers_and_where_the_statement_stands() -> None:
    found = row(STEP)

    assert (found.id, found.stated, found.difference, found.where) == (
        "claim-a",
        "20.0\u202fms",
        "0\u202fms",
        "table one",
    )
    assert (found.looks, found.verdict) == ("pass", "✓ holds")
    assert found.recomputed.startswith('<a href="how.html#')
    assert "20.0<small>\u202fms</small>" in found.recomputed
    assert row(STEP, "zh").where == "表一"


def test_the_difference_has_a_sign_and_two_digits() -> None:
    # 20 − 24.36 = −4.36, and 20 − 16.6 = 3.4
    assert row(replace(STEP, stated=Decimal("24.36"))).difference == "−4.4\u202fms"
    assert row(replace(STEP, stated=Decimal("16.6"))).difference == "+3.4\u202fms"


def test_a_tolerance_is_shown_where_there_is_one() -> None:
    # "about" allows a twentieth: 20 × 0.05 = 1
    assert row(STEP).allowed == ""
    assert row(replace(STEP, tolerance=Decimal("0.5"))).allowed == "0.50\u202fms"
    assert row(replace(STEP, op="about")).allowed == "1.0\u202fms"


def test_what_cannot_be_derived_says_why_and_is_escaped() -> None:
    found = row(LOST)

    assert (found.stated, found.recomputed, found.difference) == ("—", "—", "—")
    assert (found.looks, found.reason) == ("unknown", "it did not survive")
    assert found.what == "&lt;nobody knows&gt;"


def test_the_gravest_verdicts_go_first_and_are_counted() -> None:
    off, near = replace(STEP, id="off", stated=Decimal(40)), replace(STEP, id="near", stated=Decimal("20.1"))
    view = published_view(printer(STEP, LOST, near, off, replace(STEP, id="again")))

    listed = [one.id for group in view.groups for one in group.rows]
    assert listed == ["claim-off", "claim-near", "claim-lost", "claim-a", "claim-again"]
    assert [group.key for group in view.groups if group.is_folded] == ["holds"]
    assert [(group.tally.verdict, group.tally.number) for group in view.groups] == [
        ("✗ contradicted", "1"),
        ("≈ rounds differently", "1"),
        ("? not derivable", "1"),
        ("✓ holds", "2"),
    ]


def test_expectations_are_told_elsewhere() -> None:
    assert published_view(printer(replace(STEP, kind="expectation"))).groups == ()
