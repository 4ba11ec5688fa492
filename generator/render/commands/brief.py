"""The first thing that a sentence says, for a list in which each finding has one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from generator.text import Lang, Text
from generator.told.sentence import Sentence

ENDS: Final[dict[Lang, re.Pattern[str]]] = {"zh": re.compile(r"[。；]"), "en": re.compile(r"[.;](?=\s|$)")}
STOPS: Final[dict[Lang, str]] = {"zh": "。", "en": "."}
ROW: Final = re.compile(r"\{(\w+)\}(?:\s*\{\w+\})*")
"""A text that is nothing but sentences one behind the other."""
SLOT: Final = re.compile(r"\{(\w+)\}")


def first_clause(sentence: Sentence) -> Sentence:
    """Return a sentence up to its first full stop or semicolon, whichever leaves the same values in both languages.

    Of sentences in a row it is the first one's. What has no such place is returned whole.
    """
    row = ROW.fullmatch(sentence.text.en)
    first = sentence.parts.get(row[1]) if row else None
    if isinstance(first, Sentence):
        return first_clause(first)
    for zh, en in product(_beginnings(sentence.text, "zh"), _beginnings(sentence.text, "en")):
        named = set(SLOT.findall(zh))
        if named == set(SLOT.findall(en)):
            return Sentence(Text(zh=zh, en=en), {name: sentence.parts[name] for name in named})
    return sentence


def _beginnings(text: Text, lang: Lang) -> Iterator[str]:
    """Yield what stands before each stop of a text, the shortest first, with a full stop behind it."""
    return (text[lang][: found.start()] + STOPS[lang] for found in ENDS[lang].finditer(text[lang]))
