"""The words that readers stumble over: each told once, in both languages, and linked to metrics that exist."""

from __future__ import annotations

import re
from typing import Final

import pytest

from generator.terms import TOPICS, Term
from generator.text import LANGS
from tests.support.telling import catalogue

TERMS: Final = [term for topic in TOPICS for term in topic.terms]
HAN: Final = re.compile(r"[\u3400-\u9fff]")
METRICS: Final = {key for key, _ in catalogue().graph.metrics}


def test_each_word_is_told_once() -> None:
    for names in ([term.key for term in TERMS], *([term.title[lang] for term in TERMS] for lang in LANGS)):
        assert len(names) == len(set(names))
    assert sum(topic.size for topic in TOPICS) == len(TERMS) >= 30


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_a_word_is_explained_in_both_languages(term: Term) -> None:
    assert HAN.search(term.meaning.zh)
    assert not HAN.search(term.meaning.en + term.title.en)
    assert term.meaning.zh.endswith("。")
    assert term.meaning.en.endswith(".")


def test_a_fall_that_excludes_a_level_is_told_as_the_check_counts_it() -> None:
    (term,) = (one for one in TERMS if one.key == "excluded_level")
    rule = catalogue().checks["non_monotonic_throughput"].rule

    assert rule is not None
    for said in (term.meaning, rule):
        assert "低 2% 以上" in said.zh
        assert "more than 2% less" in said.en


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_the_metrics_of_a_word_exist(term: Term) -> None:
    assert set(term.see) - METRICS == set()
