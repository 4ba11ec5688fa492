"""Two rounds held against each other, as a page and as the command line print them in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from generator.analysis.graph import Graph
from generator.comparing import telling
from generator.comparing.affects import affects_of, shown
from generator.comparing.conclusions import Conclusion, Stated
from generator.comparing.fates import Flaw
from generator.comparing.held import Held, SharedSetting
from generator.comparing.records import Setting, SettingStatus
from generator.comparing.states import ABSENT, QUIET, STATES, counts_of, ordered, state_of
from generator.findings import Finding, Status
from generator.render import diff_words
from generator.render.diff_numbers import amount, percent
from generator.render.diff_printer import DiffPrinter, diff_printer
from generator.render.diff_rows import RowPrinter, RowView
from generator.render.figure_view import FigureView
from generator.render.finding_groups import PAGE, finding_id
from generator.render.numbers import UNKNOWN, Printer, unit_sign
from generator.render.phrases import STATUSES
from generator.sentence import Quantity, SeriesName
from generator.text import Lang

STATUS_ORDER: Final[tuple[SettingStatus, ...]] = ("different", "unknown", "equal")


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting of both sides; ``series`` are those that have it so, empty where all have."""

    path: str
    title: str
    affects: str
    base: str
    head: str
    status: SettingStatus
    label: str
    series: str


@dataclass(frozen=True, slots=True)
class SideFinding:
    """What a check said on one side: its status and sentence, and where it is told whole."""

    status: Status
    label: str
    message: str
    round_id: str
    anchor: str


@dataclass(frozen=True, slots=True)
class FlawView:
    """What became of a finding."""

    check: str
    title: str
    series: str
    fate: str
    looks: str
    base: SideFinding | None
    head: SideFinding | None


@dataclass(frozen=True, slots=True)
class ConclusionView:
    """What both rounds conclude of a pair."""

    title: str
    unit: str
    series: str
    base: str
    head: str
    change: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows have a state."""

    label: str
    looks: str
    number: int


@dataclass(frozen=True)
class DiffView:
    """A comparison in one language."""

    held: Held
    printer: DiffPrinter
    figures: Mapping[str, FigureView]
    data: str = ""

    @property
    def lang(self) -> Lang:
        """Return the language."""
        return self.printer.lang

    @cached_property
    def sides(self) -> tuple[Printer, Printer]:
        """Return what prints the base round and the head round alone."""
        graph, lang = self.printer.graph, self.lang
        return Printer(self.held.base, graph, lang), Printer(self.held.head, graph, lang)

    @cached_property
    def rows(self) -> tuple[RowView, ...]:
        """Return all rows, those that matter most first."""
        return RowPrinter(self.held, self.printer, *self.sides).rows(ordered(self.held.comparison.differences))

    @property
    def loud(self) -> tuple[RowView, ...]:
        """Return the rows that are shown at once."""
        return tuple(row for row in self.rows if row.state not in QUIET | ABSENT)

    @property
    def quiet(self) -> tuple[RowView, ...]:
        """Return the rows in which nothing was found."""
        return tuple(row for row in self.rows if row.state in QUIET)

    @property
    def absent(self) -> tuple[RowView, ...]:
        """Return the rows that were not compared."""
        return tuple(row for row in self.rows if row.state in ABSENT)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Return how many rows have each state."""
        counted = counts_of(self.held.comparison.differences)
        return tuple(Tally(STATES[state][self.lang], diff_words.STATE_LOOKS[state], n) for state, n in counted.items())

    @property
    def standing(self) -> str:
        """Return whether the rounds can be compared, in a word or two."""
        return diff_words.STANDINGS[self.held.comparison.banner.standing][self.lang]

    @property
    def standing_looks(self) -> str:
        """Return how that is coloured."""
        return diff_words.STANDING_LOOKS[self.held.comparison.banner.standing]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why they cannot, or not wholly."""
        return tuple(map(self.printer.plain_sentence, self.held.comparison.banner.reasons))

    @property
    def gate(self) -> str:
        """Return what the primary metric says."""
        return diff_words.GATES[self.held.comparison.gate][self.lang]

    @property
    def primary(self) -> str:
        """Return the sentence that names the primary metric, and who chose it."""
        metric = self.printer.graph.metrics[self.held.comparison.primary, None]
        by = self.held.decided.primary_by[self.lang]
        return diff_words.WORDS["gate"][self.lang].format(metric=metric.title[self.lang], by=by)

    @property
    def margin(self) -> str:
        """Return the sentence that names the margin, and who chose it."""
        share = percent(self.held.decided.options.margin, self.lang, signed=False)
        by = self.held.decided.margin_by[self.lang]
        return diff_words.WORDS["margin"][self.lang].format(margin=share, by=by)

    @property
    def methods(self) -> tuple[tuple[str, str, int], ...]:
        """Return the methods that rows were judged by: name, assumptions, and how many rows."""
        rows = self.held.comparison.differences
        used = Counter(row.method for row in rows if row.method not in ("none", "identical"))
        names, assumed, lang = telling.METHODS, telling.ASSUMPTIONS, self.lang
        return tuple((names[one][lang], assumed[one][lang], n) for one, n in used.items())

    @property
    def shared_reasons(self) -> tuple[tuple[str, int], ...]:
        """Return what holds for many rows, with how many."""
        rows = [row for row in self.held.comparison.differences if state_of(row) not in ABSENT]
        said = Counter(self.printer.plain_sentence(one) for row in rows for one in row.reasons
                       if one.text in telling.USUAL_REASONS)  # fmt: skip
        return tuple(said.items())

    @property
    def configuration(self) -> Mapping[SettingStatus, tuple[SettingView, ...]]:
        """Return what was chosen, by how the sides stand."""
        return self._settings(is_fingerprint=False)

    @property
    def fingerprint(self) -> Mapping[SettingStatus, tuple[SettingView, ...]]:
        """Return what it ran on, by how the sides stand."""
        return self._settings(is_fingerprint=True)

    def _settings(self, *, is_fingerprint: bool) -> Mapping[SettingStatus, tuple[SettingView, ...]]:
        chosen = [one for one in self.held.settings if one.is_fingerprint == is_fingerprint]
        return {status: tuple(self._setting(one) for one in chosen if one.status == status) for status in STATUS_ORDER}

    def _setting(self, shared: SharedSetting) -> SettingView:
        one, lang = shared.setting, self.lang
        of_all = len(shared.series) == len(self.held.comparison.pairs)
        names = diff_words.joined((self.printer.plain(SeriesName(name)) for name in shared.series), lang)
        return SettingView(
            one.path, diff_words.setting_title(one)[lang], affects_of(one.path)[lang],
            self._side(one, one.base), self._side(one, one.head),
            one.status, diff_words.SETTING_STATES[one.status][lang], "" if of_all else names,
        )  # fmt: skip

    def _side(self, setting: Setting, text: str | None) -> str:
        return diff_words.side_text(text, shown(setting.path, text or ""))[self.lang]

    @property
    def conclusions(self) -> tuple[ConclusionView, ...]:
        """Return what both rounds conclude of their pairs."""
        return tuple(map(self._conclusion, self.held.conclusions))

    def _conclusion(self, one: Conclusion) -> ConclusionView:
        metric, ratio, (base, head) = self.printer.metric(one.address), one.ratio, self.sides
        return ConclusionView(
            metric.title[self.lang], unit_sign(metric.unit, metric.style),
            self.printer.plain(SeriesName(one.address.series or "")),
            self._stated(one, one.base, base), self._stated(one, one.head, head),
            UNKNOWN if ratio is None else percent(ratio - 1, self.lang),
        )  # fmt: skip

    def _stated(self, one: Conclusion, stated: Stated, printer: Printer) -> str:
        if stated.claim is not None:
            told = diff_words.stated_text(stated.claim.claim)
            return told + diff_words.WORDS["as_stated"][self.lang]
        value = printer.value(one.address)
        if value is not None and value.value is not None:
            return printer.amount(Quantity(one.address, decimals=2))
        return amount(stated.value, self.printer.metric(one.address), self.lang)

    @cached_property
    def flaws(self) -> tuple[FlawView, ...]:
        """Return what became of the findings."""
        return tuple(map(self._flaw, self.held.flaws))

    def _flaw(self, flaw: Flaw) -> FlawView:
        base, head = self.sides
        return FlawView(
            flaw.check, self.printer.analysis.titles[flaw.check][self.lang],
            "" if flaw.series is None else self.printer.plain(SeriesName(flaw.series)),
            diff_words.FATES[flaw.fate][self.lang], diff_words.FATE_LOOKS[flaw.fate],
            _side_finding(base, flaw.base), _side_finding(head, flaw.head),
        )  # fmt: skip

    @property
    def phrases(self) -> dict[str, str]:
        """Return the words of the page."""
        filled = {"base": self.held.base.round.id, "head": self.held.head.round.id}
        found = diff_words.words(self.lang)
        return {**found, **{key: found[key].format(**filled) for key in ("title", "lead")}}


def _side_finding(printer: Printer, finding: Finding | None) -> SideFinding | None:
    if finding is None:
        return None
    side, message = printer.analysis, printer.plain_sentence(finding.message)
    label = STATUSES[finding.status][printer.lang]
    return SideFinding(finding.status, label, message, side.round.id, f"{PAGE}#{finding_id(side, finding)}")


def diff_view(held: Held, graph: Graph, lang: Lang) -> DiffView:
    """Return a comparison as the command line prints it."""
    return DiffView(held, diff_printer(held.base, held.head, graph, lang), {})
