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
        return Text(zh=fitted(self.zh, zh).format(**zh), en=self.en.format(**_in_language(parts, "en")))

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
