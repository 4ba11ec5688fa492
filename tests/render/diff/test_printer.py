from __future__ import annotations

from generator.render.diff.printer import diff_printer, of_round
from generator.told.sentence import LevelName, Quantity, SeriesName
from generator.values import Address
from tests.comparing.two_rounds import analysed
from tests.support.memory_round import GRAPH

BASE = analysed({"c8": {"itl_p50": (0.010,)}}, name="one")
HEAD = analysed({"c8": {"itl_p50": (0.012,)}, "c32": {"itl_p50": (0.02,)}}, name="other")
PRINTER = diff_printer(BASE, HEAD, GRAPH, "en")


def test_series_and_levels_of_both_rounds_have_names() -> None:
    assert PRINTER.plain(SeriesName("a")) == "a"
    assert PRINTER.plain(LevelName("a", "c32")) == "C=32"
    assert diff_printer(HEAD, BASE, GRAPH, "en").plain(LevelName("a", "c32")) == "C=32"


def test_a_series_of_one_round_is_named_with_it_and_has_the_accent_of_its_series() -> None:
    drawn = of_round("a", BASE)
    assert drawn == "a@one"
    assert PRINTER.plain(SeriesName(drawn)) == "a · one"
    assert PRINTER.accent(drawn) == PRINTER.accent("a") == 0


def test_what_is_drawn_of_each_round_keeps_its_value() -> None:
    numbers = [PRINTER.plain(Quantity(Address("itl_p50", "level", of_round("a", one), "c8"))) for one in (BASE, HEAD)]
    assert numbers == ["10.0\u202fms", "12.0\u202fms"]


def test_a_series_of_another_id_has_the_accent_and_the_levels_of_the_one_it_is_held_against() -> None:
    other = analysed({"c8": {"itl_p50": (0.012,)}, "c32": {"itl_p50": (0.02,)}}, series="b", name="other")
    printer = diff_printer(other, BASE, GRAPH, "en", {"b": "a"})
    assert printer.accent(of_round("b", other)) == printer.accent(of_round("a", BASE)) == 0
    assert diff_printer(other, BASE, GRAPH, "en").accent(of_round("b", other)) == 1
    assert printer.plain(LevelName("a", "c32")) == "C=32"  # only the base round ran it
