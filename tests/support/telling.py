"""What is said of a round, as text: for the tests of checks, figures and sections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Final

from generator.catalogue import Catalogue, load
from generator.frame import Analysis
from generator.model import NARROW_SPACE, NO_BREAK_SPACE, Round
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.text import LANGS, Lang, Text
from generator.told.findings import Finding
from generator.told.sentence import Sentence
from tests.support.memory_round import Levels

NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


@cache
def catalogue() -> Catalogue:
    """Return all that is declared."""
    return load()


def analysed(round_: Round) -> Analysis:
    """Return a round as the program analyses it, with every check."""
    return catalogue().analyse(round_)


def found_by(check: str, round_: Round) -> list[Finding]:
    """Return what one check says of a round."""
    return [finding for finding in analysed(round_).findings if finding.check == check]


def chapter_of(section: str, analysis: Analysis) -> Chapter | None:
    """Return what one section tells of a round."""
    return catalogue().sections[section].tell(analysis)


def text_of(thing: object, analysis: Analysis, lang: Lang = "en") -> str:
    """Return every sentence of a thing, one a line, the outermost only; spaces that do not break as usual ones."""
    printer = Printer(analysis, catalogue().graph, lang)
    lines = "\n".join(printer.plain_sentence(sentence) for sentence in outer_sentences(thing))
    return lines.replace(NARROW_SPACE, " ").replace(NO_BREAK_SPACE, " ")


def said(thing: object, round_: Round) -> str:
    """Return the sentences of a thing in both languages, the Chinese ones first."""
    analysis = analysed(round_)
    return "\n".join(text_of(thing, analysis, lang) for lang in LANGS)


def outer_sentences(thing: object) -> Iterator[Sentence]:
    """Yield the sentences of a tree of blocks, plots or findings; not those that fill others."""
    if isinstance(thing, Sentence):
        yield thing
    else:
        for part in _parts(thing):
            yield from outer_sentences(part)


def all_sentences(thing: object) -> Iterator[Sentence]:
    """Yield every sentence of a tree, also those that fill others."""
    if isinstance(thing, Sentence):
        yield thing
    for part in _parts(thing):
        yield from all_sentences(part)


def _parts(thing: object) -> Iterator[object]:
    if isinstance(thing, Mapping):
        yield from thing.values()
    elif isinstance(thing, (tuple, list)):
        yield from thing
    elif is_dataclass(thing) and not isinstance(thing, Text):
        yield from (getattr(thing, field.name) for field in fields(thing))


def numbers(text: str) -> Counter[str]:
    """Return the numbers that a text prints, with how often it does."""
    return Counter(NUMBER.findall(text))


def throughputs(*amounts: float, first: float = 1) -> Levels:
    """Return a series that delivers these amounts at C = 1, 2, 4, … and of which no more is known."""
    loads = [first * 2**step for step in range(len(amounts))]
    return {
        f"c{load:g}": {"concurrency": load, "output_throughput": amount}
        for load, amount in zip(loads, amounts, strict=True)
    }
