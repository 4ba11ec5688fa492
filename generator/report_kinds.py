"""How reports are declared: one page a report, with the sections that tell it, and the chapter that each has to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from generator.frame import Analysis
from generator.text import Text
from generator.told.blocks import Block
from generator.told.sentence import Sentence

FRONT: Final = "comparison"
"""The report that every round has: the front page of the round."""


NOTHING: Final = Text(zh="这一轮的数据里没有它要讲的东西。", en="The data of this round hold nothing of what it tells.")


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a section has to say about one round: its heading and its blocks.

    ``lacking`` names what the round lacks where nothing but figures could tell more than why it does: a chapter of
    which none can be drawn is a word in a line.
    """

    heading: Sentence
    blocks: tuple[Block, ...]
    lacking: Text | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of a report; ``key`` is its anchor, the same in both languages.

    ``checks`` names the checks whose warnings and failures a reader should meet beside this chapter.
    """

    key: str
    tell: Callable[[Analysis], Chapter | None]
    checks: tuple[str, ...] = ()


def section(*, checks: tuple[str, ...] = ()) -> Callable[[Callable[[Analysis], Chapter | None]], Section]:
    """Declare the decorated function as a section; its name is the key; None means nothing to tell.

    Where it stands is said by the reports that name it.
    """

    def declare(tell: Callable[[Analysis], Chapter | None]) -> Section:
        return Section(tell.__name__, tell, checks)

    return declare


@dataclass(frozen=True, slots=True)
class Report:
    """A page about one round that answers one question.

    Attributes:
        key: the name of the file that declares it.
        order: where it stands among the reports of a round.
        title: what a reader calls it.
        question: what it answers, in a sentence.
        sections: what it tells, in order.
        lacks: says of a round what it would have to hold for this report, and how that is recorded; None where it
            holds it.
        continues: whether it goes on where the front page ends: their contents then stand beside one another.
        needs: the same of a round of which no section has anything to tell, whatever ``lacks`` says.
    """

    key: str
    order: int
    title: Text
    question: Text
    sections: tuple[str, ...]
    lacks: Callable[[Analysis], Text | None]
    continues: bool = False
    needs: Text = NOTHING

    @property
    def is_front(self) -> bool:
        """Say whether it is the one that a round begins with."""
        return self.key == FRONT

    @property
    def is_of_front(self) -> bool:
        """Say whether it is the front page, or goes on where that ends."""
        return self.is_front or self.continues

    @property
    def page(self) -> str:
        """Return the name of its page in the folder of a round."""
        return "index.html" if self.is_front else f"{self.key.replace('_', '-')}.html"

    @property
    def charts(self) -> str:
        """Return the name of the script that brings the page its charts."""
        return "charts.js" if self.is_front else self.page.removesuffix("html") + "charts.js"


def report(
    order: int,
    *,
    title: Text,
    question: Text,
    sections: tuple[str, ...],
    continues: bool = False,
    needs: Text = NOTHING,
) -> Callable[[Callable[[Analysis], Text | None]], Report]:
    """Declare the decorated function as a report; its name is the key, and it says what a round lacks for it."""

    def declare(lacks: Callable[[Analysis], Text | None]) -> Report:
        return Report(lacks.__name__, order, title, question, sections, lacks, continues, needs)

    return declare
