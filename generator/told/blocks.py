"""What a section is made of, free of HTML: paragraphs, cards, tables, ledgers, figures, findings, a calculator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generator.text import Text
from generator.told.findings import Finding
from generator.told.sentence import LevelName, Part, Quantity, Sentence, SeriesName


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
    """A table; the first cell of each row is its head. ``loads`` are the requests in flight that it tells of."""

    key: str
    caption: Sentence
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    loads: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadLine:
    """What holds between some loads, with an address of its own; ``gaps`` are the requests in flight on either side."""

    key: str
    sentence: Sentence
    gaps: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ByLoad:
    """A list of what holds at which load, under a line that says what all have in common."""

    sentence: Sentence
    lines: tuple[LoadLine, ...]


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


@dataclass(frozen=True, slots=True)
class Choice:
    """A level that a calculator may run a series at: tokens a second, and what a request waits for, in seconds."""

    level: LevelName
    throughput: float
    ttft: float | None
    tpot: float | None


@dataclass(frozen=True, slots=True)
class Calculated:
    """What a calculator takes of a series, in base units; None is not known.

    Attributes:
        series: which one it is.
        startup: its cold start, in seconds.
        choices: the levels it may run at.
        answer_tokens: output tokens of a request.
        output_share: output ÷ all tokens.
        energy: joules an output token.
        prices: its price an hour in each scenario, in their order.
    """

    series: SeriesName
    startup: float | None
    choices: tuple[Choice, ...]
    answer_tokens: float | None
    output_share: float | None
    energy: float | None
    prices: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Preset:
    """A scenario that a calculator begins with, or goes back to: its inputs by their names in round.toml."""

    name: Text
    inputs: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Calculator:
    """What a start and a million tokens cost for inputs of the reader's own.

    Attributes:
        key: its id on the page.
        series: what it calculates for.
        presets: scenarios to begin with; ``first`` is the number of the one that it shows at first.
        threshold: tokens of a life ÷ those of a start from which the start does not matter.
        ttft: the statistic of the TTFT that levels are chosen by; ``tpot`` that of the time per token.
        currency: that of the round; None where it declares none.
        baseline: the series that the others are compared with.
    """

    key: str
    series: tuple[Calculated, ...]
    presets: tuple[Preset, ...]
    first: int
    threshold: float
    ttft: Text
    tpot: Text
    currency: str | None = None
    baseline: SeriesName | None = None


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
    | ByLoad
    | Folded
    | Calculator
)
