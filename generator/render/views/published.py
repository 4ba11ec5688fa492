"""What was published against what the data give, as a page of its own prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from generator.analysis.claims import recomputed, stated, told, tolerated
from generator.frame import Analysis
from generator.model import NARROW_SPACE
from generator.render.wording.numbers import UNKNOWN, Printer, spaced, unit_sign
from generator.render.wording.rounding import usual_decimals, written
from generator.text import Text
from generator.told.claims import VERDICTS, Judgement, Verdict
from generator.told.findings import Status

DIGITS: Final = 2
"""Significant digits of a difference: it says how far off a statement is, not how much exactly."""

POINTS: Final = Text(zh=f"{NARROW_SPACE}个百分点", en=f"{NARROW_SPACE}pp")
LOOKS: Final[Mapping[Verdict, Status]] = {
    "contradicted": "warn",
    "rounds_differently": "note",
    "not_derivable": "unknown",
    "holds": "pass",
}
"""Each verdict looks as the status of a check that weighs as much."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One statement as the table prints it."""

    id: str
    what: Markup
    reason: str
    stated: str
    recomputed: Markup
    difference: str
    allowed: str
    """How far off the data may be, where the statement or its author says so; else empty."""
    looks: Status
    verdict: str
    where: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many statements got a verdict."""

    looks: Status
    verdict: str
    number: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The statements that got one verdict; those that hold are folded away."""

    key: Verdict
    tally: Tally
    rows: tuple[ClaimView, ...]

    @property
    def is_folded(self) -> bool:
        """Say whether a reader has to unfold them."""
        return self.key == "holds"


@dataclass(frozen=True, slots=True)
class PublishedView:
    """The statements of a round by verdict, the gravest first."""

    groups: tuple[Judged, ...]


def published(analysis: Analysis) -> tuple[Judgement, ...]:
    """Return the statements that were published, the gravest verdicts first."""
    gravity = list(VERDICTS)
    found = [one for one in analysis.claims if one.claim.kind == "published"]
    return tuple(sorted(found, key=lambda one: gravity.index(one.verdict)))


def published_view(printer: Printer) -> PublishedView:
    """Print the published statements of a round in one language."""
    judgements = published(printer.analysis)
    found = {verdict: [one for one in judgements if one.verdict == verdict] for verdict in VERDICTS}
    return PublishedView(tuple(_judged(verdict, ones, printer) for verdict, ones in found.items() if ones))


def _judged(verdict: Verdict, judgements: Sequence[Judgement], printer: Printer) -> Judged:
    tally = Tally(LOOKS[verdict], VERDICTS[verdict][printer.lang], f"{len(judgements):,}")
    return Judged(verdict, tally, tuple(_row(one, printer) for one in judgements))


def _row(judgement: Judgement, printer: Printer) -> ClaimView:
    claim, lang = judgement.claim, printer.lang
    return ClaimView(
        id=f"claim-{claim.id}",
        what=printer.html_sentence(told(judgement)),
        reason=_words(judgement.reason, printer),
        stated=stated(judgement)[lang],
        recomputed=escape(printer.html(recomputed(judgement))),
        difference=_difference(judgement, printer),
        allowed=_allowed(judgement, printer),
        looks=LOOKS[judgement.verdict],
        verdict=VERDICTS[judgement.verdict][lang],
        where=_words(claim.source, printer),
    )


def _difference(judgement: Judgement, printer: Printer) -> str:
    """Return recomputed − stated with its sign, in the unit of both."""
    off = judgement.difference
    if off is None:
        return UNKNOWN
    sign = "+" if off > 0 else ""
    return sign + written(off, usual_decimals(off, "plain", DIGITS), printer.lang) + _unit(judgement, printer)


def _allowed(judgement: Judgement, printer: Printer) -> str:
    """Return the tolerance in the unit of the statement."""
    most = tolerated(judgement.claim)
    if most is None:
        return ""
    return written(most, usual_decimals(most, "plain", DIGITS), printer.lang) + _unit(judgement, printer)


def _unit(judgement: Judgement, printer: Printer) -> str:
    """Return the unit of a difference: of two shares, percentage points."""
    if judgement.style == "percent":
        return POINTS[printer.lang]
    return spaced(unit_sign(judgement.unit, judgement.style))


def _words(text: Text | None, printer: Printer) -> str:
    return text[printer.lang] if text is not None else ""
