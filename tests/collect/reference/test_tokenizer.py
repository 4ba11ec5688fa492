from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.reference.tokenizer import FIRST_WORD, VOCABULARY, WORDS, detokenize, tokenize, word


def test_a_word_of_the_list_is_a_token_and_anything_else_is_bytes() -> None:
    # " the" is the first word; "x" is byte 120; "é" is the bytes 195 and 169
    assert tokenize(" thexé") == [FIRST_WORD, 120, 195, 169]


def test_the_longest_word_is_taken() -> None:
    assert tokenize(" then") == [FIRST_WORD + WORDS.index(" then")]


def test_no_word_is_there_twice() -> None:
    assert len(set(WORDS)) == len(WORDS) == VOCABULARY - 256


@given(st.text())
def test_text_comes_back_as_it_was(text: str) -> None:
    assert detokenize(tokenize(text)) == text


@given(st.lists(st.integers(FIRST_WORD, VOCABULARY - 1)))
def test_ids_of_words_come_back_as_they_were(ids: list[int]) -> None:
    assert tokenize(detokenize(ids)) == ids


def test_a_lone_surrogate_is_no_text() -> None:
    assert tokenize("\ud800") == [ord("?")]


def test_bytes_that_are_no_text_are_marked() -> None:
    assert detokenize([255]) == "\ufffd"


def test_an_id_that_there_is_not() -> None:
    with pytest.raises(IndexError):
        detokenize([VOCABULARY])


def test_answers_begin_at_different_words() -> None:
    assert word(0, 0) == WORDS[0]
    assert word(1, 2) == WORDS[9]  # 7 × 1 + 2
