"""One page: what its template is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment
from markupsafe import Markup, escape

from generator import SCHEMA
from generator.blocks import LedgerLine, Paragraph, Table
from generator.catalogue import Catalogue
from generator.figure_model import FigureModel
from generator.findings import SEVERITY, Finding, Status
from generator.frame import Analysis
from generator.kinds import Chapter, Check, Missing, Section
from generator.render.derivations import Derivation, source_text
from generator.render.figure_view import FigureView, MissingView, figure_view
from generator.render.finding_groups import FindingGroup, FindingPrinter, Note
from generator.render.numbers import Printer, numeric, symbol_html
from generator.render.phrases import FOUND, STATUSES, phrases
from generator.render.prose import render_prose
from generator.sentence import Part, Quantity
from generator.text import LANGS, Lang, Text
from generator.values import Address

NOT_IN_HTML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that no page may hold, however they are written; an author's text can bring them."""

REPLACEMENT: Final = "\ufffd"
END_OF_SENTENCE: Final = re.compile(r"(?<=。)|(?<=\.)\s")
GRAVE: Final = frozenset({"warn", "fail"})

Drawn = Mapping[str, FigureModel | Missing]
Story = tuple[tuple[Section, Chapter], ...]
"""The sections of a report and what each has to say."""


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share."""

    title: Text
    default: Lang
    base_url: str | None
    environment: Environment


@dataclass(frozen=True, slots=True)
class Location:
    """Where a page lies: its path below the language's folder, ``rounds/round-2/index.html``."""

    lang: Lang
    path: str

    @property
    def root(self) -> str:
        """Return the way from the page up to the site's folder."""
        return "../" * (self.path.count("/") + 1)

    def in_language(self, lang: Lang) -> str:
        """Return the same page in a language, relative to the site's folder."""
        return f"{lang}/{self.path}"

    @property
    def other(self) -> Lang:
        """Return the other language."""
        return next(lang for lang in LANGS if lang != self.lang)


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section as the template prints it."""

    key: str
    heading: Markup
    chapter: Chapter
    prose: Markup | None
    notes: tuple[Note, ...]
    """The warnings and failures that bear on it."""


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report as the template prints it."""

    analysis: Analysis
    printer: Printer
    sections: tuple[SectionView, ...]
    figures: Mapping[str, FigureView | MissingView]
    findings: FindingPrinter
    doubts: Mapping[Address, Finding]
    description: str
    data: str
    """The way from the page to the round's data."""
    schema: int = SCHEMA

    @property
    def shown(self) -> Mapping[str, FigureView]:
        """Return the figures that can be drawn."""
        return {key: figure for key, figure in self.figures.items() if isinstance(figure, FigureView)}

    def cell(self, part: Part) -> Markup:
        """Return a table cell; a value in doubt gets a mark, which a note below the table explains."""
        html = self.printer.html(part)
        is_doubtful = isinstance(part, Quantity) and part.address in self.doubts
        return html + Markup("<sup>†</sup>") if is_doubtful else html

    def doubts_in(self, table: Table) -> tuple[Note, ...]:
        """Return what puts numbers of a table in doubt."""
        shown = {part.address for row in table.rows for part in row.cells if isinstance(part, Quantity)}
        return self.findings.notes(f for f in self.analysis.findings if not shown.isdisjoint(f.doubts))

    @property
    def by_status(self) -> Mapping[Status, tuple[FindingGroup, ...]]:
        """Return all findings with all of their evidence, the gravest first."""
        of = {status: [f for f in self.analysis.findings if f.status == status] for status in SEVERITY}
        return {status: self.findings.groups(found, whole=True) for status, found in of.items() if found}

    def unlinked(self, part: Part) -> Markup:
        """Return a table cell whose number leads nowhere: the same number is linked where it is told."""
        return escape(self.printer.plain(part)) if isinstance(part, Quantity) else self.printer.html(part)

    def label(self, line: LedgerLine) -> Markup:
        """Return the label of a ledger line: its metric's title and symbol."""
        metric = self.printer.metric(line.quantity.address)
        series = self.printer.html(line.series) + " " if line.series is not None else Markup()
        return (
            series
            + escape(metric.title[self.printer.lang])
            + " "
            + Markup("<i>{}</i>").format(symbol_html(metric.symbol))
        )

    def expression(self, line: LedgerLine) -> Markup:
        """Return a ledger line's arithmetic, from the metric graph; of a number that was read, where."""
        value = self.analysis.frame.values[line.quantity.address]
        if value.formula is not None:
            return numeric(value, self.printer)
        return Markup('<span class="source">{}</span>').format(source_text(value.source, self.printer.lang))


def tell(analysis: Analysis, catalogue: Catalogue) -> Story:
    """Return the sections that have something to say of a round, in order."""
    told = ((section, section.tell(analysis)) for section in catalogue.sections)
    return tuple((section, chapter) for section, chapter in told if chapter is not None)


def report_view(story: Story, checks: Mapping[str, Check], drawn: Drawn, printer: Printer, data: str) -> ReportView:
    """Print a round in one language; ``data`` is the way from the page to the round's data."""
    analysis, findings = printer.analysis, FindingPrinter(printer, checks)
    return ReportView(
        analysis=analysis,
        printer=printer,
        sections=tuple(_section(section, chapter, findings) for section, chapter in story),
        figures={key: figure_view(key, model, printer, data) for key, model in drawn.items()},
        findings=findings,
        doubts={address: finding for finding in reversed(analysis.findings) for address in finding.doubts},
        description=_description(story, printer),
        data=data,
    )


def _section(section: Section, chapter: Chapter, findings: FindingPrinter) -> SectionView:
    printer = findings.printer
    prose = printer.analysis.round.prose_of(section.key, printer.lang)
    written = render_prose(prose, printer) if prose is not None else None
    grave = [f for f in printer.analysis.findings if f.check in section.checks and f.status in GRAVE]
    heading = printer.html_sentence(chapter.heading)
    return SectionView(section.key, heading, chapter, written, findings.notes(grave))


def _description(story: Story, printer: Printer) -> str:
    """Return the first sentence of the report, as plain text: its verdict."""
    paragraphs = (block for _, chapter in story for block in chapter.blocks if isinstance(block, Paragraph))
    first = next(paragraphs, None)
    return END_OF_SENTENCE.split(printer.plain_sentence(first.sentence))[0] if first is not None else ""


def render(site: Site, template: str, where: Location, **given: object) -> str:
    """Return a page."""
    html = site.environment.get_template(template).render(
        site=site,
        where=where,
        t=phrases(where.lang),
        lang=where.lang,
        statuses={status: text[where.lang] for status, text in STATUSES.items()},
        found={status: text[where.lang] for status, text in FOUND.items()},
        links={lang: f"{site.base_url}/{where.in_language(lang)}" for lang in LANGS} if site.base_url else {},
        **given,
    )
    return NOT_IN_HTML.sub(REPLACEMENT, html)


def render_panels(site: Site, where: Location, derivations: list[Derivation]) -> dict[str, dict[str, str]]:
    """Return the panel of each derivation as HTML, by the id of its number; and the rows that panels share."""
    macros = site.environment.get_template("derivation.html").module
    panel, row = macros.panel, macros.row  # type: ignore[attr-defined]
    words = phrases(where.lang)
    inputs = {one.id: one for derivation in derivations for one in derivation.inputs}
    return {
        "panels": {one.id: NOT_IN_HTML.sub(REPLACEMENT, panel(one, words, rows_apart=True)) for one in derivations},
        "rows": {id_: NOT_IN_HTML.sub(REPLACEMENT, row(one)) for id_, one in inputs.items()},
    }
