"""One page: what its template is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment
from markupsafe import Markup, escape

from generator.blocks import LedgerLine
from generator.catalogue import Catalogue
from generator.figure_model import FigureModel
from generator.findings import Finding
from generator.frame import Analysis
from generator.kinds import Chapter, Check, Missing
from generator.render.derivations import Derivation, place
from generator.render.figure_view import FigureView, MissingView, figure_view
from generator.render.numbers import Printer, numeric, symbol_html
from generator.render.phrases import STATUSES, phrases
from generator.render.prose import render_prose
from generator.sentence import Part, Quantity
from generator.text import LANGS, Lang, Text
from generator.values import Address

NOT_IN_HTML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that no page may hold, however they are written; an author's text can bring them."""

REPLACEMENT: Final = "\ufffd"


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


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report as the template prints it."""

    analysis: Analysis
    printer: Printer
    sections: tuple[SectionView, ...]
    figures: Mapping[str, FigureView | MissingView]
    checks: Mapping[str, Check]
    doubts: frozenset[Address]

    def cell(self, part: Part) -> Markup:
        """Return a table cell; a value in doubt gets a mark that leads to the findings."""
        html = self.printer.html(part)
        if isinstance(part, Quantity) and part.address in self.doubts:
            label = phrases(self.printer.lang)["doubtful"]
            return html + Markup('<a class="doubt" href="#findings" title="{0}" aria-label="{0}">†</a>').format(label)
        return html

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
        return Markup('<span class="source">{}</span>').format(str(value.source or ""))

    def named(self, address: Address) -> Markup:
        """Return a value with what it is the value of: the evidence of a finding."""
        title = escape(self.printer.metric(address).title[self.printer.lang])
        return title + ", " + place(address, self.printer) + ": " + self.printer.html(Quantity(address))

    def check_title(self, finding: Finding) -> str:
        """Return the title of the check that a finding is of."""
        return self.checks[finding.check].title[self.printer.lang]


def report_view(
    analysis: Analysis, catalogue: Catalogue, drawn: Mapping[str, FigureModel | Missing], lang: Lang, data: str
) -> ReportView:
    """Tell a round's sections in one language; ``data`` is the way from the page to the round's data."""
    printer = Printer(analysis, catalogue.graph, lang)
    told = [(section.key, section.tell(analysis)) for section in catalogue.sections]
    sections = tuple(_section(key, chapter, printer) for key, chapter in told if chapter)
    figures = {key: figure_view(key, model, printer, data) for key, model in drawn.items()}
    doubts = frozenset(address for finding in analysis.findings for address in finding.doubts)
    return ReportView(analysis, printer, sections, figures, catalogue.checks, doubts)


def _section(key: str, chapter: Chapter, printer: Printer) -> SectionView:
    prose = printer.analysis.round.prose_of(key, printer.lang)
    written = render_prose(prose, printer) if prose is not None else None
    return SectionView(key, printer.html_sentence(chapter.heading), chapter, written)


def render(site: Site, template: str, where: Location, **given: object) -> str:
    """Return a page."""
    html = site.environment.get_template(template).render(
        site=site,
        where=where,
        t=phrases(where.lang),
        lang=where.lang,
        statuses={status: text[where.lang] for status, text in STATUSES.items()},
        links={lang: f"{site.base_url}/{where.in_language(lang)}" for lang in LANGS} if site.base_url else {},
        **given,
    )
    return NOT_IN_HTML.sub(REPLACEMENT, html)


def render_panels(site: Site, where: Location, derivations: list[Derivation]) -> dict[str, dict[str, str]]:
    """Return the panel of each derivation as HTML, by the id of its number; and the rows that panels share."""
    macros = site.environment.get_template("derivation.html").module
    panel, row = macros.panel, macros.row  # type: ignore[attr-defined]
    inputs = {one.id: one for derivation in derivations for one in derivation.inputs}
    return {
        "panels": {
            one.id: NOT_IN_HTML.sub(REPLACEMENT, panel(one, phrases(where.lang), rows_apart=True))
            for one in derivations
        },
        "rows": {id_: NOT_IN_HTML.sub(REPLACEMENT, row(one)) for id_, one in inputs.items()},
    }
