"""What the panel of a number says."""

from __future__ import annotations

import pytest

from generator.render.views.derivations import Fact, Facts, facts_behind, place, source_text
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.told.sentence import Quantity
from generator.values import Address, Source
from tests.support.analyses import BASELINE, COMPARED, printer, small_analysis
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import catalogue

FLOOR = Address("decode_floor", "level", BASELINE, "c8")
ITL = Address("itl_p50", "level", BASELINE, "c8")


def facts_of(*addresses: Address, lang: Lang = "en") -> Facts:
    print_ = printer(lang)
    return facts_behind(["".join(print_.html(Quantity(address)) for address in addresses)], print_)


def behind(*addresses: Address) -> dict[str, Fact]:
    """Return the derivations behind a page that prints some numbers, by their ids."""
    return {one.id: one for one in facts_of(*addresses).facts}


def id_of(address: Address) -> str:
    return printer().anchors[address]


def test_a_number_that_was_read_says_where() -> None:
    facts = facts_of(ITL)
    (one,) = facts.facts
    assert (one.origin, one.rests_on, one.inputs) == ("transcribed", None, ())
    assert one.source == Source(f"{BASELINE}/published.csv", "itl_p50")
    assert (one.shown, one.exact) == ("16.63<small>\u202fms</small>", "16.63 ms")
    assert [(kind.metric, kind.formula, kind.numbers) for kind in facts.kinds] == [(("itl_p50", None), "", ())]


def test_a_computed_number_says_how_and_from_what() -> None:
    facts = facts_of(FLOOR)
    one = next(fact for fact in facts.facts if fact.address == FLOOR)
    # (14141238272 B + 8 × (1024 + 256 ÷ 2) × 57344 B) ÷ 1008 GB/s = 14.5532942222 ms
    assert one.exact == "14.5532942222 ms"
    formula, numbers = facts.kinds[one.kind].formula, facts.kinds[one.kind].numbers
    assert formula == "t<sub>floor</sub> = (W<sub>B</sub> + C<sub>dec</sub> × KV<sub>seq</sub>) ÷ BW"
    # (input 0 + input 1 × input 2) ÷ input 3
    assert numbers == ("(", 0, " + ", 1, " × ", 2, ") ÷ ", 3)
    assert one.inputs[:2] == (
        id_of(Address("weight_bytes_read", "level", BASELINE, "c8")),
        id_of(Address("decoded_together", "level", BASELINE, "c8")),
    )
    assert (one.origin, one.rests_on) == ("derived", "transcribed")


def test_what_is_computed_alike_is_of_one_kind_and_what_stands_together_in_one_place() -> None:
    facts = facts_of(FLOOR, FLOOR._replace(level="c1"))
    first, second = (fact for fact in facts.facts if fact.address.metric == "decode_floor")
    assert first.kind == second.kind
    assert first.place != second.place
    assert facts.places[first.place].level == first.address.level


def test_the_numbers_are_the_same_in_each_language() -> None:
    assert facts_of(FLOOR, lang="zh").facts == facts_of(FLOOR, lang="en").facts


def test_everything_a_number_rests_on_is_there_too() -> None:
    found = behind(FLOOR)
    inputs = {one for fact in found.values() for one in fact.inputs}
    assert inputs < set(found)
    assert id_of(Address("matmul_params", "round")) in found
    assert id_of(Address("memory_bandwidth", "round")) in found


def test_an_unknown_number_says_why() -> None:
    facts = facts_of(Address("itl_p50", "level", COMPARED, "c64"))
    (one,) = facts.facts
    assert one.reason == 0
    assert facts.reasons[0].en
    assert (one.exact, one.source, one.origin, one.shown) == ("", None, None, "—")


def test_a_page_that_prints_no_number_has_none_behind_it() -> None:
    assert behind() == {}


def test_only_links_of_numbers_count() -> None:
    html = '<a href="how.html">all</a> href=&#34;how.html#abcde&#34;'
    assert facts_behind([html], printer()).facts == ()


def test_a_link_to_a_number_that_is_not_there_is_a_defect() -> None:
    with pytest.raises(KeyError):
        facts_behind(['<a href="how.html#no-such">1</a>'], printer())


def test_a_number_of_a_start_says_of_which() -> None:
    second = Address("cold_start_t1", "series", BASELINE, trial=2)

    assert place(second, printer("en")).striptags() == f"{place(first_of(second), printer('en')).striptags()}, start 2"
    assert place(second, printer("zh")).striptags().endswith("，第 2 次启动")


def first_of(start: Address) -> Address:
    return start._replace(trial=None)


def test_a_place_is_a_level_a_series_or_the_round() -> None:
    print_ = printer("zh", small_analysis())
    assert place(Address("memory_bandwidth", "round"), print_) == "整轮"
    assert place(Address("slots", "series", BASELINE), print_) == '<b class="s0">vLLM BF16</b>'
    assert place(ITL, print_).endswith("</b> C=8")


@pytest.mark.parametrize(
    ("place", "zh", "en"),
    [
        (
            "line 5, column itl_p50_ms",
            "a/published.csv，第 5 行，itl_p50_ms 列",
            "a/published.csv, line 5, column itl_p50_ms",
        ),
        ("memory.weights_gib", "a/published.csv，memory.weights_gib", "a/published.csv, memory.weights_gib"),
        ("line 12", "a/published.csv，第 12 行", "a/published.csv, line 12"),
        ("line 12 and 40", "a/published.csv，第 12、40 行", "a/published.csv, line 12 and 40"),
        (
            "line 12, 40, 91 and 5 more",
            "a/published.csv，第 12、40、91 行，另有 5 行",
            "a/published.csv, line 12, 40, 91 and 5 more",
        ),
        (
            "36 lines with launch_slot_",
            "a/published.csv，36 行含 launch_slot_",
            "a/published.csv, 36 lines with launch_slot_",
        ),
        ("3 of cold_start.json", "a/published.csv，3 份 cold_start.json", "a/published.csv, 3 of cold_start.json"),
    ],
)
def test_each_language_says_where_a_number_was_read(place: str, zh: str, en: str) -> None:
    source = Source("a/published.csv", place)

    assert (source_text(source, "zh"), source_text(source, "en")) == (zh, en)
    assert source_text(None, "zh") == ""


def test_a_known_number_says_what_has_to_be_kept_in_mind_of_it() -> None:
    analysis = ANALYSES["round-2"]()
    told = Printer(analysis, catalogue().graph, "en")
    page = told.html(Quantity(Address("decode_floor", "level", "llamacpp-q4_k_m", "c1")))
    facts = facts_behind([page], told)
    of = {one.address.metric: one for one in facts.facts}

    assert of["decode_floor"].exact
    assert of["decode_floor"].reason is not None
    assert "whole file" in facts.reasons[of["decode_floor"].reason].en
    assert of["memory_bandwidth"].reason is None
