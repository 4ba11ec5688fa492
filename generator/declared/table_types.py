"""What the keys of round.toml hold: numbers within bounds, ids, and words in one language or two."""

from __future__ import annotations

import datetime
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_serializer, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from generator.text import Lang, Text, same

ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
"""Ids become folder names, anchors and CSV cells; nothing in them needs escaping or leaves the folder."""


Id = Annotated[str, Field(pattern=ID_PATTERN)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Phrase = Annotated[str, Field(min_length=1, max_length=500)]
Written = Annotated[str, Field(pattern=r"^[-+]?[0-9]{1,18}(\.[0-9]{1,12})?$")]
"""A plain decimal with all the digits that were written."""
Positive = Annotated[float, Field(gt=0, le=1e18)]
NotNegative = Annotated[float, Field(ge=0, le=1e18)]
Share = Annotated[float, Field(ge=0, le=1)]


class ObjectionError(ValueError):
    """What keys that are each right for themselves have against each other, and what to do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        """Keep both halves of the line that the user is shown."""
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


class Strict(BaseModel):
    """A table of round.toml: unknown keys, wrong types, NaN and infinity are errors.

    The texts below the keys are the manual, a line in English and one in Chinese: ``key_text`` reads them.
    """

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


def key_text(field: FieldInfo) -> Text:
    """Return what a key of a table means, in both languages.

    Raises:
        ValueError: the text below the key is not of two lines.
    """
    en, zh = (field.description or "").split("\n")
    return Text(zh=zh, en=en)


class Wording(Strict):
    """A phrase in both languages, a sentence long."""

    zh: Phrase
    """in Chinese
    中文"""
    en: Phrase
    """in English
    英文"""

    def text(self) -> Text:
        """Return it as a phrase."""
        return Text(zh=self.zh, en=self.en)


class Title(Wording):
    """A title in both languages."""

    zh: Name
    """the title in Chinese
    中文标题"""
    en: Name
    """the title in English
    英文标题"""


class Words(Wording):
    """What an author says in words: one text that reads the same in both languages, or one for each.

    It is written down again as it was given: as one text where both are the same.
    """

    @model_validator(mode="before")
    @classmethod
    def _same_in_both(cls, found: object) -> object:
        if isinstance(found, str):
            return {"zh": found, "en": found}
        if isinstance(found, dict | Words):
            return found
        raise PydanticCustomError("words_type", "text in quotes, or text for zh and for en")

    @model_serializer
    def _as_given(self) -> str | dict[Lang, str]:
        return self.en if self.zh == self.en else self.text().as_dict()


Day = datetime.date | Words
"""A day, or what is said of it where that is all one knows."""


def said_of(day: Day) -> Text:
    """Return a day as a reader is told it."""
    return day.text() if isinstance(day, Words) else same(day.isoformat())
