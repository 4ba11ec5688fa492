"""The first clause of a sentence, with the same values in both languages."""

from __future__ import annotations

import pytest

from generator.render.commands.brief import first_clause
from generator.told.quoting import passage
from generator.told.sentence import Count, Sentence, say

ONE, TWO = Count(1), Count(2)


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        pytest.param(
            say("甲 {a}。乙 {b}。", "A {a}. B {b}.", a=ONE, b=TWO), say("甲 {a}。", "A {a}.", a=ONE), id="two"
        ),
        pytest.param(say("甲 {a}；乙。", "A {a}; b.", a=ONE), say("甲 {a}。", "A {a}.", a=ONE), id="semicolon"),
        pytest.param(say("甲 {a}。", "A 1.5 {a}.", a=ONE), say("甲 {a}。", "A 1.5 {a}.", a=ONE), id="one"),
        pytest.param(say("没有句号", "without a stop"), say("没有句号", "without a stop"), id="none"),
        pytest.param(
            say("甲 {a}，乙 {b}。丙。", "A {a}. B {b}. C.", a=ONE, b=TWO),
            say("甲 {a}，乙 {b}。", "A {a}. B {b}.", a=ONE, b=TWO),
            id="the languages stop elsewhere",
        ),
        pytest.param(
            passage(say("甲。乙。", "A. B."), say("丙。", "C.")), say("甲。", "A."), id="sentences one behind the other"
        ),
    ],
)
def test_a_sentence_ends_at_its_first_stop(sentence: Sentence, first: Sentence) -> None:
    assert first_clause(sentence) == first
