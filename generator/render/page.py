"""One page: what its template is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment
from markupsafe import Markup, escape

from generator import SCHEMA, __version__
from generator.frame import Analysis
from generator.kinds import Check
from generator.render.views.calculator import CalculatorView, calculator_view
from generator.render.views.derivations import source_text
from generator.render.views.figure import FigureView, MissingView, figure_view
from generator.render.views.finding_groups import FindingGroup, FindingPrinter, Note, Tally, tallies
from generator.render.views.reports import (
    Drawn,
    Outline,
    Reports,
    Story,
    Told,
    lacking,
    outlines_beside,
    pages_elsewhere,
)
from generator.render.wording.formulas import numeric, symbol_html
from generator.render.wording.numbers import Printer
from generator.render.wording.phrases import FOUND, STAGES, STATUSES, phrases
from generator.render.wording.prose import render_prose
from generator.report_kinds import Chapter, Report, Section
from generator.text import LANGS, Lang, Text
from generator.told.blocks import Block, Calculator, FigureBlock, LedgerLine, Paragraph, Table
from generator.told.findings import GRAVE, SHOWN, Finding, Shown
from generator.told.sentence import Part, Quantity
from generator.values import Address

NOT_IN_HTML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that no page may hold, however they are written; an author's text can bring them."""

REPLACEMENT: Final = "\ufffd"
END_OF_SENTENCE: Final = re.compile(r"(?<=。)|(?<=\.)\s")

BEHIND: Final = frozenset({"checks.html", "how.html", "published.html"})
"""Pages of a round that say where a report is from."""


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share.

    Attributes:
        has_history: whether there is a page of histories to lead to.
        has_feed: whether there is a feed in each language.
        pictures: the languages whose pages have a picture that goes with links to them.
        data_sha256: a hash over the data of all rounds, on the pages that are made of all of them; else empty.
    """

    title: Text
    default: Lang
    base_url: str | None
    environment: Environment
    has_history: bool = False
    data_sha256: str = ""
    has_feed: bool = False
    pictures: tuple[Lang, ...] = ()


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
    """The warnings and failures of series that bear on it."""
    lacking: str = ""
    """What the round lacks, where the section says nothing but why."""

    @property
    def cautions(self) -> tuple[Block, ...]:
        """Return what stands before all else."""
        return tuple(block for block in self.chapter.blocks if _is_caution(block))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Return what stands behind that."""
        return tuple(block for block in self.chapter.blocks if not _is_caution(block))


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report as the template prints it."""

    analysis: Analysis
    report: Report
    reports: Reports
    beside: tuple[Outline, ...]
    """Reports whose contents stand beside its own."""
    printer: Printer
    sections: tuple[SectionView, ...]
    figures: Mapping[str, FigureView | MissingView]
    """Those of its sections."""
    findings: FindingPrinter
    doubts: Mapping[Address, Finding]
    description: str
    data: str
    """The way from the page to the round's data."""

    @property
    def shown(self) -> Mapping[str, FigureView]:
        """Return the figures that can be drawn."""
        return {key: figure for key, figure in self.figures.items() if isinstance(figure, FigureView)}

    @property
    def told(self) -> tuple[SectionView, ...]:
        """Return the sections that have something to tell."""
        return tuple(section for section in self.sections if not section.lacking)

    @property
    def absent(self) -> tuple[SectionView, ...]:
        """Return the sections that only say what the round lacks: a line names them, and unfolds to why."""
        return tuple(section for section in self.sections if section.lacking)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Return how many findings there are of each kind."""
        return tallies(self.analysis.findings)

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
    def by_status(self) -> Mapping[Shown, tuple[FindingGroup, ...]]:
        """Return all findings with all of their evidence, the gravest first."""
        of = {shown: [f for f in self.analysis.findings if f.shown == shown] for shown in SHOWN}
        return {shown: self.findings.groups(found) for shown, found in of.items() if found}

    def calculator(self, block: Calculator) -> CalculatorView:
        """Return a calculator as the template prints it."""
        return calculator_view(block, self.printer)

    def label(self, line: LedgerLine) -> Markup:
        """Return the label of a ledger line: its metric's title and symbol."""
        metric = self.printer.metric(line.quantity.address)
        series = self.printer.html(line.series) + " " if line.series is not None else Markup()
        return (
            series
            + escape(self.printer.words(metric.title))
            + " "
            + Markup("<i>{}</i>").format(symbol_html(metric.symbol))
        )

    def expression(self, line: LedgerLine) -> Markup:
        """Return a ledger line's arithmetic, from the metric graph; of a number that was read, where."""
        value = self.analysis.frame.values[line.quantity.address]
        if value.formula is not None:
            return numeric(value, self.printer)
        where = escape(source_text(value.source, self.printer.lang)).replace("/", Markup("/<wbr>"))
        return Markup('<span class="source">{}</span>').format(where)


def report_view(
    told: Told, reports: Reports, checks: Mapping[str, Check], drawn: Drawn, printer: Printer, data: str
) -> ReportView:
    """Print a report of a round in one language; ``data`` is the way from the page to the round's data."""
    printer = printer.on_page(pages_elsewhere(told, reports))
    analysis, findings, story = printer.analysis, FindingPrinter(printer, checks), told.story
    return ReportView(
        analysis=analysis,
        report=told.report,
        reports=reports,
        beside=outlines_beside(told, reports, drawn, printer),
        printer=printer,
        sections=tuple(_section(section, chapter, findings, drawn) for section, chapter in story),
        figures={key: figure_view(key, drawn[key], printer, data) for key in _figures_of(story) if key in drawn},
        findings=findings,
        doubts={address: finding for finding in reversed(analysis.findings) for address in finding.doubts},
        description=_description(told, printer),
        data=data,
    )


def _description(told: Told, printer: Printer) -> str:
    """Return what a report says first; one that goes on from the front page begins in the middle: what it answers."""
    if told.report.continues:
        return told.report.question[printer.lang]
    return END_OF_SENTENCE.split(opening(told.story, printer))[0]


def _figures_of(story: Story) -> list[str]:
    blocks = (block for _, chapter in story for block in chapter.blocks)
    return list(dict.fromkeys(block.key for block in blocks if isinstance(block, FigureBlock)))


def _section(section: Section, chapter: Chapter, findings: FindingPrinter, drawn: Drawn) -> SectionView:
    printer = findings.printer
    prose = printer.analysis.round.prose_of(section.key, printer.lang)
    written = render_prose(prose, printer) if prose is not None else None
    heading = printer.html_sentence(chapter.heading)
    lacks = lacking(section, chapter, printer.analysis, drawn)
    notes = findings.notes(_beside(section, printer))
    return SectionView(section.key, heading, chapter, written, notes, lacks[printer.lang] if lacks else "")


def _is_caution(block: Block) -> bool:
    return isinstance(block, Paragraph) and block.kind == "caution"


def _beside(section: Section, printer: Printer) -> list[Finding]:
    """Return what a reader should meet beside a section: what is of the whole round stands at the top alone."""
    findings = printer.analysis.findings
    return [f for f in findings if f.check in section.checks and f.status in GRAVE and f.series is not None]


def opening(story: Story, printer: Printer) -> str:
    """Return what the report says first, as plain text: its own first paragraph, or what the author wrote."""
    paragraphs = (block for _, chapter in story for block in chapter.blocks if isinstance(block, Paragraph))
    first = next((block for block in paragraphs if block.kind != "caution"), None)
    prose = printer.analysis.round.prose_of(story[0][0].key, printer.lang) if story else None
    if prose is not None and (first is None or first.kind != "lead"):
        return " ".join(render_prose(prose, printer).striptags().split())
    return printer.plain_sentence(first.sentence) if first is not None else ""


def render(site: Site, template: str, where: Location, **given: object) -> str:
    """Return a page."""
    html = site.environment.get_template(template).render(
        site=site,
        where=where,
        t=phrases(where.lang),
        lang=where.lang,
        statuses={status: text[where.lang] for status, text in STATUSES.items()},
        found={status: text[where.lang] for status, text in FOUND.items()},
        stage_titles={stage: text[where.lang] for stage, text in STAGES.items()},
        version=__version__,
        schema=SCHEMA,
        links={lang: f"{site.base_url}/{where.in_language(lang)}" for lang in LANGS} if site.base_url else {},
        image=f"{site.base_url}/{picture_of(where)}" if where.lang in site.pictures else None,
        **given,
    )
    return NOT_IN_HTML.sub(REPLACEMENT, html)


def picture_of(where: Location) -> str:
    """Return where the picture of a page lies, relative to the site's folder.

    What stands behind the report of a round has that of the report.
    """
    folder, _, name = where.path.rpartition("/")
    is_behind = folder.startswith("rounds/") and name in BEHIND
    shown = "index" if is_behind else name.removesuffix(".html")
    return f"{where.in_language(where.lang).removesuffix(name)}{shown}.png"
