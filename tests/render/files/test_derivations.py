"""The scripts of derivations: facts without language, words without numbers."""

from __future__ import annotations

import json
import re
from typing import Any

from generator.render.files.derivations import OF_PANEL, facts_script, words_script
from generator.render.views.derivation_words import words_of
from generator.render.views.derivations import facts_behind
from generator.text import Lang
from generator.told.sentence import Quantity
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.sites import RUNS

ITL = Address("itl_p50", "level", BASELINE, "c8")
FLOOR = Address("decode_floor", "level", BASELINE, "c8")
UNKNOWN = Address("itl_p50", "level", COMPARED, "c64")


def scripts(*addresses: Address, lang: Lang = "en") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the facts and the words of some numbers as their scripts hand them over."""
    print_ = printer(lang)
    facts = facts_behind([print_.html(Quantity(address)) for address in addresses], print_)
    facts_, words = facts_script(facts), words_script(facts, words_of(facts, print_), "../data/")
    return _handed(facts_, "facts"), _handed(words, "words")


def _handed(script: str, receiver: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(script.removeprefix(f"Rounds.{receiver}(").removesuffix(");\n"))
    return found


def test_a_fact_is_a_row_without_what_is_empty_at_its_end() -> None:
    facts, words = scripts(ITL)
    id_ = printer().anchors[ITL]
    # kind 0, place 0, shown, exact, origin "transcribed" (the third), rests on nothing, no inputs, file, place
    assert facts["facts"] == {
        id_: [0, 0, "16.63<small>\u202fms</small>", "16.63 ms", 3, 0, "", f"{BASELINE}/published.csv", "itl_p50"]
    }
    assert facts["kinds"] == [[0, ""]]
    assert words["origins"][3 - 1] == "transcribed"
    assert words["metrics"][0][:2] == ["itl_p50", "ITL p50"]
    assert words["facts"] == "../data/derivations.js"


def test_a_computed_one_has_its_formula_in_pieces_and_the_ids_of_its_inputs() -> None:
    facts, _ = scripts(FLOOR)
    row = facts["facts"][printer().anchors[FLOOR]]
    _, formula, *numbers = facts["kinds"][row[0]]
    assert formula.startswith("t<sub>floor</sub> = ")
    assert numbers == ["(", 0, " + ", 1, " × ", 2, ") ÷ ", 3]
    assert len(row[6].split()) == 4
    assert set(row[6].split()) <= set(facts["facts"])


def test_what_is_unknown_points_to_a_reason() -> None:
    facts, words = scripts(UNKNOWN)
    (row,) = facts["facts"].values()
    assert words["reasons"][row[9] - 1]


def test_facts_are_the_same_in_each_language_and_words_are_not() -> None:
    (facts, words), (their_facts, their_words) = scripts(FLOOR, lang="zh"), scripts(FLOOR, lang="en")
    assert facts == their_facts
    assert words.keys() == their_words.keys()
    assert (words["between"], their_words["between"]) == ("，", ", ")
    assert (words["is"], their_words["is"]) == ("：", ": ")


def test_a_panel_asks_for_all_its_phrases_and_no_other() -> None:
    panel = (RUNS.parent / "site_src/assets/panel.js").read_text(encoding="utf-8")
    assert set(re.findall(r"(?:\bt|words\.phrases)\.(\w+)", panel)) == set(OF_PANEL)
