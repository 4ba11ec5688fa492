from __future__ import annotations

import re
from typing import get_args

from generator.comparing import telling
from generator.comparing.records import MethodKey, Setting
from generator.text import same
from generator.told.sentence import Count, LevelName, Listing, Sentence, SeriesName

SENTENCES = {name: one for name, one in vars(telling).items() if isinstance(one, Sentence)}


def test_every_method_says_what_it_takes_for_granted() -> None:
    assert [telling.ASSUMPTIONS[method].en[-1] for method in get_args(MethodKey)] == ["."] * len(get_args(MethodKey))


def test_no_reason_types_a_number() -> None:
    assert len(SENTENCES) > 20
    assert [name for name, one in SENTENCES.items() if re.search(r"\d", one.text.zh + one.text.en)] == []


def test_no_two_reasons_read_the_same() -> None:
    assert len({one.text.en for one in SENTENCES.values()}) == len(SENTENCES)
    assert len({one.text.zh for one in SENTENCES.values()}) == len(SENTENCES)


def test_how_much_changed_is_counted() -> None:
    assert telling.changed_at_once(3).parts == {"n": Count(3)}


def test_what_only_one_round_has_is_named() -> None:
    assert telling.one_sided_levels("r1", ["a"], ["c1"]).parts["levels"] == Listing((LevelName("a", "c1"),))
    both = telling.one_sided_levels("r1", ["a", "b"], ["c1"]).parts["series"]
    assert both == Listing((SeriesName("a"), SeriesName("b")))
    assert telling.one_sided_series("r1", ["b"]).parts == {"round": same("r1"), "series": Listing((same("b"),))}


def test_every_method_has_a_name() -> None:
    assert set(telling.METHODS) == set(get_args(MethodKey))


def test_what_differs_is_told_with_both_sides() -> None:
    setting = Setting("model.name", same("model"), "A", "B", "work")
    (one,) = telling.other_settings([setting]).parts["what"].parts  # type: ignore[union-attr]
    assert one.parts == {"title": same("model"), "base": same("A"), "head": same("B")}  # type: ignore[union-attr]
