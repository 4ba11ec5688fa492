"""What a section is made of, free of HTML: paragraphs, cards, tables, ledgers, figures, findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.findings import Finding
from generator.sentence import Part, Quantity, Sentence, SeriesName


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two of running text."""

    sentence: Sentence
    kind: Literal["text", "lead", "callout", "note", "caution"] = "text"
    """A caution stands before all else, also before what the authors wrote."""


@dataclass(frozen=True, slots=True)
class Subheading:
    """A heading below the section's own."""

    key: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Card:
    """A key number: what it is, the number, and what to hold it against."""

    label: Sentence
    number: Part
    context: Sentence


@dataclass(frozen=True, slots=True)
class Cards:
    """A row of key numbers under the name of what they are of."""

    heading: Sentence
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A figure, by its key."""

    key: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a table column; the unit stands here and not in each cell."""

    label: Sentence
    unit: str = ""
    is_text: bool = False
    """Its cells are words or ranges, which wrap and stand to the left."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; ``spoilt`` says why conclusions leave it out."""

    cells: tuple[Part, ...]
    spoilt: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row is its head."""

    key: str
    caption: Sentence
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of arithmetic; label, expression and value come from the metric graph.

    ``series`` names whose number it is where the group does not say; a sum has a rule above it.
    """

    quantity: Quantity
    series: SeriesName | None = None
    note: Sentence | None = None
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class LedgerGroup:
    """Lines of a ledger under one heading."""

    heading: Sentence
    lines: tuple[LedgerLine, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Arithmetic set as such: aligned columns of label, expression and value."""

    key: str
    caption: Sentence
    groups: tuple[LedgerGroup, ...]


@dataclass(frozen=True, slots=True)
class FindingSummary:
    """What failed or warned, in a sentence each; how many there are of the rest; what could not be checked."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FindingList:
    """What the checks noted, in a sentence each, and the way to all that they said."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What was compared: label and value pairs."""

    facts: tuple[tuple[Sentence, Sentence], ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The life of a request, from sending it to its last token; ``gaps`` says how many gaps its decode has."""

    gaps: Sentence


@dataclass(frozen=True, slots=True)
class Steps:
    """A list of things to do under a line that says what they serve; ``more`` are of less weight, and unfold."""

    heading: Sentence
    steps: tuple[Sentence, ...]
    more: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Folded:
    """A table of less weight, which unfolds below a line that says what it holds."""

    summary: Sentence
    table: Table


Block = (
    Paragraph
    | Subheading
    | Cards
    | FigureBlock
    | Table
    | Ledger
    | FindingSummary
    | FindingList
    | Facts
    | Timeline
    | Steps
    | Folded
)
