"""Two rounds compared with each other, as a page and as the command line print them in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from generator.analysis.graph import Graph
from generator.comparing import telling
from generator.comparing.affects import affects_of, shown_sides
from generator.comparing.conclusions import Conclusion, Stated
from generator.comparing.deciding import SAID_BY
from generator.comparing.fates import FATES, Flaw
from generator.comparing.held import Held, SharedSetting
from generator.comparing.records import Setting, SettingStatus
from generator.comparing.states import ABSENT, QUIET, STATES, counts_of, ordered, state_of
from generator.kinds import Metric
from generator.render.diff import words as diff_words
from generator.render.diff.numbers import amount, percent
from generator.render.diff.printer import DiffPrinter, diff_printer
from generator.render.diff.rows import RowPrinter, RowView, Side
from generator.render.diff.shown import ConclusionView, FlawGroup, FlawView, SettingView, SideFinding, Tally
from generator.render.diff.summary import summary
from generator.render.views.figure import FigureView
from generator.render.views.finding_groups import PAGE, finding_id
from generator.render.wording.numbers import UNKNOWN, Printer, unit_sign
from generator.render.wording.phrases import STATUSES
from generator.text import Lang, Text, counted, same
from generator.told.findings import Finding
from generator.told.sentence import Quantity, SeriesName
from generator.values import Address

FILLED: Final = ("title", "lead", "flaws_of_base", "flaws_of_head", "flaws_lead", "absent_rows", "from_to")
"""Words that name the rounds."""
PREDICTED: Final = "predicted_speedup"
"""The conclusion that rests on how floors are counted."""
STATUS_ORDER: Final[tuple[SettingStatus, ...]] = ("different", "unknown", "equal")


Sides = tuple[Printer, Printer]
"""What prints the base round alone, and the head round."""


@dataclass(frozen=True)
class DiffView:
    """A comparison in one language."""

    held: Held
    printer: DiffPrinter
    sides: Sides
    figures: Mapping[str, FigureView]
    data: str = ""

    @property
    def lang(self) -> Lang:
        """Return the language."""
        return self.printer.lang

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

    @staticmethod
    def shared_grounds(rows: Sequence[RowView]) -> tuple[str, ...]:
        """Return what keeps all of several rows from a verdict alike: it is said once, above them."""
        first = rows[0].grounds if len(rows) > 1 else ()
        return tuple(one for one in first if all(one in row.grounds for row in rows))

    @property
    def absent(self) -> tuple[RowView, ...]:
        """Return the rows that were not compared."""
        return tuple(row for row in self.rows if row.state in ABSENT)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Return how many rows have each state."""
        numbers = counts_of(self.held.comparison.differences)
        return tuple(Tally(self._name(STATES[state]), diff_words.STATE_LOOKS[state], n) for state, n in numbers.items())

    @property
    def summary(self) -> str:
        """Return what it comes to, in a sentence."""
        compared = self.held.comparison
        confounded = (row for row in compared.differences if row.verdict == "confounded")
        changed = {one.path for row in confounded for one in row.changed}
        return summary(self.rows, len(changed), compared.banner.standing, self.lang)

    def _name(self, text: Text) -> str:
        """Return a text that speaks of the sides, with the names of the rounds."""
        return text[self.lang].format(**self.held.names)

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
        told = tuple(map(self.printer.plain_sentence, self.held.comparison.banner.reasons))
        single = any(telling.ONE_RUN in row.reasons for row in self.held.comparison.differences)
        return (*told, self.printer.plain_sentence(telling.ONE_RUN)) if single else told

    @property
    def gate(self) -> str:
        """Return what the primary metric says."""
        compared = self.held.comparison
        told = diff_words.GATES[compared.gate][self.lang]
        if not compared.left_out or compared.gate in (None, "not_comparable"):
            return told
        return told + diff_words.LEFT_OUT.format(n=compared.left_out)[self.lang]

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
    def terms(self) -> tuple[str, ...]:
        """Return what was set for this comparison alone, and by whom: margins and thresholds of metrics, pairs."""
        decided = self.held.decided
        margins = [self._share_of("margin_of", self._measure(one.of), one.share, one.by) for one in decided.margins]
        thresholds = [self._share_of("threshold_of", self._measure(one.of), one.share, one.by)
                      for one in decided.thresholds]  # fmt: skip
        if decided.options.threshold is not None:
            everything, by = diff_words.WORDS["all_metrics"][self.lang], SAID_BY["command"]
            thresholds.append(self._share_of("threshold_of", everything, decided.options.threshold, by))
        return (*margins, *thresholds, *map(self._pair, decided.options.pairs.items()))

    def _share_of(self, key: str, metric: str, share: float, by: Text) -> str:
        told = percent(share, self.lang, signed=False)
        return diff_words.WORDS[key][self.lang].format(metric=metric, margin=told, by=by[self.lang])

    def _measure(self, name: str) -> str:
        """Return what a metric is called; a quantity is called by its letters."""
        metric = self.printer.graph.metrics.get((name, None))
        return name.upper() if metric is None else metric.title[self.lang]

    def _pair(self, pair: tuple[str, str]) -> str:
        by = self.held.decided.pairs_by[pair[1]][self.lang]
        return diff_words.WORDS["pair_of"][self.lang].format(base=pair[0], head=pair[1], by=by)

    @property
    def methods(self) -> tuple[tuple[str, str, int], ...]:
        """Return the methods that rows were judged by: name, assumptions, and how many rows."""
        rows = self.held.comparison.differences
        used = Counter(row.method for row in rows if row.method not in ("none", "identical"))
        names, assumed, lang = telling.METHODS, telling.ASSUMPTIONS, self.lang
        return tuple((names[one][lang], assumed[one][lang], n) for one, n in used.items())

    @property
    def grades(self) -> tuple[tuple[str, str, int], ...]:
        """Return how far rows can be trusted: the grade, what it says, and how many rows have it."""
        counted = Counter(row.grade for row in self.held.comparison.differences if row.grade is not None)
        return tuple((one, diff_words.GRADES[one][self.lang], counted[one]) for one in sorted(counted))

    @property
    def correction(self) -> str:
        """Return how p values were adjusted; nothing where none was."""
        rows = self.held.comparison.differences
        adjusted = any(row.p_adjusted not in (None, row.p) for row in rows)
        return diff_words.CORRECTION[self.lang] if adjusted else ""

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
        return self._settings(lambda one: not (one.is_fingerprint or one.is_counting))

    @property
    def fingerprint(self) -> Mapping[SettingStatus, tuple[SettingView, ...]]:
        """Return what it ran on, by how the sides stand."""
        return self._settings(lambda one: one.is_fingerprint)

    @property
    def floors(self) -> Mapping[SettingStatus, tuple[SettingView, ...]]:
        """Return how floors are counted, by how the sides stand."""
        return self._settings(lambda one: one.is_counting)

    @property
    def is_predicted_otherwise(self) -> bool:
        """Say whether a speed-up that bytes predict is listed, though floors are not counted alike on both sides."""
        is_otherwise = any(one.is_counting and one.status != "equal" for one in self.held.settings)
        return is_otherwise and any(one.address.metric == PREDICTED for one in self.held.conclusions)

    def _settings(self, is_meant: Callable[[SharedSetting], bool]) -> Mapping[SettingStatus, tuple[SettingView, ...]]:
        paths = list(dict.fromkeys(one.setting.path for one in self.held.settings))
        chosen = [one for one in self.held.settings if is_meant(one)]
        chosen.sort(key=lambda one: paths.index(one.setting.path))
        return {status: tuple(self._setting(one) for one in chosen if one.status == status) for status in STATUS_ORDER}

    def _setting(self, shared: SharedSetting) -> SettingView:
        one, lang = shared.setting, self.lang
        of_all = len(shared.series) == len(self.held.comparison.pairs)
        names = diff_words.joined((self.printer.plain(SeriesName(name)) for name in shared.series), lang)
        return SettingView(
            one.path, *diff_words.title_and_flag(one, lang), affects_of(one.path)[lang],
            *self._sides_of(one),
            one.status, diff_words.SETTING_STATES[one.status][lang], "" if of_all else names,
        )  # fmt: skip

    def _sides_of(self, setting: Setting) -> tuple[str, str]:
        base, head = zip((setting.base, setting.head), shown_sides(setting), strict=True)
        return diff_words.side_text(*base)[self.lang], diff_words.side_text(*head)[self.lang]

    @property
    def conclusions(self) -> tuple[ConclusionView, ...]:
        """Return what both rounds conclude of their pairs."""
        return tuple(map(self._conclusion, self.held.conclusions))

    def _conclusion(self, one: Conclusion) -> ConclusionView:
        metric, ratio, (base, head) = self.printer.metric(one.address), one.ratio, self.sides
        return ConclusionView(
            self._concluded(metric), unit_sign(metric.unit, metric.style) or self._load(one),
            self.printer.plain(SeriesName(one.address.series or "")),
            self._stated(one.base_address, one.base, base), self._stated(one.address, one.head, head),
            UNKNOWN if ratio is None or one.is_load else percent(ratio - 1, self.lang),
            " → ".join(map(_around, (one.base, one.head))) if one.is_load else UNKNOWN,
        )  # fmt: skip

    def _concluded(self, metric: Metric) -> str:
        """Return what a conclusion is called, with its basis where other pages print it on another one."""
        return metric.title[self.lang] + diff_words.BASES.get(metric.key, same(""))[self.lang]

    @property
    def conclusions_caption(self) -> str:
        """Return which series are compared with which baseline."""
        names = (self.printer.plain(SeriesName(one.address.series or "")) for one in self.held.conclusions)
        baseline = self.held.head.round.file.round.baseline
        against = "" if baseline is None else self.printer.plain(SeriesName(baseline))
        return self.phrases["conclusions_caption"].format(series=diff_words.joined(names, self.lang), baseline=against)

    def _load(self, one: Conclusion) -> str:
        """Return the sign of a load, of conclusions that are one."""
        return "C" if one.is_load else ""

    def _stated(self, address: Address, stated: Stated, printer: Printer) -> Side:
        if stated.claim is not None:
            told = diff_words.stated_text(stated.claim.claim)
            return Side(told + diff_words.WORDS["as_stated"][self.lang])
        value = printer.value(address)
        if value is not None and value.value is not None:
            return Side(printer.amount(Quantity(address, decimals=2)), printer.anchors[address])
        return Side(amount(stated.value, self.printer.metric(address), self.lang))

    @property
    def flaws(self) -> tuple[FlawView, ...]:
        """Return what became of the findings, those of the base round first."""
        return tuple(flaw for group in self.flaw_groups for flaw in group.flaws)

    @cached_property
    def flaw_groups(self) -> tuple[FlawGroup, ...]:
        """Return the findings of the base round with what became of them, and those that the head alone has."""
        of_base = [one for one in self.held.flaws if one.is_of_base]
        of_head = [one for one in self.held.flaws if not one.is_of_base]
        groups = (self._flaw_group("flaws_of_base", of_base), self._flaw_group("flaws_of_head", of_head))
        return tuple(one for one in groups if one.flaws)

    def _flaw_group(self, key: str, flaws: Sequence[Flaw]) -> FlawGroup:
        fates = Counter(one.fate for one in flaws)
        tallies = (Tally(self._name(diff_words.FATES[one]), diff_words.FATE_LOOKS[one], fates[one])
                   for one in FATES if fates[one])  # fmt: skip
        return FlawGroup(key, counted(self.phrases[key], n=len(flaws)), tuple(map(self._flaw, flaws)), tuple(tallies))

    def _flaw(self, flaw: Flaw) -> FlawView:
        base, head = self.sides
        return FlawView(
            flaw.check, self.printer.analysis.titles[flaw.check][self.lang],
            "" if flaw.series is None else self.printer.plain(SeriesName(flaw.series)),
            self._name(diff_words.FATES[flaw.fate]), diff_words.FATE_LOOKS[flaw.fate],
            _side_finding(base, flaw.base), _side_finding(head, flaw.head),
        )  # fmt: skip

    @property
    def phrases(self) -> dict[str, str]:
        """Return the words of the page."""
        found = diff_words.words(self.lang)
        return {**found, **{key: _filled(found[key], self.held.names) for key in FILLED}}


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """Fill what is known of a text, and leave the rest for later."""
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text


def _around(stated: Stated) -> str:
    """Return the levels on either side of a crossover."""
    return UNKNOWN if stated.between is None else "–".join(level.name for level in stated.between)


def _side_finding(printer: Printer, finding: Finding | None) -> SideFinding | None:
    if finding is None:
        return None
    side, message = printer.analysis, printer.plain_sentence(finding.message)
    label = STATUSES[finding.status][printer.lang]
    return SideFinding(finding.status, label, message, side.round.id, f"{PAGE}#{finding_id(side, finding)}")


def diff_view(held: Held, graph: Graph, lang: Lang) -> DiffView:
    """Return a comparison as the command line prints it."""
    return DiffView(held, printer_of(held, graph, lang), sides_of(held, graph, lang), {})


def sides_of(held: Held, graph: Graph, lang: Lang) -> Sides:
    """Return what prints the base round and the head round alone."""
    return Printer(held.base, graph, lang), Printer(held.head, graph, lang)


def printer_of(held: Held, graph: Graph, lang: Lang) -> DiffPrinter:
    """Return the printer of a comparison."""
    return diff_printer(held.base, held.head, graph, lang, held.decided.options.pairs)
