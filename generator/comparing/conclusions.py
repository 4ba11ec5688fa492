"""What both rounds conclude of a series against its baseline, side by side: no test fits it, and none is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.comparing.pairing import SAME_IDS, Pairs, paired
from generator.frame import Analysis, shared_levels
from generator.model import Level
from generator.told.claims import Judgement
from generator.values import Address

CONCLUDED: Final = (
    "crossover_concurrency", "crossover_concurrency_itl_p50", "crossover_concurrency_equal_tokens", "measured_speedup",
    "predicted_speedup",
)  # fmt: skip
"""Metrics of pairs. Each rests on several levels and on both series: what moved it cannot be told from the number."""
OF_LOAD: Final = "crossover_concurrency"
"""How the names of those begin that are a place on the axis of loads."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A conclusion in one round: what its data give, else what its authors stated.

    Attributes:
        value: in base units.
        claim: the statement, where the data give none; where both are None the round says nothing of it.
        between: the levels on either side of a crossover: how finely the round could see it.
    """

    value: float | None = None
    claim: Judgement | None = None
    between: tuple[Level, Level] | None = None


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One number of a series against the baseline, in both rounds; it may have another address in the base round."""

    address: Address
    base_address: Address
    base: Stated
    head: Stated

    @property
    def is_load(self) -> bool:
        """Say whether it is a place on the axis of loads."""
        return self.address.metric.startswith(OF_LOAD)

    @property
    def ratio(self) -> float | None:
        """Return head ÷ base, where the data of both give it."""
        before, after = self.base.value, self.head.value
        return None if not before or after is None else after / before


def conclusions(base: Analysis, head: Analysis, named: Pairs = SAME_IDS) -> tuple[Conclusion, ...]:
    """Return the conclusions of pairs that both rounds have: the same series against the same baseline.

    Args:
        base: the one round.
        head: the other one.
        named: series of the base round -> those of another id in the head round that they are compared with.
    """
    before, after = (side.round.file.round.baseline for side in (base, head))
    held = paired([one.id for one in base.round.series], [one.id for one in head.round.series], named)
    if (before, after) not in [*held, (None, None)]:
        return ()
    sides = [{one.id for one in side.round.compared} for side in (base, head)]
    shared = [(one, other) for one, other in held if one in sides[0] and other in sides[1]]
    found = (_conclusion(base, head, metric, two) for two in shared for metric in CONCLUDED)
    return tuple(one for one in found if one.base != Stated() and one.head != Stated())


def _conclusion(base: Analysis, head: Analysis, metric: str, series: tuple[str, str]) -> Conclusion:
    before, after = (Address(metric, "pair", one) for one in series)
    return Conclusion(after, before, _stated(base, before), _stated(head, after))


def _stated(analysis: Analysis, address: Address) -> Stated:
    value = analysis.frame.values.get(address)
    if value is not None and value.value is not None:
        return Stated(value.value, between=_around(analysis, address, value.value))
    claims = (
        one
        for one in analysis.claims
        if (one.claim.metric, one.claim.series, one.claim.level) == (address.metric, address.series, None)
        and one.claim.stated is not None
        and one.claim.kind == "published"
    )
    return Stated(claim=next(claims, None))


def _around(analysis: Analysis, address: Address, load: float) -> tuple[Level, Level] | None:
    """Return the nearest levels on either side of a load that both series passed; None of what is no load."""
    baseline, series = analysis.round.baseline, address.series or ""
    if baseline is None or not address.metric.startswith(OF_LOAD):
        return None
    shared = shared_levels(analysis.usable(baseline.id), analysis.usable(series))
    below, above = ([one for one in shared if is_side(one.load)] for is_side in (load.__ge__, load.__lt__))
    return (below[-1], above[0]) if below and above else None
