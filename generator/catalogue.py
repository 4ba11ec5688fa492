"""All that is declared, found and put together once: the metric graph, checks, figures, sections, reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import generator.checks
import generator.engines
import generator.figures
import generator.importers
import generator.metrics
import generator.reports
import generator.sections
from generator.analysis.graph import Graph, build
from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.kinds import Check, Engine, Figure, Importer
from generator.model import Round
from generator.registry import discover, discover_metrics, discover_themes
from generator.report_kinds import Report, Section
from generator.store.prose import Vocabulary
from generator.store.reading import read_round
from generator.themes import Theme


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a round is analysed and told with."""

    graph: Graph
    themes: Mapping[str, Theme]
    """What each metric is about, by its key."""
    checks: Mapping[str, Check]
    figures: Mapping[str, Figure]
    sections: Mapping[str, Section]
    """In the order in which reports tell them."""
    reports: tuple[Report, ...]
    importers: Mapping[str, Importer]
    engines: Mapping[str, Engine]

    def read(self, folder: Path, *, resealing: bool = False) -> Round:
        """Read a round from its folder; ``resealing`` overlooks a manifest that is none.

        Raises:
            InputError: something in the folder cannot be used.
        """
        sections = frozenset(self.sections)
        units = {named: metric.unit for named, metric in self.graph.metrics.items()}
        scopes = {named: metric.scope for named, metric in self.graph.metrics.items()}
        vocabulary = Vocabulary(sections, units, scopes)
        return read_round(folder, self.graph.places(), vocabulary, self.importers, self.engines, resealing=resealing)

    def report(self, key: str) -> Report:
        """Return a report by its key."""
        return next(report for report in self.reports if report.key == key)

    def analyse(self, round_: Round) -> Analysis:
        """Compute and examine a round."""
        return analyse(round_, self.graph, tuple(self.checks.values()))


def load() -> Catalogue:
    """Discover everything that the package declares.

    Raises:
        TypeError: a declaration does not hold (see GraphError for metrics).
    """
    reports = tuple(sorted(discover(generator.reports, Report).values(), key=lambda report: report.order))
    return Catalogue(
        graph=build(discover_metrics(generator.metrics)),
        themes=discover_themes(generator.metrics),
        checks=discover(generator.checks, Check),
        figures=discover(generator.figures, Figure),
        sections=_as_told(discover(generator.sections, Section), reports),
        reports=reports,
        importers=discover(generator.importers, Importer),
        engines=discover(generator.engines, Engine),
    )


def _as_told(sections: Mapping[str, Section], reports: Iterable[Report]) -> dict[str, Section]:
    """Return the sections in the order in which reports tell them.

    Raises:
        TypeError: a report names a section that there is not, or a section is told by no report.
    """
    told = dict.fromkeys(key for report in reports for key in report.sections)
    if told.keys() != sections.keys():
        unlike = ", ".join(sorted(told.keys() ^ sections.keys()))
        raise TypeError(f"reports tell sections that are not there, or leave some out: {unlike}")
    return {key: sections[key] for key in told}
