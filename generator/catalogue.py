"""All that is declared, found and put together once: the metric graph, the checks, the figures, the sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import generator.checks
import generator.engines
import generator.figures
import generator.importers
import generator.metrics
import generator.sections
from generator.analysis.graph import Graph, build
from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.kinds import Check, Engine, Figure, Importer, Section
from generator.model import Round
from generator.registry import discover, discover_metrics
from generator.store.prose import Vocabulary
from generator.store.reading import read_round


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a round is analysed and told with."""

    graph: Graph
    checks: Mapping[str, Check]
    figures: Mapping[str, Figure]
    sections: tuple[Section, ...]
    importers: Mapping[str, Importer]
    engines: Mapping[str, Engine]

    def read(self, folder: Path, *, resealing: bool = False) -> Round:
        """Read a round from its folder; ``resealing`` overlooks a manifest that is none.

        Raises:
            InputError: something in the folder cannot be used.
        """
        sections = frozenset(section.key for section in self.sections)
        units = {named: metric.unit for named, metric in self.graph.metrics.items()}
        scopes = {named: metric.scope for named, metric in self.graph.metrics.items()}
        vocabulary = Vocabulary(sections, units, scopes)
        return read_round(folder, self.graph.places(), vocabulary, self.importers, self.engines, resealing=resealing)

    def analyse(self, round_: Round) -> Analysis:
        """Compute and examine a round."""
        return analyse(round_, self.graph, tuple(self.checks.values()))


def load() -> Catalogue:
    """Discover everything that the package declares.

    Raises:
        TypeError: a declaration does not hold (see GraphError for metrics).
    """
    sections = discover(generator.sections, Section)
    return Catalogue(
        graph=build(discover_metrics(generator.metrics)),
        checks=discover(generator.checks, Check),
        figures=discover(generator.figures, Figure),
        sections=tuple(sorted(sections.values(), key=lambda section: section.order)),
        importers=discover(generator.importers, Importer),
        engines=discover(generator.engines, Engine),
    )
