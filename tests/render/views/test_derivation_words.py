"""What a language says of derivations, and how the page of them tells it."""

from __future__ import annotations

import pytest

from generator.render.views.derivation_words import Group, Words, groups, words_of
from generator.render.views.derivations import facts_behind
from generator.text import Lang
from generator.told.sentence import Quantity
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.sites import fragment, text_of

ITL = Address("itl_p50", "level", BASELINE, "c8")
FLOOR = Address("decode_floor", "level", BASELINE, "c8")
UNKNOWN = Address("itl_p50", "level", COMPARED, "c64")


def told(address: Address, lang: Lang = "en") -> tuple[Words, Group]:
    """Return what is said of a number and of all that it rests on, and the group in which it stands."""
    print_ = printer(lang)
    facts = facts_behind([print_.html(Quantity(address))], print_)
    words = words_of(facts, print_)
    return words, next(group for group in groups(facts, words) if f'id="{print_.anchors[address]}"' in group.numbers)


def test_titles_and_places_are_those_of_the_language() -> None:
    words, group = told(ITL, "zh")
    assert group.said.title == printer("zh").words(printer("zh").metric(ITL).title)
    assert words.places == ('<b class="s0">vLLM BF16</b> C=8',)


def test_a_number_that_was_read_is_told_with_its_source() -> None:
    _, group = told(ITL)
    shown = text_of(fragment(group.numbers, within="ul")).replace("\u202f", " ")
    assert "vLLM BF16 C=8: 16.63 ms transcribed" in shown
    assert f"read from {BASELINE}/published.csv, itl_p50" in shown
    assert "Unrounded 16.63 ms" in shown
    assert (group.formula, group.has_rows) == ("", False)


def test_a_computed_number_is_told_with_its_formula_and_inputs() -> None:
    _, group = told(FLOOR)
    html = fragment(group.numbers, within="ul")
    shown = text_of(html).replace("\u202f", " ")
    assert "derived (weakest input: transcribed)" in shown
    # (14.14 GB of weights + 8 requests × 63.0 MiB of KV) ÷ 1008 GB/s
    assert "= (14.14 GB + 8 × 63.0 MiB) ÷ 1,008 GB/s" in shown
    (inputs,) = (item.find("ul") for item in html.findall("li"))
    assert inputs is not None
    assert [text_of(item).strip().partition(", vLLM")[0] for item in inputs][:2] == [
        "weight bytes per step at the level", "requests decoded together",
    ]  # fmt: skip


def test_an_unknown_number_says_why() -> None:
    _, group = told(UNKNOWN)
    assert "Why it is unknown" in text_of(fragment(group.numbers, within="ul"))


@pytest.mark.parametrize(
    ("metric", "explained"), [("marginal_step_cost", True), ("measured_speedup", True), ("kv_bytes_per_token", False)]
)
def test_first_and_last_are_explained_where_a_formula_has_them(metric: str, explained: bool) -> None:
    _, group = told(Address(metric, "pair" if metric == "measured_speedup" else "series", COMPARED))
    assert group.has_rows is explained
