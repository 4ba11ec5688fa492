"""All checks on one page: what each asks, by which rule, what it looks at, and what it concluded in the rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from generator.analysis.graph import Graph
from generator.frame import Analysis
from generator.kinds import Check, Stage
from generator.render.views.finding_groups import PAGE, alike, finding_id
from generator.render.views.glossary import Link, metric_titles
from generator.render.views.looked_at import LookedAt
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.themes import THEMES
from generator.told.findings import GRAVE, SHOWN, Finding, Shown

NAMED: Final = 8
"""Rounds of one status that are named, the newest; of the others it is said how many there are."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A round in which a check concluded something; ``way`` leads to the finding from the page of all checks."""

    round_id: str
    way: str


@dataclass(frozen=True, slots=True)
class Concluded:
    """The rounds in which a check said something alike: how many, and the newest."""

    shown: Shown
    rounds: int
    newest: tuple[Conclusion, ...]

    @property
    def others(self) -> int:
        """Return how many rounds are not named."""
        return self.rounds - len(self.newest)


@dataclass(frozen=True, slots=True)
class Advice:
    """What a check advised when it last had something to advise."""

    said: str
    where: Conclusion


@dataclass(frozen=True, slots=True)
class CheckView:
    """A check as the page prints it; ``rule`` is empty where it declares none.

    Attributes:
        looks_at: the metrics it looks at: key and title.
        concluded: what it said in the rounds, the gravest first.
    """

    key: str
    title: str
    question: str
    rule: str
    spoils: bool
    looks_at: tuple[Link, ...]
    advice: Advice | None
    concluded: tuple[Concluded, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """The checks of one stage that are about one thing."""

    key: str
    title: str
    checks: tuple[CheckView, ...]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds, the newest first, and the graph that their values were computed by."""

    analyses: Sequence[Analysis]
    graph: Graph


ByCheck = Mapping[str, Sequence[tuple[Analysis, Finding]]]


def check_views(
    checks: Mapping[str, Check], rounds: Rounds, looked: LookedAt, lang: Lang
) -> dict[Stage, tuple[Subject, ...]]:
    """Return the checks of each stage, by what they are about.

    Args:
        checks: all that are declared.
        rounds: what they spoke of.
        looked: the metrics that each looks at.
        lang: the language of the page.
    """
    found = _by_check(rounds.analyses)
    titles = metric_titles(rounds.graph, lang)
    links = {check: tuple((key, titles[key]) for key in keys) for check, keys in looked.items()}
    views = {key: _view(check, found.get(key, ()), rounds.graph, links[key], lang) for key, check in checks.items()}
    stages: tuple[Stage, ...] = get_args(Stage)
    return {stage: tuple(_subjects(stage, checks, views, lang)) for stage in stages}


def _subjects(
    stage: Stage, checks: Mapping[str, Check], views: Mapping[str, CheckView], lang: Lang
) -> Iterator[Subject]:
    for theme in THEMES:
        of_theme = [view for key, view in views.items() if checks[key].theme == theme and checks[key].stage == stage]
        if of_theme:
            yield Subject(f"{stage}-{theme.key}", theme.title[lang], tuple(of_theme))


def _by_check(analyses: Sequence[Analysis]) -> ByCheck:
    """Return what each check said, round by round: of findings that are shown alike the first."""
    found: dict[str, list[tuple[Analysis, Finding]]] = {}
    for analysis in analyses:
        for first, *_ in alike(analysis.findings):
            found.setdefault(first.check, []).append((analysis, first))
    return found


def _view(
    check: Check, said: Sequence[tuple[Analysis, Finding]], graph: Graph, looks_at: tuple[Link, ...], lang: Lang
) -> CheckView:
    return CheckView(
        key=check.key,
        title=check.title[lang],
        question=check.question[lang],
        rule=check.rule[lang] if check.rule is not None else "",
        spoils=check.spoils,
        looks_at=looks_at,
        advice=_advice(said, graph, lang),
        concluded=tuple(_concluded(said)),
    )


def _concluded(said: Sequence[tuple[Analysis, Finding]]) -> Iterator[Concluded]:
    for shown in SHOWN:
        alike_ = [(analysis, finding) for analysis, finding in said if finding.shown == shown]
        if alike_:
            yield Concluded(shown, len(alike_), tuple(_conclusion(*one) for one in alike_[:NAMED]))


def _conclusion(analysis: Analysis, finding: Finding) -> Conclusion:
    return Conclusion(analysis.round.id, f"rounds/{analysis.round.id}/{PAGE}#{finding_id(analysis, finding)}")


def _advice(said: Sequence[tuple[Analysis, Finding]], graph: Graph, lang: Lang) -> Advice | None:
    """Return the newest remedy, one of what failed or warned before any other."""
    for analysis, finding in sorted(said, key=lambda one: one[1].status not in GRAVE):
        if finding.remedy is not None:
            told = Printer(analysis, graph, lang).plain_sentence(finding.remedy)
            return Advice(told, _conclusion(analysis, finding))
    return None
