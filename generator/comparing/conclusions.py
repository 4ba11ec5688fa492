"""What both rounds conclude of a series against its baseline, side by side: no test fits it, and none is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.claims import Judgement
from generator.frame import Analysis
from generator.values import Address

CONCLUDED: Final = (
    "crossover_concurrency", "crossover_concurrency_itl_p50", "crossover_concurrency_equal_tokens", "measured_speedup",
    "predicted_speedup",
)  # fmt: skip
"""Metrics of pairs. Each rests on several levels and on both series: what moved it cannot be told from the number."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A conclusion in one round: what its data give, else what its authors stated.

    ``value`` is in base units; where both are None the round says nothing of it.
    """

    value: float | None = None
    claim: Judgement | None = None


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One number of a series against the baseline, in both rounds."""

    address: Address
    base: Stated
    head: Stated

    @property
    def ratio(self) -> float | None:
        """Return head ÷ base, where the data of both give it."""
        before, after = self.base.value, self.head.value
        return None if not before or after is None else after / before


def conclusions(base: Analysis, head: Analysis) -> tuple[Conclusion, ...]:
    """Return the conclusions of pairs that both rounds have: the same series against the same baseline."""
    if base.round.file.round.baseline != head.round.file.round.baseline:
        return ()
    shared = [one.id for one in base.round.compared if one.id in {other.id for other in head.round.compared}]
    addresses = [Address(metric, "pair", series) for series in shared for metric in CONCLUDED]
    found = (Conclusion(one, _stated(base, one), _stated(head, one)) for one in addresses)
    return tuple(one for one in found if one.base != Stated() and one.head != Stated())


def _stated(analysis: Analysis, address: Address) -> Stated:
    value = analysis.frame.values.get(address)
    if value is not None and value.value is not None:
        return Stated(value.value)
    claims = (
        one
        for one in analysis.claims
        if (one.claim.metric, one.claim.series, one.claim.level) == (address.metric, address.series, None)
        and one.claim.stated is not None
        and one.claim.kind == "published"
    )
    return Stated(claim=next(claims, None))
