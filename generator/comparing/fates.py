"""What became of the flaws of a round: what its checks found, compared with what the same checks find in the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from generator.comparing.pairing import SAME_IDS, Pairs, paired
from generator.frame import Analysis
from generator.kinds import Better, Metric
from generator.machines.comparing import compare, facts_of
from generator.machines.fact_kinds import Kind
from generator.told.findings import GRAVE, SEVERITY, Finding
from generator.values import Address

Fate = Literal["worsened", "still", "unchecked", "partly", "new", "first_seen", "improved", "resolved"]
FATES: Final[tuple[Fate, ...]] = (
    "worsened", "new", "first_seen", "still", "unchecked", "partly", "improved", "resolved",
)  # fmt: skip
"""In the order in which a reader should meet them; ``partly``: the head round has a finding, but lacks
part of what that of the base rests on."""

OF_FACTS: Final[Mapping[str, Collection[Kind]]] = {"same_machine": ("machine", "software")}
"""Checks that rest on facts, not on values -> the kinds of these."""

EVIDENCE: Final[Mapping[str, Better]] = {"requests": "higher", "completed": "higher"}
"""Metrics of which more is better to rest a finding on, though it is no merit of a round."""
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

    @property
    def is_of_base(self) -> bool:
        """Say whether it is a flaw of the base round; else the head round alone has it."""
        return _is_grave(self.base)


def flaws(base: Analysis, head: Analysis, declared: Mapping[str, Metric], named: Pairs = SAME_IDS) -> tuple[Flaw, ...]:
    """Return what failed or warned in either round, with what became of it.

    What can no longer be checked is not resolved, and what could not be checked before is not new. Of a series that
    one round alone has, nothing is said.

    Args:
        base: the earlier round.
        head: the later one.
        declared: metric -> its declaration, for the direction that is better.
        named: series of the base round -> those of another id in the head round that they are compared with.
    """
    held = dict(paired([one.id for one in base.round.series], [one.id for one in head.round.series], named))
    before, after = _gravest(base.findings, held), _gravest(head.findings, {one: one for one in held.values()})
    better = {**{metric: known.better for metric, known in declared.items()}, **EVIDENCE}
    found = []
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if _is_grave(one) or _is_grave(other):
            shared = _shared(one, other, held)
            moves = set(_directions(shared, (base, head), better))
            fate = _fate(one, other, moves, _further(one, other, len(shared)))
            if fate == "resolved" and not _looked_at_the_same(key[0], base, head):
                fate = "partly"
            found.append(Flaw(*key, fate, one, other))
    return tuple(sorted(found, key=lambda flaw: FATES.index(flaw.fate)))


def _gravest(findings: Iterable[Finding], held: Mapping[str, str]) -> dict[Key, Finding]:
    """Return the gravest finding of each check and series, of the series that are compared with others by their id."""
    found: dict[Key, Finding] = {}
    for one in sorted(findings, key=lambda one: SEVERITY.index(one.status)):
        if one.series is None or one.series in held:
            found.setdefault((one.check, None if one.series is None else held[one.series]), one)
    return found


def _is_grave(finding: Finding | None) -> bool:
    return finding is not None and finding.status in GRAVE


def _is_told(finding: Finding) -> bool:
    """Say whether a check came to a conclusion; that there was nothing to look at is none."""
    return finding.status != "unknown" and not finding.is_empty


def _fate(base: Finding | None, head: Finding | None, moves: set[Better | None], further: tuple[bool, bool]) -> Fate:
    """Return what became of a finding.

    Where it is graver though no number of both rounds went for the worse, what is graver is what the base round lacks;
    the other way round, what it found there can no longer be seen.
    """
    if base is None or not _is_told(base):
        return "first_seen"
    if head is None or not _is_told(head):
        return "unchecked"
    if base.status == head.status:
        return "improved" if moves == {"higher"} else "worsened" if moves == {"lower"} else "still"
    if SEVERITY.index(head.status) < SEVERITY.index(base.status):
        elsewhere: Fate = "first_seen" if further[1] and moves <= {"higher"} else "worsened"
        return "new" if base.status == "pass" else elsewhere
    unseen: Fate = "partly" if further[0] and moves <= {"lower"} else "improved"
    return "resolved" if head.status == "pass" else unseen


def _looked_at_the_same(check: str, base: Analysis, head: Analysis) -> bool:
    """Say whether a check of facts could see in the head round what differed in the base round."""
    kinds = OF_FACTS.get(check)
    if kinds is None:
        return True
    differed = {one.path for one in compare(facts_of(base.round.machines), kinds) if one.differs}
    known = {one.path for one in compare(facts_of(head.round.machines), kinds) if len(one.texts) > 1}
    return differed <= known


def _shared(base: Finding | None, head: Finding | None, held: Mapping[str, str]) -> list[tuple[Address, Address]]:
    """Return the evidence that both findings rest on, as either round names it."""
    if base is None or head is None:
        return []
    known = set(head.evidence)
    both = ((one, one._replace(series=held.get(one.series or "", one.series))) for one in base.evidence)
    return [(one, other) for one, other in both if other in known]


def _further(base: Finding | None, head: Finding | None, shared: int) -> tuple[bool, bool]:
    """Say of either finding whether it rests on more than what it shares with the other, if it shares anything."""
    counts = [0 if one is None else len(one.evidence) for one in (base, head)]
    return counts[0] > shared > 0, counts[1] > shared > 0


def _directions(
    shared: Iterable[tuple[Address, Address]],
    sides: tuple[Analysis, Analysis],
    better: Mapping[str, Better | None],
) -> Iterator[Better | None]:
    """Yield which ways values went: ``higher`` where for the better, None where neither way is."""
    for addresses in shared:
        one, other = (side.frame.values.get(address) for side, address in zip(sides, addresses, strict=True))
        direction = better.get(addresses[1].metric)
        if one is None or other is None or one.value is None or other.value is None or one.value == other.value:
            continue
        if direction is None:
            yield None
        else:
            yield "higher" if (other.value > one.value) == (direction == "higher") else "lower"
