"""The rows of a comparison as every format prints them: text in one language, numbers rounded once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from generator.comparing import telling
from generator.comparing.held import Held
from generator.comparing.records import Difference, Measured
from generator.comparing.states import QUIET, STATES, State, state_of
from generator.kinds import Metric
from generator.render.diff.numbers import amount, chance, difference, interval, percent, threshold
from generator.render.diff.printer import DiffPrinter
from generator.render.diff.words import (
    ADJUSTED,
    CONFOUNDED_BY,
    OUTPUT_LENGTH,
    PERHAPS,
    STATE_LOOKS,
    joined,
    names_of,
    titles,
)
from generator.render.wording.numbers import UNKNOWN, Printer, unit_sign
from generator.render.wording.phrases import ARROWS
from generator.text import Text
from generator.told.sentence import LevelName, Quantity, SeriesName
from generator.values import Address


@dataclass(frozen=True, slots=True)
class Side:
    """A number of one side as it is printed, and its anchor on that round's page of derivations, if it has one."""

    text: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class RowView:
    """One row in one language; ``why`` are sentences, ``looks`` is how its state is coloured."""

    address: Address
    series: str
    accent: int
    level: str
    metric: str
    unit: str
    arrow: str
    base: Side
    head: Side
    difference: str
    change: str
    state: State
    label: str
    looks: str
    threshold: str
    interval: str
    p: str
    n: str
    method: str
    why: tuple[str, ...]
    grounds: tuple[str, ...]
    """Those of them that say what else changed, or may have."""
    is_primary: bool
    grade: str


@dataclass(frozen=True, slots=True)
class RowPrinter:
    """Prints the rows of one comparison in one language."""

    held: Held
    printer: DiffPrinter
    base: Printer
    head: Printer

    def rows(self, differences: Iterable[Difference]) -> tuple[RowView, ...]:
        """Return rows as they are printed."""
        return tuple(map(self.row, differences))

    def row(self, row: Difference) -> RowView:
        """Return one row as it is printed."""
        metric, lang, state = self._metric(row), self.printer.lang, state_of(row)
        series, level = row.address.series or "", row.address.level or ""
        grounds = () if state in QUIET else tuple(self._grounds(row))
        return RowView(
            address=row.address,
            series=self._series(series),
            accent=self.printer.accent(series),
            level=self.printer.plain(LevelName(series, level)),
            metric=metric.title[lang],
            unit=unit_sign(metric.unit, metric.style),
            arrow=ARROWS[row.better][lang],
            base=self._side(row, row.base, self.base, self.held.comparison.base_series(series)),
            head=self._side(row, row.head, self.head, series),
            difference=difference(row, metric, lang),
            change=UNKNOWN if row.method == "exact" else percent(row.change, lang),
            state=state,
            label=STATES[state][lang].format(**self.held.names),
            looks=STATE_LOOKS[state],
            threshold=threshold(row, lang),
            interval=interval(row, lang),
            p=self._chance(row),
            n=f"{self._count(row.base)} / {self._count(row.head)}",
            method=telling.METHODS[row.method][lang],
            why=(*grounds, *self._why(row)),
            grounds=grounds,
            is_primary=row.is_primary,
            grade=row.grade or "",
        )

    def _series(self, series: str) -> str:
        """Return the name of a series; where the base round calls it otherwise, both of them."""
        before = self.held.comparison.base_series(series)
        names = (self.base.plain(SeriesName(before)), self.head.plain(SeriesName(series)))
        if before == series:
            return self.printer.plain(SeriesName(series))
        return " → ".join(dict.fromkeys(names if names[0] != names[1] else (before, series)))

    def _metric(self, row: Difference) -> Metric:
        return self.printer.metric(row.address)

    def _side(self, row: Difference, side: Measured, printer: Printer, series: str) -> Side:
        """Return the number of a side: as its report prints it where it is one run's, else the mean of the trials."""
        if row.method == "exact":
            return Side(f"{amount(side.value, self._metric(row), self.printer.lang)}/{side.n}")
        address = row.address._replace(series=series)
        value = printer.value(address)
        if side.trials == 1 and value is not None and value.value == side.value:
            return Side(printer.amount(Quantity(address)), printer.anchors[address])
        return Side(amount(side.value, self._metric(row), self.printer.lang))

    def _chance(self, row: Difference) -> str:
        own = chance(row.p, self.printer.lang)
        if row.p_adjusted is None or row.p_adjusted == row.p:
            return own
        lang = self.printer.lang
        return ADJUSTED[lang].format(p=own, adjusted=chance(row.p_adjusted, lang))

    def _count(self, side: Measured) -> str:
        if side.value is None:
            return UNKNOWN
        return amount(
            float(side.n or side.trials), self.printer.metric(Address("requests", "level")), self.printer.lang
        )

    def _grounds(self, row: Difference) -> Iterable[str]:
        """Yield what changed beside the row, or may have."""
        lang = self.printer.lang
        if row.grade == "D":
            other_output = [OUTPUT_LENGTH[lang]] if telling.OTHER_OUTPUT in row.reasons else []
            yield CONFOUNDED_BY[lang].format(what=joined([*other_output, *names_of(row.changed, lang)], lang))
            unknown = self.held.unknown_of(row.address.series or "")
            if unknown:
                yield PERHAPS[lang].format(what=titles(unknown, lang))

    def _why(self, row: Difference) -> Iterable[str]:
        """Yield what is particular to the row: what most rows share is told once below the table."""
        lang = self.printer.lang
        for reason in row.reasons:
            if reason == telling.SPOILT:
                yield from self._spoilt(row)
            elif reason.text not in telling.USUAL_REASONS:
                yield self.printer.plain_sentence(reason)
        if row.estimate is not None and row.estimate.detectable is not None and row.verdict == "inconclusive":
            yield DETECTABLE[lang].format(change=percent(row.estimate.detectable, lang, signed=False))

    def _spoilt(self, row: Difference) -> Iterable[str]:
        """Yield which checks the level did not pass, and in which round."""
        series, level = row.address.series or "", row.address.level or ""
        sides = ((self.base, self.held.comparison.base_series(series)), (self.head, series))
        for printer, id_ in sides:
            finding = printer.analysis.spoilt.get((id_, level))
            if finding is not None:
                title = printer.analysis.titles.get(finding.check)
                told = {"round": printer.analysis.round.id, "check": "" if title is None else title[printer.lang]}
                yield SPOILT_IN[printer.lang].format(**told)


SPOILT_IN: Final = Text(
    zh="{round} 的这一档没有通过自检：{check}。", en="In {round} this level failed a self-check: {check}."
)
DETECTABLE: Final = Text(
    zh="这样的几次运行大多只测得出 {change} 以上的差别。",
    en="Trials like these are likely to detect only differences of about {change} and more.",
)
