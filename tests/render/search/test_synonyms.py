"""Words of one meaning, as data."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.render.search.synonyms import DEVICES, SYNONYMS


def test_a_word_has_one_meaning() -> None:
    words = Counter(word.lower() for group in SYNONYMS for word in group)
    assert [word for word, number in words.items() if number > 1] == []


def test_a_group_has_several_words_and_none_is_bare() -> None:
    assert all(len(group) > 1 for group in SYNONYMS)
    assert [word for group in SYNONYMS for word in group if word != " ".join(word.split()) or not word] == []


def test_a_word_stands_for_one_kind_of_device_and_what_means_the_same_does_too() -> None:
    kinds = {word.lower(): kind for kind, words in DEVICES.items() for word in words}
    assert len(kinds) == sum(map(len, DEVICES.values()))
    of_one_meaning = [{kinds.get(word.lower()) for word in group} for group in SYNONYMS]
    assert [kinds for kinds in of_one_meaning if len(kinds) > 1] == []


@pytest.mark.parametrize(
    ("typed", "said"),
    [("延迟", "时延"), ("吞吐量", "吞吐"), ("首字延迟", "TTFT"), ("预填充", "prefill"), ("解码", "decode"),
     ("显卡", "GPU"), ("time to first token", "TTFT"), ("citation", "引用"), ("context window", "上下文")],
)  # fmt: skip
def test_what_engineers_type_is_known_by_what_the_site_says(typed: str, said: str) -> None:
    assert [group for group in SYNONYMS if typed in group and said in group] != []
