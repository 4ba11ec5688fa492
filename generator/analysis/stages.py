"""The two stages: level values and the checks that may spoil levels, then conclusions over what is usable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.analysis.addresses import all_addresses, level_addresses, watched_addresses
from generator.analysis.claims import judge
from generator.analysis.graph import Graph
from generator.analysis.resolve import Resolver
from generator.frame import Analysis, Frame
from generator.kinds import Check
from generator.model import Round
from generator.told.findings import SEVERITY, Finding
from generator.values import Address, Value


def analyse(round_: Round, graph: Graph, checks: Sequence[Check]) -> Analysis:
    """Compute every value of a round and examine it.

    Raises:
        TypeError: a check spoils levels where it may not, or without saying that it may; a defect of the check.
    """
    first = Resolver(graph, round_)
    first.resolve(level_addresses(round_, graph))
    first.resolve(watched_addresses(round_, graph))
    seen = Analysis(round_, Frame(first.values), ())
    early = [finding for check in checks if check.stage == "levels" for finding in _examined(check, seen)]
    spoilt = {(f.series, level): f for f in early if f.series is not None for level in f.spoils}
    second = Resolver(graph, round_, frozenset(spoilt), _level_values(first))
    asked = list(all_addresses(round_, graph))
    second.resolve(asked)
    frame = Frame(_of_round(second.values, asked))
    claims = judge(round_, frame, graph)
    concluded = Analysis(round_, frame, tuple(early), spoilt, claims=claims)
    late = [finding for check in checks if check.stage == "conclusions" for finding in check.examine(concluded)]
    if any(finding.spoils for finding in late):
        raise TypeError("a check of the second stage may warn, never spoil")
    findings = sorted([*early, *late], key=lambda finding: SEVERITY.index(finding.status))
    titles = {check.key: check.title for check in checks}
    return Analysis(round_, frame, tuple(findings), spoilt, titles, claims)


def _examined(check: Check, seen: Analysis) -> Sequence[Finding]:
    """Return what a check of levels found; a level is spoilt by failures only, of checks that say so beforehand."""
    findings = check.examine(seen)
    for finding in findings:
        if finding.spoils and (finding.status != "fail" or finding.series is None):
            raise TypeError(f"{check.key} spoils a level without failing, or of no series")
        if finding.spoils and not check.spoils:
            raise TypeError(f"{check.key} spoils a level and does not declare that it may: write spoils=True")
    return findings


def _of_round(values: Mapping[Address, Value], asked: Iterable[Address]) -> dict[Address, Value]:
    """Leave out what is unknown and was asked for on the way alone: of a level of a table, what only runs can give.

    Whether it was asked for depends on which levels are usable, and the values of a round do not.
    """
    wanted = set(asked)
    return {where: value for where, value in values.items() if value.value is not None or where in wanted}


def _level_values(resolver: Resolver) -> dict[Address, Value]:
    return {a: v for a, v in resolver.values.items() if a.scope == "level"}
