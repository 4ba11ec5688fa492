"""Phrases in both languages, kept beside the thing they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Lang = Literal["zh", "en"]
LANGS: Final[tuple[Lang, Lang]] = ("zh", "en")


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
        return Text(zh=self.zh.format(**_in_language(parts, "zh")), en=self.en.format(**_in_language(parts, "en")))

    def as_dict(self) -> dict[Lang, str]:
        """Return both languages, as report.json writes them."""
        return {"zh": self.zh, "en": self.en}


def same(phrase: str) -> Text:
    """Return a phrase that reads the same in both languages: a name, a unit, a term of art."""
    return Text(zh=phrase, en=phrase)


def _in_language(parts: dict[str, object], lang: Lang) -> dict[str, object]:
    return {name: part[lang] if isinstance(part, Text) else part for name, part in parts.items()}
