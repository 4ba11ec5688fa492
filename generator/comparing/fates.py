"""What became of the flaws of a round: what its checks found, held against what the same checks find in the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from generator.findings import GRAVE, SEVERITY, Finding
from generator.frame import Analysis
from generator.kinds import Better, Metric
from generator.values import Address

Fate = Literal["worsened", "still", "unchecked", "new", "first_seen", "improved", "resolved"]
FATES: Final[tuple[Fate, ...]] = ("worsened", "new", "first_seen", "still", "unchecked", "improved", "resolved")
"""In the order in which a reader should meet them."""

Key = tuple[str, str | None]
"""A check, and the series that it speaks of."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """What one check says of one series in both rounds.

    Attributes:
        base: the gravest finding there; None where the check says nothing of that series.
        head: the same of the other round.
    """

    check: str
    series: str | None
    fate: Fate
    base: Finding | None
    head: Finding | None


def flaws(base: Analysis, head: Analysis, declared: Mapping[str, Metric]) -> tuple[Flaw, ...]:
    """Return what failed or warned in either round, with what became of it.

    What can no longer be checked is not resolved, and what could not be checked before is not new. Of a series that
    one round alone has, nothing is said.

    Args:
        base: the earlier round.
        head: the later one.
        declared: metric -> its declaration, for the direction that is better.
    """
    before, after = _gravest(base.findings), _gravest(head.findings)
    ids = [{one.id for one in side.round.series} for side in (base, head)]
    shared = {None, *(ids[0] & ids[1])}
    better = {metric: known.better for metric, known in declared.items()}
    found = []
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if key[1] in shared and (_is_grave(one) or _is_grave(other)):
            found.append(Flaw(*key, _fate(one, other, _moves(one, other, base, head, better)), one, other))
    return tuple(sorted(found, key=lambda flaw: FATES.index(flaw.fate)))


def _gravest(findings: Iterable[Finding]) -> dict[Key, Finding]:
    found: dict[Key, Finding] = {}
    for one in sorted(findings, key=lambda one: SEVERITY.index(one.status)):
        found.setdefault((one.check, one.series), one)
    return found


def _is_grave(finding: Finding | None) -> bool:
    return finding is not None and finding.status in GRAVE


def _is_told(finding: Finding) -> bool:
    """Say whether a check came to a conclusion; that there was nothing to look at is none."""
    return finding.status != "unknown" and not finding.is_empty


def _fate(base: Finding | None, head: Finding | None, moves: set[Better | None]) -> Fate:
    if base is None or not _is_told(base):
        return "first_seen"
    if head is None or not _is_told(head):
        return "unchecked"
    if base.status == head.status:
        return "still" if len(moves) != 1 else "improved" if moves == {"higher"} else "worsened"
    if SEVERITY.index(head.status) < SEVERITY.index(base.status):
        return "new" if base.status == "pass" else "worsened"
    return "resolved" if head.status == "pass" else "improved"


def _moves(
    base: Finding | None, head: Finding | None, before: Analysis, after: Analysis, better: Mapping[str, Better | None]
) -> set[Better | None]:
    """Return which ways the evidence that both findings rest on went: ``higher`` where for the better."""
    if base is None or head is None:
        return set()
    known = set(head.evidence)
    shared = (address for address in base.evidence if address in known)
    return set(_directions(shared, before, after, better))


def _directions(
    shared: Iterable[Address], before: Analysis, after: Analysis, better: Mapping[str, Better | None]
) -> Iterator[Better]:
    for address in shared:
        one, other = (side.frame.values.get(address) for side in (before, after))
        direction = better.get(address.metric)
        if one is None or other is None or direction is None or one.value is None or other.value is None:
            continue
        if one.value != other.value:
            yield "higher" if (other.value > one.value) == (direction == "higher") else "lower"
