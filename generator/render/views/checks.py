"""All checks on one page: what each asks, by which rule, and what it concluded in each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.frame import Analysis
from generator.kinds import Check, Stage
from generator.render.views.finding_groups import PAGE, alike, finding_id
from generator.text import Lang
from generator.told.findings import Finding, Shown


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a check said in a round, once for all findings that are shown alike.

    Attributes:
        way: to the first of them, from the page of all checks.
    """

    shown: Shown
    way: str


@dataclass(frozen=True, slots=True)
class Concluded:
    """What a check concluded in one round, the gravest first."""

    round_id: str
    conclusions: tuple[Conclusion, ...]


@dataclass(frozen=True, slots=True)
class CheckView:
    """A check as the page prints it; ``rule`` is empty where it declares none."""

    key: str
    title: str
    question: str
    rule: str
    spoils: bool
    concluded: tuple[Concluded, ...]


ByCheck = Mapping[str, Sequence[Conclusion]]


def check_views(
    checks: Mapping[str, Check], analyses: Sequence[Analysis], lang: Lang
) -> dict[Stage, tuple[CheckView, ...]]:
    """Return the checks of each stage, in order of their keys.

    Args:
        checks: all that are declared.
        analyses: the rounds, in the order in which a check's conclusions are listed.
        lang: the language of the page.
    """
    found = {analysis.round.id: _by_check(analysis) for analysis in analyses}
    stages: tuple[Stage, ...] = ("levels", "conclusions")
    return {
        stage: tuple(_view(check, found, lang) for check in checks.values() if check.stage == stage) for stage in stages
    }


def _by_check(analysis: Analysis) -> ByCheck:
    found: dict[str, list[Conclusion]] = {}
    for findings in alike(analysis.findings):
        found.setdefault(findings[0].check, []).append(_conclusion(analysis, findings))
    return found


def _conclusion(analysis: Analysis, findings: Sequence[Finding]) -> Conclusion:
    first = findings[0]
    way = f"rounds/{analysis.round.id}/{PAGE}#{finding_id(analysis, first)}"
    return Conclusion(first.shown, way)


def _view(check: Check, found: Mapping[str, ByCheck], lang: Lang) -> CheckView:
    return CheckView(
        key=check.key,
        title=check.title[lang],
        question=check.question[lang],
        rule=check.rule[lang] if check.rule is not None else "",
        spoils=check.spoils,
        concluded=tuple(
            Concluded(round_id, tuple(by_check[check.key]))
            for round_id, by_check in found.items()
            if check.key in by_check
        ),
    )
