"""The reports of a round: which can be made, what each tells, and where it is that another of them tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.catalogue import Catalogue
from generator.frame import Analysis
from generator.kinds import Missing
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter, Report, Section
from generator.text import LANGS, Text
from generator.told.blocks import Block, ByLoad, FigureBlock, Folded, Ledger, Subheading, Table
from generator.told.figure_model import FigureModel

Drawn = Mapping[str, FigureModel | Missing]
Story = tuple[tuple[Section, Chapter], ...]
"""The sections of a report and what each has to say."""


@dataclass(frozen=True, slots=True)
class Told:
    """A report and its story; without one, ``lacks`` says what the round would have to hold for it."""

    report: Report
    story: Story = ()
    lacks: Text | None = None


Reports = tuple[Told, ...]
"""All reports of a round, in order, those that cannot be made among them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A chapter of another report among the contents of one: the way to it, its heading as text, and the ids in it."""

    way: str
    heading: str
    holds: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The contents of another report beside those of one; ``holds`` are the ids of what it only says to be lacking."""

    report: Report
    entries: tuple[Entry, ...]
    holds: str


def tell(analysis: Analysis, catalogue: Catalogue, drawn: Drawn) -> Reports:
    """Return all reports of a round, each with the sections that have something to say of it."""
    return tuple(_told(analysis, report, catalogue, drawn) for report in catalogue.reports)


def _told(analysis: Analysis, report: Report, catalogue: Catalogue, drawn: Drawn) -> Told:
    """Return a report, or what the round lacks for it: that its sections would say nothing else is enough."""
    lacks = report.lacks(analysis)
    if lacks is not None:
        return Told(report, lacks=lacks)
    told = ((section, section.tell(analysis)) for section in map(catalogue.sections.__getitem__, report.sections))
    story = tuple((section, chapter) for section, chapter in told if chapter is not None)
    if all(lacking(section, chapter, analysis, drawn) is not None for section, chapter in story):
        return Told(report, lacks=report.needs)
    return Told(report, story)


def lacking(section: Section, chapter: Chapter, analysis: Analysis, drawn: Drawn) -> Text | None:
    """Return what the round lacks where a chapter, and its authors, say nothing but why; None of any other."""
    is_written = analysis.round.prose_of(section.key, LANGS[0]) is not None
    figures = (drawn.get(block.key) for block in chapter.blocks if isinstance(block, FigureBlock))
    is_bare = all(isinstance(figure, Missing) for figure in figures)
    return chapter.lacking if is_bare and not is_written else None


def pages_elsewhere(here: Told, reports: Reports) -> dict[str, str]:
    """Return where sections, figures and tables are that other pages of the round have: id -> page."""
    own = set(_addresses(here))
    pages = {one: told.report.page for told in reversed(reports) for one in _addresses(told)}
    return {one: page for one, page in pages.items() if one not in own}


def _addresses(told: Told) -> Iterator[str]:
    return (one for section, chapter in told.story for one in (section.key, *_ids(chapter)))


def outlines_beside(here: Told, reports: Reports, drawn: Drawn, printer: Printer) -> tuple[Outline, ...]:
    """Return the contents of the other reports that go on where the front page ends; of no others but these."""
    of_front = [told for told in reports if told.report.is_of_front and told.story]
    return tuple(_outline(told, drawn, printer) for told in of_front if told is not here) if here in of_front else ()


def _outline(told: Told, drawn: Drawn, printer: Printer) -> Outline:
    by_lack = {section.key: lacking(section, chapter, printer.analysis, drawn) for section, chapter in told.story}
    shown = [(section, chapter) for section, chapter in told.story if by_lack[section.key] is None]
    absent = [(section, chapter) for section, chapter in told.story if by_lack[section.key] is not None]
    return Outline(
        told.report,
        tuple(
            Entry(f"{told.report.page}#{section.key}", printer.plain_sentence(chapter.heading), " ".join(_ids(chapter)))
            for section, chapter in shown
        ),
        " ".join(one for section, chapter in absent for one in (section.key, *_ids(chapter))),
    )


def _ids(chapter: Chapter) -> Iterator[str]:
    """Yield what has an address of its own within a chapter."""
    return (one for block in chapter.blocks for one in _ids_in(block))


def _ids_in(block: Block) -> tuple[str, ...]:
    match block:
        case FigureBlock(key):
            return (f"fig-{key}",)
        case Ledger(key):
            return (f"ledger-{key}",)
        case Table(key) | Subheading(key) | Folded(table=Table(key)):
            return (key,)
        case ByLoad(lines=lines):
            return tuple(line.key for line in lines)
        case _:
            return ()
