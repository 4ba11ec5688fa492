"""Runs as rows of the data table behind a figure, and as sentences: what plots of any kind say of a run alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import PLACE_HEADINGS
from generator.render.files.run_names import run_name
from generator.render.wording.numbers import Printer
from generator.text import same
from generator.told.blocks import Heading
from generator.told.figure_model import Cloud, Curve, TimelinePlot, Trace
from generator.told.sentence import Count, LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address

TRIAL: Final = Heading(say("重复", "trial"))

Run = Curve | Cloud | Trace | TimelinePlot


def place_headings(*, has_trials: bool) -> list[Heading]:
    """Return the heads of the columns that say which run a row is of."""
    return [*PLACE_HEADINGS, *([TRIAL] if has_trials else [])]


def place_cells(run: Run, *, has_trials: bool) -> list[Part]:
    """Return the cells below these heads."""
    trial: list[Part] = [same("") if run.trial is None else Count(run.trial)] if has_trials else []
    return [SeriesName(run.series), LevelName(run.series, run.level), *trial]


def fact_heading(address: Address, printer: Printer) -> Heading:
    """Return the head of the column of a number that sums runs up."""
    return Heading(say("{t}", "{t}", t=printer.metric(address).title), printer.unit(Quantity(address)))


def fact(address: Address, printer: Printer) -> Sentence:
    """Return a number that sums a run up, with what it is."""
    return say("{t} {x}", "{t} {x}", t=printer.metric(address).title, x=Quantity(address))


def run_told(run: Run, facts: Sequence[Sentence], printer: Printer) -> Sentence:
    """Return a run with what sums it up."""
    return say("{name}：{facts}", "{name}: {facts}", name=same(run_name(run, printer)), facts=Listing(tuple(facts)))
