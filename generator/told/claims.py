"""Statements about a round that its data can be compared with: published afterwards, or written down beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from generator.text import Text
from generator.told.sentence import Style
from generator.values import Address

Kind = Literal["published", "expectation"]
Op = Literal["=", "<", "<=", ">", ">=", "about"]
Verdict = Literal["holds", "rounds_differently", "contradicted", "not_derivable"]

PERCENT: Final = "%"
"""The unit of a ratio that is stated in hundredths."""

VERDICTS: Final[dict[Verdict, Text]] = {
    "contradicted": Text(zh="✗ 不符", en="✗ contradicted"),
    "rounds_differently": Text(zh="≈ 舍入不同", en="≈ rounds differently"),
    "not_derivable": Text(zh="? 无从推导", en="? not derivable"),
    "holds": Text(zh="✓ 成立", en="✓ holds"),
}
"""What a reader is told of each, the gravest first: a sign and a word, so that no colour has to say it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement, as its author wrote it.

    Attributes:
        metric: what it is a statement of; None where no metric says that, and then there is a reason.
        stated: the number with the digits that were written; None where none was.
        unit: the unit of the number; None is the metric's own.
        tolerance: how far the data may be off, in that unit; None is half of the last digit written.
        text: the statement in words, which may quote ``{stated}``, ``{series}`` and ``{level}``; None where the metric
            says it all.
        source: where it stands.
        reason: why it cannot be derived from the data.
    """

    id: str
    kind: Kind = "published"
    metric: str | None = None
    series: str | None = None
    level: str | None = None
    basis: str | None = None
    op: Op = "="
    stated: Decimal | None = None
    unit: str | None = None
    tolerance: Decimal | None = None
    text: Text | None = None
    source: Text | None = None
    reason: Text | None = None

    @property
    def decimals(self) -> int:
        """Return how many decimals were written."""
        exponent = self.stated.as_tuple().exponent if self.stated is not None else 0
        return max(0, -exponent) if isinstance(exponent, int) else 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim beside what the data say.

    Attributes:
        title: the metric's; None where the claim names none.
        unit: the unit of both numbers.
        style: how both are printed.
        address: what the recomputed number is the value of; None where there is none.
        recomputed: the number in that unit, unrounded; None where it cannot be known.
        reason: why not.
    """

    claim: Claim
    verdict: Verdict
    title: Text | None = None
    unit: str = "1"
    style: Style = "plain"
    address: Address | None = None
    recomputed: Decimal | None = None
    reason: Text | None = None

    @property
    def difference(self) -> Decimal | None:
        """Return recomputed − stated, in the unit of both; None where either is not known."""
        if self.recomputed is None or self.claim.stated is None:
            return None
        return self.recomputed - self.claim.stated
