"""A timeline of requests as numbers: rows of the CSV, the data table, and the text that stands in for the drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from generator.render.files.run_names import run_name
from generator.render.files.run_rows import fact, fact_heading, place_cells, place_headings, run_told
from generator.render.plotting.axis_texts import amount_text
from generator.render.wording.numbers import Printer
from generator.text import Lang, Text, same
from generator.told.blocks import Row, Table
from generator.told.figure_model import Course, FigureModel, Stage, TimelinePlot
from generator.told.sentence import Count, Listing, Quantity, Sentence, say

TIMELINE_COLUMNS: Final = ("series", "level", "trial", "what", "request", "row", "begin", "end", "unit")
STAGES: Final[Mapping[Stage, Text]] = {
    "queue": Text(zh="排队", en="queue"),
    "prefill": Text(zh="prefill", en="prefill"),
    "wait": Text(zh="等首个 token（排队与 prefill）", en="until the first token (queue and prefill)"),
    "decode": Text(zh="解码", en="decode"),
}
STALL: Final = Text(zh="共同停顿", en="simultaneous stall")
WHOLE: Final = Text(zh="整次运行的在途请求数（最多 {n}）", en="requests in flight over the whole run ({n} at most)")
NOT_ANSWERED: Final = Text(zh="失败", en="failed")


def stages_of(plot: TimelinePlot) -> list[Stage]:
    """Return the stages that any request has, in the order in which they follow."""
    found = {stretch.stage for course in plot.courses for stretch in course.stretches}
    return [stage for stage in STAGES if stage in found]


def failed_of(plot: TimelinePlot) -> list[Course]:
    """Return the requests of which nothing but the sending is known."""
    return [course for course in plot.courses if not course.stretches]


def timeline_cells(plot: TimelinePlot, lang: Lang) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each part of a bar, for each request that failed, and for all that happened beside them."""
    whose = (plot.series, plot.level, "" if plot.trial is None else float(plot.trial))
    for course in plot.courses:
        of = (float(course.number), float(course.lane))
        for stretch in course.stretches:
            yield *whose, stretch.stage, *of, stretch.begin, stretch.end, plot.x.unit
        if not course.stretches:
            yield *whose, NOT_ANSWERED[lang], *of, course.sent, "", plot.x.unit
    beside = [(STALL[lang], *span) for span in plot.stalls]
    beside += [(strip.name[lang], *span) for strip in plot.strips for span in strip.spans]
    beside += [(strip.name[lang], at, at) for strip in plot.strips for at in strip.moments]
    for name, begin, end in beside:
        yield *whose, name, "", "", begin, end, plot.x.unit


def timeline_table(model: FigureModel, plot: TimelinePlot, printer: Printer) -> Table:
    """Return one row: the numbers that sum up the run."""
    has_trials = plot.trial is not None
    headings = [*place_headings(has_trials=has_trials), *(fact_heading(address, printer) for address in plot.facts)]
    facts = (Quantity(address, bare=True) for address in plot.facts)
    row = Row((*place_cells(plot, has_trials=has_trials), *facts))
    return Table(f"{model.key}-data", model.title, tuple(headings), (row,))


def tell_timeline(plot: TimelinePlot, printer: Printer) -> list[str]:
    """Return what the run is summed up by, what is drawn of it, and what happened beside the requests."""
    return [printer.plain_sentence(said) for said in (_summed_up(plot, printer), _drawn(plot, printer))]


def _summed_up(plot: TimelinePlot, printer: Printer) -> Sentence:
    known = (address for address in plot.facts if (value := printer.value(address)) and value.value is not None)
    facts = [fact(address, printer) for address in known]
    return run_told(plot, facts, printer) if facts else say("{name}", "{name}", name=same(run_name(plot, printer)))


def _drawn(plot: TimelinePlot, printer: Printer) -> Sentence:
    begin, end = (same(amount_text(x, plot.x, printer.lang)) for x in plot.window)
    drawn = say(
        zh="画出 {n} 条请求，从 {begin} 到 {end}，叠成 {lanes} 行",
        en="{n} {n:request is|requests are} drawn, from {begin} to {end}, in {lanes} {lanes:row|rows}",
        n=Count(len(plot.courses)), begin=begin, end=end, lanes=Count(plot.lanes),
    )  # fmt: skip
    beside = [say("{t} {n}", "{t} {n}", t=STALL, n=Count(len(plot.stalls)))] if plot.stalls else []
    beside += [
        say("{t} {n}", "{t} {n}", t=strip.name, n=Count(len(strip.moments) + len(strip.spans))) for strip in plot.strips
    ]
    if not beside:
        return drawn
    return say(zh="{d}；其间：{b}", en="{d}; meanwhile: {b}", d=drawn, b=Listing(tuple(beside)))
