"""Findings as a page prints them: those of one check and one status under one title, what they share said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from generator.frame import Analysis
from generator.kinds import Check
from generator.render.commands.brief import first_clause
from generator.render.views.derivations import place
from generator.render.wording.numbers import Printer
from generator.told.findings import GRAVE, SHOWN, Finding, Shown
from generator.told.quoting import listed_levels
from generator.told.sentence import Count, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

PAGE: Final = "checks.html"
"""Every finding of a round with all of its evidence."""

FEW: Final = 3
"""More levels or series than these are not named in a margin."""

MOST: Final = 6
"""Findings that the top of a report lists; more unfold, unless they failed."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a check concluded, in a line: the finding to look up, and what it and its likes speak of."""

    finding: Finding
    where: Markup


@dataclass(frozen=True, slots=True)
class Brief:
    """What a check concluded, in a sentence: of the first of its findings, and which other series have the same."""

    finding: Finding
    said: Markup
    also: Markup


@dataclass(frozen=True, slots=True)
class Tally:
    """How many findings are shown alike."""

    shown: Shown
    number: int


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
    """The findings of one check that are shown alike; ``remedy`` is the one that all of them give."""

    check: str
    title: str
    question: str
    shown: Shown
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
        """Return the anchor of a finding on the page of checks."""
        return finding_id(self.printer.analysis, finding)

    def link(self, finding: Finding) -> str:
        """Return the way from the report to where a finding is told whole."""
        return f"{PAGE}#{self.id(finding)}"

    def grave(self, findings: Iterable[Finding]) -> tuple[Brief, ...]:
        """Return a sentence for each check that failed or warned: what spoils levels first, what favours none last."""
        return self.briefs(gravest_first(findings))

    def shown_first(self, briefs: Sequence[Brief]) -> int:
        """Return how many of them a report lists before the rest unfolds: every failure, and some warnings."""
        failures = sum(one.finding.status == "fail" for one in briefs)
        return len(briefs) if len(briefs) == MOST + 1 else max(MOST, failures)

    def of(self, findings: Iterable[Finding], shown: Shown) -> tuple[Brief, ...]:
        """Return each check whose findings are shown so, in a sentence."""
        return self.briefs(finding for finding in findings if finding.shown == shown)

    def briefs(self, findings: Iterable[Finding]) -> tuple[Brief, ...]:
        """Return a sentence for each check and what it is shown as; the findings of several series share one."""
        return tuple(self._brief(found) for found in alike(findings))

    def groups(self, findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
        """Return findings group by group, in the order of their first."""
        return tuple(self._group(members) for members in alike(findings))

    def notes(self, findings: Iterable[Finding]) -> tuple[Note, ...]:
        """Return a note for each check and what it is shown as; the findings of several series share one."""
        return tuple(Note(found[0], self._where(found)) for found in alike(findings))

    def named(self, address: Address) -> Markup:
        """Return a value with what it is the value of: the evidence of a finding."""
        title = escape(self.printer.words(self.printer.metric(address).title))
        comma, colon = ("，", "：") if self.printer.lang == "zh" else (", ", ": ")
        return title + comma + place(address, self.printer) + colon + self.printer.html(Quantity(address))

    def _brief(self, findings: Sequence[Finding]) -> Brief:
        first = findings[0]
        series = dict.fromkeys(one.series for one in findings)
        others = tuple(SeriesName(one) for one in series if one is not None and one != first.series)
        also = say(zh="（{names} 也是）", en=" (also {names})", names=Listing(others)) if others else say("", "")
        said = self.printer.html_sentence(first_clause(first.message))
        return Brief(first, said, self.printer.html_sentence(also))

    def _group(self, members: Sequence[Finding]) -> FindingGroup:
        first = members[0]
        remedies = {self._html(finding.remedy) for finding in members}
        shared = self._html(first.remedy) if len(members) > 1 and len(remedies) == 1 else None
        found = tuple(self._found(finding, with_remedy=shared is None) for finding in members)
        question = self.checks[first.check].question[self.printer.lang]
        return FindingGroup(first.check, self.title(first), question, first.shown, found, shared)

    def _found(self, finding: Finding, *, with_remedy: bool) -> Found:
        return Found(
            id=self.id(finding),
            message=self.printer.html_sentence(finding.message),
            bias=self._html(finding.bias),
            remedy=self._html(finding.remedy) if with_remedy else None,
            evidence=tuple(self.named(address) for address in finding.evidence),
        )

    def _html(self, sentence: Sentence | None) -> Markup | None:
        return self.printer.html_sentence(sentence) if sentence is not None else None

    def _where(self, findings: Sequence[Finding]) -> Markup:
        return self.printer.html_sentence(_spoken_of(findings))


def finding_id(analysis: Analysis, finding: Finding) -> str:
    """Return the anchor of a finding on the page of its round's checks."""
    return f"finding-{analysis.findings.index(finding) + 1}"


def alike(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings by check and what they are shown as, in the order of the first of each."""
    groups: dict[tuple[str, Shown], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.check, finding.shown), []).append(finding)
    return list(groups.values())


def tallies(findings: Iterable[Finding]) -> tuple[Tally, ...]:
    """Return how many findings are shown as what, the gravest first; nothing is not counted."""
    counted = Counter(finding.shown for finding in findings)
    return tuple(Tally(shown, counted[shown]) for shown in SHOWN if counted[shown])


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return what failed or warned: what spoils levels first, what favours none last."""
    return sorted((one for one in findings if one.status in GRAVE), key=_weight)


def _weight(finding: Finding) -> tuple[bool, bool, bool]:
    """Return what sorts findings: what keeps levels out of conclusions, what failed, what favours or harms a series."""
    return not finding.spoils, finding.status != "fail", finding.looks is None


def _spoken_of(findings: Sequence[Finding]) -> Sentence:
    """Return what findings speak of, in a few words: the series; of a single one its levels too."""
    names = tuple(SeriesName(one) for one in dict.fromkeys(finding.series for finding in findings) if one is not None)
    if len(names) > FEW:
        return say(zh="{n} 个系列", en="{n} series", n=Count(len(names)))
    levels = findings[0].levels if len(findings) == 1 else ()
    parts: dict[str, Part] = {"names": Listing(names), "levels": Listing(())}
    if not 0 < len(levels) <= FEW or not names:
        return say(zh="{names}", en="{names}", **parts)
    parts["levels"] = listed_levels(names[0].series, levels)
    return say(zh="{names} {levels}", en="{names} {levels}", **parts)
