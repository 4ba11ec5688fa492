"""Levels as checks, figures and sections tell of them: their numbers and names, and tables with a row for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from generator.frame import Analysis
from generator.machines.records import NOTHING_KNOWN, Machine
from generator.model import LOAD_LABELS, Level, Round, Series
from generator.text import Text
from generator.told.blocks import Heading, Row, Table
from generator.told.quoting import listed_levels, worst_of
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.units import FACTORS
from generator.values import Address

ALIKE: Final = 0.25
"""Counted lengths closer than this are those of one workload: the answers of a model end where it likes."""
FEW: Final = 20
"""Answers of a single run below which its numbers tell more of chance than of the engine."""

OURS: Final = "stamps"
"""An entry that the runs of our own client have, and no others."""
CLOSED_LOOP: Final = Text(zh="闭环：一条结束，下一条才发", en="closed loop: each new request is sent when one ends")
AT_ONCE: Final = Text(zh="同时发出", en="all at once")
ARRIVALS: Final[Mapping[str, Text]] = {
    "poisson": Text(zh="泊松到达", en="Poisson"),
    "constant": Text(zh="等间隔到达", en="constant gaps"),
    "gamma": Text(zh="gamma 间隔（成簇或更均匀）", en="gamma gaps (in bursts, or more even)"),
    "ramp": Text(zh="到达率匀速变化", en="a rate that changes evenly"),
    "trace": Text(zh="按数据集的时刻", en="as in the dataset's trace"),
}

Place = tuple[Series, Level]
"""A level and the series that it is of."""
NumberOf = Callable[[Level, str], float | None]
"""Returns the number of a level by its metric; None where it is not known."""

PLACE_HEADINGS: Final = (Heading(say(zh="系列", en="series")), Heading(say(zh="档位", en="level")))
"""The heads of the two columns that ``place_row`` begins with."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A column of a table: what is shown, under which name, and in the unit that stands in the column's head."""

    metric: str
    label: Text
    unit: str = ""

    def cell(self, series: Series, level: Level) -> Quantity:
        """Return the number for one level."""
        unit = self.unit if self.unit in FACTORS else None
        return Quantity(at_level(self.metric, series, level), unit=unit, bare=True)


def at_level(metric: str, series: Series, level: Level, trial: int | None = None) -> Address:
    """Return where a number of a level stands, or of one run of it."""
    return Address(metric, "level", series.id, level.id, trial=trial)


def at_levels(series: Series, levels: Iterable[Level], *metrics: str) -> tuple[Address, ...]:
    """Return where numbers of several levels of a series stand."""
    return tuple(at_level(metric, series, level) for level in levels for metric in metrics)


def shared_places(places: Iterable[Place]) -> list[list[Place]]:
    """Return, of some levels, those of one id and load that several series have, each as all of them have it."""
    alike: dict[tuple[object, ...], list[Place]] = {}
    for series, level in places:
        alike.setdefault((level.id, *level.order), []).append((series, level))
    return [together for together in alike.values() if len(together) > 1]


def usable_on_both(analysis: Analysis, compared: str) -> list[Level]:
    """Return the levels that a series shares with the baseline and that neither has lost; none without a baseline."""
    baseline = analysis.round.baseline
    sides = (compared, baseline.id) if baseline is not None else ()
    shared = analysis.shared(compared)
    return [level for level in shared if not any((side, level.id) in analysis.spoilt for side in sides)]


def machine_of(round_: Round, series: Series) -> Machine:
    """Return what is known of the machine and the engine of a series, which may be nothing."""
    return round_.machines.get(series.id, NOTHING_KNOWN)


def arrival(analysis: Analysis, place: Place) -> Text | None:
    """Return how the requests of a level arrive; None where nobody names it, or where none are sent to a server."""
    series, level = place
    if level.rate is None:
        at_once = AT_ONCE if number_at(analysis, at_level("completed", series, level)) is not None else None
        return CLOSED_LOOP if level.concurrency is not None else at_once
    burstiness = number_at(analysis, at_level("burstiness", series, level))
    if burstiness is not None:
        return ARRIVALS["poisson" if burstiness == 1 else "gamma"]
    workload = analysis.round.file.workload
    told = "arrival" in workload.model_fields_set or _is_ours(analysis, place)
    return ARRIVALS[workload.arrival] if told else None


def _is_ours(analysis: Analysis, place: Place) -> bool:
    """Say whether our own client drove a level: it sends as the workload says, unsaid defaults included."""
    series, level = place
    return any(OURS in analysis.round.described.get((series.id, level.id, trial), {}) for trial in level.runs)


def at_total(what: str, series: str) -> Address:
    """Return where a count over all runs of a series stands."""
    return Address(f"{what}_total", "series", series)


def at_runs(metric: str, series: Series) -> list[Address]:
    """Return where the numbers of all runs of a series stand."""
    return [at_level(metric, series, level, trial) for level in series.levels for trial in level.runs]


def level_names(series: Series, levels: Iterable[Level]) -> Listing:
    """Return the names of levels of a series, one behind the other."""
    return listed_levels(series.id, (level.id for level in levels))


def worst_level(told: Sentence, text: Text, series: Series, worst: Level, among: Sized) -> Sentence:
    """Return what is told of the worst level of some; of several, with its name, for which ``text`` has ``{level}``."""
    return worst_of(told, text, LevelName(series.id, worst.id), one_of_several=len(among) > 1)


def place_name(series: str, level: str) -> Sentence:
    """Return the name of a level together with that of its series."""
    return say(zh="{s} 的 {l}", en="{s} at {l}", s=SeriesName(series), l=LevelName(series, level))


def all_places(analysis: Analysis) -> list[Place]:
    """Return every level of every series, spoilt or not."""
    return [(series, level) for series in analysis.round.series for level in series.levels]


def places_with(analysis: Analysis, metric: str) -> list[Place]:
    """Return the levels at which a metric is known, spoilt or not."""
    return [place for place in all_places(analysis) if amount(analysis, metric, place) is not None]


def known_at(analysis: Analysis, metric: str, series: Series, levels: Iterable[Level]) -> list[tuple[float, Level]]:
    """Return the levels of a series, of those asked for, at which a metric is known, each with its number."""
    amounts = [(amount(analysis, metric, (series, level)), level) for level in levels]
    return [(number, level) for number, level in amounts if number is not None]


def seen_at(analysis: Analysis, metric: str, series: Series) -> list[tuple[float, Level]]:
    """Return the levels of a series at which a metric is known that only runs have, each with its number."""
    numbers = [(number_at(analysis, at_level(metric, series, level)), level) for level in series.levels]
    return [(number, level) for number, level in numbers if number is not None]


def seen_places(analysis: Analysis, metric: str) -> list[Place]:
    """Return the levels of all series at which a metric is known that only runs have."""
    return [(series, level) for series in analysis.round.series for _, level in seen_at(analysis, metric, series)]


def seen_usable(analysis: Analysis, metric: str, series: Series) -> list[tuple[float, Level]]:
    """Return the same of the usable levels alone."""
    usable = analysis.usable(series.id)
    return [(number, level) for number, level in seen_at(analysis, metric, series) if level in usable]


def drawn_levels(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels of a series that share one axis: those of the kind of load that most levels have."""
    return [level for level in series.levels if level.kind == analysis.round.load_kinds[0]]


def load_axis_label(analysis: Analysis) -> Text:
    """Return what the axis of the levels that are drawn is called."""
    return LOAD_LABELS[analysis.round.load_kinds[0]]


def workloads(analysis: Analysis, series: Series, levels: Iterable[Level]) -> list[list[Level]]:
    """Return levels in groups whose requests have the same lengths, in and out, each in the order given.

    Lengths are those asked; the counted means where none were declared, which need only be alike.
    """
    return of_one_length(levels, numbers_of(analysis, series))


def of_one_length(levels: Iterable[Level], number_of: NumberOf) -> list[list[Level]]:
    """Return the same of levels whose numbers are looked up by ``number_of``, by level and metric."""
    groups: dict[Level, list[Level]] = {}
    for level in levels:
        lengths = _lengths(level, number_of)
        first = next((one for one in groups if _is_alike(_lengths(one, number_of), lengths)), level)
        groups.setdefault(first, []).append(level)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class _Length:
    """Tokens of a request, in or out, and whether that many were asked for."""

    tokens: float | None
    is_asked: bool


def _lengths(level: Level, number_of: NumberOf) -> list[_Length]:
    completed = number_of(level, "completed")
    lengths = []
    for side in ("input", "output"):
        asked = number_of(level, f"asked_{side}_tokens")
        counted = number_of(level, f"{side}_tokens_counted")
        mean = counted / completed if asked is None and counted is not None and completed else None
        lengths.append(_Length(mean if asked is None else asked, asked is not None))
    return lengths


def _is_alike(these: Sequence[_Length], others: Sequence[_Length]) -> bool:
    return all(
        math.isclose(one.tokens, other.tokens, rel_tol=0 if one.is_asked and other.is_asked else ALIKE)
        if one.tokens is not None and other.tokens is not None
        else one.tokens is other.tokens
        for one, other in zip(these, others, strict=True)
    )


def is_small_run(analysis: Analysis, place: Place) -> bool:
    """Say whether a level is one run with so few answers that chance may have made its numbers."""
    completed = amount(analysis, "completed", place)
    return place[1].trials == 1 and completed is not None and completed < FEW


def in_row(analysis: Analysis, number: Quantity) -> Part:
    """Return a cell of a row that holds several series; in parentheses where its own level is excluded."""
    if (number.address.series, number.address.level) not in analysis.spoilt:
        return number
    return say(zh="（{n}）", en="({n})", n=number)


def row_name(analysis: Analysis, places: Sequence[Place]) -> LevelName:
    """Return the name of a row that holds several series; struck through only where all their levels are excluded."""
    sound = [(series, level) for series, level in places if (series.id, level.id) not in analysis.spoilt]
    series, level = (sound or list(places))[0]
    return LevelName(series.id, level.id)


IN_PARENTHESES = say(zh="括号里的数出自已排除的档位。", en="Numbers in parentheses are of excluded levels.")


def slope_is_told(analysis: Analysis, series: Series) -> bool:
    """Say whether the slope of the step is known, and does not rest on small single runs."""
    slope = analysis.frame.of_series("marginal_step_cost", series.id)
    ends = {one.address.level for one in slope.inputs}
    levels = [level for level in series.levels if level.id in ends and level.from_runs]
    return slope.value is not None and not any(is_small_run(analysis, (series, level)) for level in levels)


def slope_ends(analysis: Analysis, series: Series) -> tuple[LevelName, LevelName]:
    """Return the levels between which the slope of the step is taken, where it is told."""
    inputs = analysis.frame.of_series("marginal_step_cost", series.id).inputs
    first, last = (LevelName(series.id, one.address.level or "") for one in inputs if one.name == "itl_p50")
    return first, last


def by_kind_of_data(series: Iterable[Series], *, runs: Text, table: Text) -> Sentence:
    """Return the advice that fits the data: for the files of runs, or for a table of results."""
    return Sentence(runs if any(level.from_runs for one in series for level in one.levels) else table)


def has_requests(analysis: Analysis, place: Place) -> bool:
    """Say whether any run of a level is there request by request."""
    series, level = place
    return any((series.id, level.id, trial) in analysis.round.requests for trial in level.runs)


def why_spoilt(analysis: Analysis, place: Place) -> Sentence | None:
    """Return why conclusions leave a level out; None where they rest on it."""
    series, level = place
    spoilt = analysis.spoilt.get((series.id, level.id))
    return spoilt.message if spoilt else None


def left_undrawn(analysis: Analysis) -> list[Sentence]:
    """Say what a figure over the load leaves out, where levels of another kind would need another axis."""
    drawn, *others = analysis.round.load_kinds
    if not others:
        return []
    return [
        say(
            zh="只画出同一种负载（{drawn}）的档位；其余档位的负载是另一种量，不能放在同一根轴上。",
            en="Drawn are the levels of one kind of load ({drawn}); the load of the others has no place on this axis.",
            drawn=LOAD_LABELS[drawn],
        )
    ]


def highest(found: Sequence[tuple[float, Level]]) -> Level:
    """Return the level with the largest number, the first of several."""
    return max(found, key=itemgetter(0))[1]


def lowest(found: Sequence[tuple[float, Level]]) -> Level:
    """Return the level with the smallest number, the first of several."""
    return min(found, key=itemgetter(0))[1]


def amount(analysis: Analysis, metric: str, place: Place) -> float | None:
    """Return a number of a level in base units; None where it is unknown."""
    series, level = place
    return analysis.frame.of_level(metric, series.id, level.id).value


def numbers_of(analysis: Analysis, series: Series) -> NumberOf:
    """Return what looks up the numbers of the levels of a series."""
    return lambda level, metric: amount(analysis, metric, (series, level))


def number_at(analysis: Analysis, address: Address) -> float | None:
    """Return a number in base units; None where it is unknown, or where a table has no such number as runs have."""
    return next((value.value for value in analysis.frame.known([address])), None)


def known_addresses(analysis: Analysis, addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return those of some addresses at which there is a number."""
    return tuple(value.address for value in analysis.frame.known(addresses))


def place_row(analysis: Analysis, place: Place, *cells: Part, with_series: bool = True) -> Row:
    """Return a row that begins with the names of the series and the level it is of."""
    series, level = place
    head: tuple[Part, ...] = (SeriesName(series.id),) if with_series else ()
    return Row((*head, LevelName(series.id, level.id), *cells), why_spoilt(analysis, place))


def level_table(
    analysis: Analysis, key: str, caption: Sentence, columns: Iterable[Shown], places: Sequence[Place]
) -> Table:
    """Return a table with a row for each level; what is known at none of them has no column.

    The series stands in the first column, unless all levels are of the same one.
    """
    shown = [one for one in columns if any(amount(analysis, one.metric, place) is not None for place in places)]
    with_series = len({series.id for series, _ in places}) > 1
    headings = [Heading(Sentence(analysis.round.load_label)), *(Heading(Sentence(c.label), c.unit) for c in shown)]
    if with_series:
        headings.insert(0, PLACE_HEADINGS[0])
    rows = (
        place_row(analysis, place, *(one.cell(*place) for one in shown), with_series=with_series) for place in places
    )
    return Table(key, caption, tuple(headings), tuple(rows))
