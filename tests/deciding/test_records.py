"""How sure several conclusions are together."""

from __future__ import annotations

from generator.deciding.records import NAMES, STANDINGS, SUREST, least_sure, surest


def test_together_they_are_as_sure_as_the_weakest() -> None:
    assert least_sure("firm", "qualitative", "leaning") == "qualitative"
    assert least_sure("open", "firm") == "open"
    assert least_sure() == "firm"


def test_one_of_them_holds_as_surely_as_the_strongest() -> None:
    assert surest("open", "leaning", "qualitative") == "leaning"
    assert surest() == "open"


def test_every_certainty_has_a_name() -> None:
    assert NAMES.keys() == set(SUREST)
    assert len({name.en for name in (*NAMES.values(), *STANDINGS.values())}) == len(NAMES) + len(STANDINGS)
