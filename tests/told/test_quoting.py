"""Short ways to quote."""

from __future__ import annotations

from generator.text import Text, same
from generator.told.quoting import FURTHEST_OFF, LONGEST, clipped, joined, passage, series_names, worst_of
from generator.told.sentence import LevelName, Listing, SeriesName, say

TOLD = say(zh="一对二", en="one against two")
C8 = LevelName("s", "c8")


def test_the_worst_of_several_levels_is_named() -> None:
    told = worst_of(TOLD, FURTHEST_OFF, C8, one_of_several=True)

    assert told.text == FURTHEST_OFF
    assert told.parts == {"level": C8, "told": TOLD}


def test_the_only_level_is_not_named_again() -> None:
    assert worst_of(TOLD, FURTHEST_OFF, C8, one_of_several=False) == TOLD


def test_a_long_text_of_a_file_is_cut() -> None:
    assert clipped("x" * LONGEST) == same("x" * 60)
    assert clipped("x" * (LONGEST + 1)) == same("x" * 60 + "…")


def test_clauses_are_parted_as_each_language_does() -> None:
    two = (TOLD, say(zh="三对四", en="three against four"))

    assert joined(two).text == Text(zh="{s0}；{s1}", en="{s0}; {s1}")
    assert joined(two, Text(zh="，", en=", ")).text == Text(zh="{s0}，{s1}", en="{s0}, {s1}")
    assert passage(*two).text == Text(zh="{s0}{s1}", en="{s0} {s1}")
    assert list(joined(two).parts.values()) == list(two)


def test_series_are_listed_by_name() -> None:
    assert series_names(("a", "b")) == Listing((SeriesName("a"), SeriesName("b")))
