"""What the panel of a number says."""

from __future__ import annotations

import pytest

from generator.render.derivations import Derivation, derivations_behind, place
from generator.render.numbers import anchor
from generator.sentence import Quantity
from generator.text import Lang
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer, small_analysis

FLOOR = Address("decode_floor", "level", BASELINE, "c8")
ITL = Address("itl_p50", "level", BASELINE, "c8")


def behind(*addresses: Address, lang: Lang = "en") -> dict[str, Derivation]:
    """Return the derivations behind a page that prints some numbers, by their ids."""
    print_ = printer(lang)
    page = "".join(print_.html(Quantity(address)) for address in addresses)
    return {one.id: one for one in derivations_behind([page], print_)}


def test_a_number_that_was_read_says_where() -> None:
    (one,) = behind(ITL).values()
    assert (one.title, one.origin, one.rests_on, one.formula) == ("ITL p50", "transcribed", "", "")
    assert one.source == f"{BASELINE}/published.csv, itl_p50"
    assert one.exact == "16.63 ms"


def test_a_computed_number_says_how_and_from_what() -> None:
    one = behind(FLOOR)[anchor(FLOOR)]
    # (14141238272 B + 8 × (1024 + 256 ÷ 2) × 57344 B) ÷ 1008 GB/s = 14.5532942222 ms
    assert one.exact == "14.5532942222 ms"
    assert one.formula == "t<sub>floor</sub> = (W + C × L × kv) ÷ BW"
    assert [(i.name, i.id) for i in one.inputs][:2] == [
        ("weight bytes a step", f"series~weight_bytes_per_step~{BASELINE}"),
        ("concurrency", f"level~concurrency~{BASELINE}~c8"),
    ]
    assert (one.origin, one.rests_on) == ("derived", "transcribed")


def test_everything_a_number_rests_on_is_there_too() -> None:
    found = behind(FLOOR)
    inputs = {one.id for derivation in found.values() for one in derivation.inputs}
    assert inputs < set(found)
    assert "round~matmul_params" in found
    assert "round~memory_bandwidth" in found


def test_an_unknown_number_says_why() -> None:
    one = behind(Address("itl_p50", "level", COMPARED, "c64"))[f"level~itl_p50~{COMPARED}~c64"]
    assert one.reason
    assert (one.exact, one.source, one.origin) == ("", "", "")
    assert "—" in one.value


def test_a_page_that_prints_no_number_has_none_behind_it() -> None:
    assert behind() == {}


def test_only_links_of_numbers_count() -> None:
    html = '<a href="derivations.html">all</a> href=&#34;derivations.html#level~x&#34;'
    assert derivations_behind([html], printer()) == []


def test_a_link_to_a_number_that_is_not_there_is_a_defect() -> None:
    with pytest.raises(KeyError):
        derivations_behind(['<a href="derivations.html#level~no_such">1</a>'], printer())


def test_a_place_is_a_level_a_series_or_the_round() -> None:
    print_ = printer("zh", small_analysis())
    assert place(Address("memory_bandwidth", "round"), print_) == "整轮"
    assert place(Address("slots", "series", BASELINE), print_) == '<span class="series s0">vLLM BF16</span>'
    assert place(ITL, print_).endswith('</span> <span class="level">C=8</span>')
