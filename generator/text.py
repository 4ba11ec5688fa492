"""Phrases in both languages, kept beside the thing they name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Lang = Literal["zh", "en"]
LANGS: Final[tuple[Lang, Lang]] = ("zh", "en")
TAGS: Final[Mapping[Lang, str]] = {"zh": "zh-CN", "en": "en"}
"""What the web calls each language."""

SLOT: Final = re.compile(r"(?P<lead> ?)\{(?P<name>\w+)\}(?P<trail> ?)")
TAG: Final = re.compile(r"<[^>]*>")
HAN: Final = re.compile("[\u3400-\u9fff]")
FULL: Final = frozenset("，。；：？、（）“”")
LATIN: Final = re.compile("[A-Za-z0-9%]")
CHOICE: Final = re.compile(r"\{(?P<name>\w+):(?P<one>[^{}|]*)\|(?P<many>[^{}|]*)\}")
"""In an English phrase, words that agree with how many there are: ``{n} {n:row is|rows are}``."""


@dataclass(frozen=True, slots=True)
class Text:
    """One phrase, natural in Chinese and in English."""

    zh: str
    en: str

    def __getitem__(self, lang: Lang) -> str:
        """Return the phrase in one language."""
        return self.zh if lang == "zh" else self.en

    def format(self, **parts: object) -> Text:
        """Fill ``{name}`` in both languages; a part that is itself a Text gives its own language."""
        zh = _in_language(parts, "zh")
        return Text(zh=fitted(self.zh, zh).format(**zh), en=counted(self.en, **_in_language(parts, "en")))

    def as_dict(self) -> dict[Lang, str]:
        """Return both languages, as report.json writes them."""
        return {"zh": self.zh, "en": self.en}


def same(phrase: str) -> Text:
    """Return a phrase that reads the same in both languages: a name, a unit, a term of art."""
    return Text(zh=phrase, en=phrase)


def fitted(text: str, parts: Mapping[str, object]) -> str:
    """Return a Chinese text whose placeholders have the spaces that what will fill them asks for.

    A Han character has a space to a Latin one, and none to another Han character or to full-width punctuation. A part
    may be HTML: its tags are not seen.
    """

    def slot(found: re.Match[str]) -> str:
        part = TAG.sub("", str(parts.get(found["name"], "")))
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        lead = _gap(before, part[:1], found["lead"])
        return f"{lead}{{{found['name']}}}{_gap(part[-1:], after, found['trail'])}"

    return SLOT.sub(slot, text)


def counted(text: str, /, **parts: object) -> str:
    """Fill ``{name}`` in an English text, and choose the words that agree with how many there are."""
    return agreed(text, parts).format(**parts)


def agreed(text: str, parts: Mapping[str, object]) -> str:
    """Return an English text whose words agree with its numbers.

    ``{n:row is|rows are}`` is “row is” where what fills ``{n}`` is 1 as it is printed, and “rows are” for all else. A
    part may be HTML: its tags are not seen. A choice that hangs on nothing that is filled in raises KeyError: a defect.
    """
    return CHOICE.sub(lambda choice: choice["one" if TAG.sub("", str(parts[choice["name"]])) == "1" else "many"], text)


def _gap(left: str, right: str, written: str) -> str:
    """Return what stands between two characters where one of them comes from a placeholder."""
    if not left or not right:
        return written
    if FULL & {left, right} or (HAN.match(left) and HAN.match(right)):
        return ""
    is_seam = (HAN.match(left) and LATIN.match(right)) or (LATIN.match(left) and HAN.match(right))
    return " " if is_seam else written


def _in_language(parts: dict[str, object], lang: Lang) -> dict[str, object]:
    return {name: part[lang] if isinstance(part, Text) else part for name, part in parts.items()}
