"""Findings as a page prints them: those of one check and one status under one title, what they share said once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from generator.findings import Finding, Status
from generator.kinds import Check
from generator.render.derivations import place
from generator.render.numbers import Printer
from generator.sentence import Count, LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

PAGE: Final = "checks.html"
"""Every finding of a round with all of its evidence; a report tells whole only what did not pass."""

FEW: Final = 3
"""More levels or series than these are not named in a margin."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a check concluded, in a line: the finding to look up, and what it and its likes speak of."""

    finding: Finding
    where: Markup


@dataclass(frozen=True, slots=True)
class Found:
    """One finding below the title of its group."""

    id: str
    message: Markup
    bias: Markup | None
    remedy: Markup | None
    evidence: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one check that have one status; ``remedy`` is the one that all of them give."""

    title: str
    question: str
    status: Status
    found: tuple[Found, ...]
    remedy: Markup | None


@dataclass(frozen=True, slots=True)
class FindingPrinter:
    """Prints the findings of a round in one language."""

    printer: Printer
    checks: Mapping[str, Check]

    def title(self, finding: Finding) -> str:
        """Return the title of the check that a finding is of."""
        return self.checks[finding.check].title[self.printer.lang]

    def id(self, finding: Finding) -> str:
        """Return the anchor of a finding, the same on the report and on the page of checks."""
        return f"finding-{self.printer.analysis.findings.index(finding) + 1}"

    def link(self, finding: Finding) -> str:
        """Return the way from the report to where a finding is told whole."""
        return f"{PAGE if finding.status == 'pass' else ''}#{self.id(finding)}"

    def groups(self, findings: Iterable[Finding], *, whole: bool) -> tuple[FindingGroup, ...]:
        """Return findings group by group, in the order of their first.

        Args:
            findings: what to print.
            whole: list all evidence; else only that which the finding does not quote itself.
        """
        return tuple(self._group(members, whole=whole) for members in alike(findings))

    def notes(self, findings: Iterable[Finding]) -> tuple[Note, ...]:
        """Return a note for each check and status; the findings of several series share one."""
        return tuple(Note(found[0], self._where(found)) for found in alike(findings))

    def passed(self, findings: Sequence[Finding]) -> tuple[Note, ...]:
        """Return a note for each check that passes; it names the series where not all of them pass it."""
        mixed = {finding.check for finding in findings if finding.status != "pass"}
        passing = alike(finding for finding in findings if finding.status == "pass")
        return tuple(Note(f[0], self._where(f) if f[0].check in mixed else Markup()) for f in passing)

    def named(self, address: Address) -> Markup:
        """Return a value with what it is the value of: the evidence of a finding."""
        title = escape(self.printer.metric(address).title[self.printer.lang])
        return title + ", " + place(address, self.printer) + ": " + self.printer.html(Quantity(address))

    def _group(self, members: Sequence[Finding], *, whole: bool) -> FindingGroup:
        first = members[0]
        remedies = {self._html(finding.remedy) for finding in members}
        shared = self._html(first.remedy) if len(members) > 1 and len(remedies) == 1 else None
        found = tuple(self._found(finding, whole=whole, with_remedy=shared is None) for finding in members)
        question = self.checks[first.check].question[self.printer.lang]
        return FindingGroup(self.title(first), question, first.status, found, shared)

    def _found(self, finding: Finding, *, whole: bool, with_remedy: bool) -> Found:
        told = set() if whole else {one for part in (finding.message, finding.bias) for one in quoted_by(part)}
        return Found(
            id=self.id(finding),
            message=self.printer.html_sentence(finding.message),
            bias=self._html(finding.bias),
            remedy=self._html(finding.remedy) if with_remedy else None,
            evidence=tuple(self.named(address) for address in finding.evidence if address not in told),
        )

    def _html(self, sentence: Sentence | None) -> Markup | None:
        return self.printer.html_sentence(sentence) if sentence is not None else None

    def _where(self, findings: Sequence[Finding]) -> Markup:
        return self.printer.html_sentence(_spoken_of(findings))


def alike(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings by check and status, in the order of the first of each."""
    groups: dict[tuple[str, Status], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.check, finding.status), []).append(finding)
    return list(groups.values())


def quoted_by(part: Part | None) -> Iterator[Address]:
    """Yield the addresses of the values that a sentence prints."""
    match part:
        case Quantity(address):
            yield address
        case Listing(parts):
            yield from (address for one in parts for address in quoted_by(one))
        case Sentence():
            yield from (address for one in part.parts.values() for address in quoted_by(one))


def _spoken_of(findings: Sequence[Finding]) -> Sentence:
    """Return what findings speak of, in a few words: the series; of a single one its levels too."""
    names = tuple(SeriesName(finding.series) for finding in findings if finding.series is not None)
    if len(names) > FEW:
        return say(zh="{n} 个系列", en="{n} series", n=Count(len(names)))
    levels = findings[0].levels if len(findings) == 1 else ()
    parts: dict[str, Part] = {"names": Listing(names), "levels": Listing(())}
    if not 0 < len(levels) <= FEW or not names:
        return say(zh="{names}", en="{names}", **parts)
    parts["levels"] = Listing(tuple(LevelName(names[0].series, level) for level in levels))
    return say(zh="{names} {levels}", en="{names} {levels}", **parts)
