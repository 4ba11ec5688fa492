"""Numbers, names and sentences as text and as HTML; and formulas with symbols or with numbers in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from markupsafe import Markup, escape

from generator.analysis.graph import Graph
from generator.frame import Analysis
from generator.kinds import Metric
from generator.model import NARROW_SPACE, NO_BREAK_SPACE
from generator.render.plotting.palette import ACCENTS
from generator.render.wording.anchors import anchors
from generator.render.wording.isolation import isolated, whole_id
from generator.render.wording.level_names import level_names
from generator.render.wording.rounding import MANY_TIMES, exact, half_up, usual_decimals, written
from generator.render.wording.vocabulary import in_words
from generator.text import LANGS, Lang, Text, agreed, fitted
from generator.told.figure_model import OF_NO_SERIES
from generator.told.sentence import (
    Count,
    LevelName,
    Listing,
    Part,
    Quantity,
    RoundName,
    SectionLink,
    Sentence,
    SeriesName,
    Style,
)
from generator.units import UNITLESS, from_base
from generator.values import Address, Value

UNKNOWN: Final = "—"

THE_LOAD: Final = Text(zh="负载", en="the load")
"""What is shown of no series is of the load that users have."""

ATTACHED: Final = frozenset({"%", "×"})
"""Signs that stand close to their number."""

COUNTED: Final = frozenset({"1", "tok"})
"""Units of what is counted: a whole number of them has no decimals, whatever it was computed from."""

EXACT_COUNT: Final = 9
"""Digits from which on a metric is a count whose every digit is printed; a median of trials may end in a half."""

CURRENCY: Final = "¤"
"""Stands in units for the currency that the round declares."""

Piece = Markup | int
Pieces = tuple[Piece, ...]
"""The numbers of a formula, in pieces: HTML, and for each number the place of its input among those of the value."""


SHARED: Final = ("anchors", "shown", "pieces")
"""What a printer has found that is the same in each language."""


@dataclass(frozen=True)  # no slots: the ids are found once, when the first is asked for
class Printer:
    """Prints what is known of one round in one language."""

    analysis: Analysis
    graph: Graph
    lang: Lang
    pages: Mapping[str, str] = field(default_factory=dict)
    """Section, figure or table -> the page of the round that has it, where that is not the page that is printed."""

    @cached_property
    def anchors(self) -> Mapping[Address, str]:
        """Return the id that each value has on the page of derivations."""
        return anchors(self.analysis.frame.values)

    def on_page(self, pages: Mapping[str, str]) -> Printer:
        """Return the same for another page of the round; the ids, of which there are thousands, stay found."""
        made = replace(self, pages=pages)
        made.__dict__.update({name: getattr(self, name) for name in (*SHARED, "names", "formulas")})
        return made

    def in_language(self, lang: Lang) -> Printer:
        """Return the same in another language; what no language changes stays found."""
        made = replace(self, lang=lang)
        made.__dict__.update({name: getattr(self, name) for name in SHARED})
        return made

    @cached_property
    def shown(self) -> dict[Quantity, Markup]:
        """Return the numbers that were printed so far, to be looked up: most are told many times, in each language."""
        return {}

    @cached_property
    def names(self) -> dict[SeriesName | LevelName | RoundName, Markup]:
        """Return the names that were printed so far."""
        return {}

    @cached_property
    def formulas(self) -> dict[tuple[str | None, ...], Markup]:
        """Return the formulas that were written so far with their symbols, by metric, basis, formula and series."""
        return {}

    @cached_property
    def pieces(self) -> dict[tuple[object, ...], Pieces]:
        """Return the formulas that were taken to pieces so far, by the same and the names of the inputs."""
        return {}

    def value(self, address: Address) -> Value | None:
        """Return the value at an address; None where the round has no such thing."""
        return self.analysis.frame.values.get(address)

    def metric(self, address: Address) -> Metric:
        """Return the metric of an address. One that nobody declared raises KeyError: a defect."""
        return self.graph.metrics[address.metric, address.basis]

    def accent(self, series: str) -> int:
        """Return the number of the colour that a series has everywhere."""
        return self.analysis.round.accents[series] % ACCENTS if series != OF_NO_SERIES else 0

    def amount(self, quantity: Quantity) -> str:
        """Return the number alone, rounded once from the unrounded value; a dash where it is unknown.

        Decimals that were asked for give way where they would make something into nothing.
        """
        metric, value = self.metric(quantity.address), self.value(quantity.address)
        if value is None or value.value is None:
            return UNKNOWN
        style = self._style(quantity)
        number = exact(from_base(value.value, quantity.unit or metric.unit))
        shown = number.scaleb(2) if style == "percent" else number
        typed = _decimals_as_typed(quantity, value, metric) if style == (quantity.style or metric.style) else None
        if typed is not None and (shown.is_zero() or not half_up(shown, typed).is_zero()):
            return written(shown, typed, self.lang)
        decimals = usual_decimals(shown, style, metric.digits)
        if style == "plain" and metric.unit in COUNTED:
            decimals = _decimals_of_count(shown, decimals, exactly=metric.digits >= EXACT_COUNT)
        elif style == "plain" and metric.digits >= EXACT_COUNT:
            decimals = min(decimals, _decimals_there_are(shown))
        return written(shown, decimals, self.lang)

    def unit(self, quantity: Quantity) -> str:
        """Return the unit that is printed behind a number; empty for counts and plain ratios."""
        metric = self.metric(quantity.address)
        return self.in_currency(unit_sign(quantity.unit or metric.unit, self._style(quantity)))

    def _style(self, quantity: Quantity) -> Style:
        """Return how a number is printed: as it is asked for, but so many percent that nobody reads them as times.

        In a column whose head has the unit all numbers are printed alike.
        """
        asked = quantity.style or self.metric(quantity.address).style
        value = self.value(quantity.address)
        if asked != "percent" or quantity.bare or value is None:
            return asked
        return "times" if abs(value.value or 0.0) >= MANY_TIMES else asked

    def in_currency(self, unit: str) -> str:
        """Return a unit with the currency of the round in the place of the sign that stands for any."""
        return unit.replace(CURRENCY, self.analysis.round.file.economics.currency or CURRENCY)

    @cached_property
    def _has_gpu(self) -> bool:
        """Say whether any series may have run on a GPU: of one that nobody describes, that is not ruled out."""
        round_ = self.analysis.round
        return bool(round_.with_gpu) or not round_.series

    def words(self, text: Text) -> str:
        """Return a text in the language of the page, and in the words of the machines of the round."""
        return kept_whole(in_words(text, self.lang, has_gpu=self._has_gpu))

    def plain(self, part: Part) -> str:
        """Return a part of a sentence as text."""
        match part:
            case Quantity():
                text = self.amount(part) + self._spaced_unit(part)
            case SeriesName(series):
                text = self.analysis.round.label(series) if series != OF_NO_SERIES else THE_LOAD[self.lang]
            case LevelName(series, level):
                text = self._level(series, level)
            case RoundName(round_):
                text = round_
            case Count(number):
                text = written(exact(number), 0, self.lang)
            case Listing(parts):
                text = self._joined([self.plain(one) for one in parts])
            case SectionLink(_, words):
                text = self.words(words)
            case Sentence():
                text = self.plain_sentence(part)
            case _:
                text = self.words(part)
        return text

    def plain_sentence(self, sentence: Sentence) -> str:
        """Return a sentence as text."""
        parts = {name: self.plain(part) for name, part in sentence.parts.items()}
        return self._template(sentence, parts).format(**parts)

    def html(self, part: Part) -> Markup:
        """Return a part of a sentence as HTML; numbers open their derivation."""
        match part:
            case Quantity():
                return self._linked_quantity(part)
            case SeriesName() | LevelName() | RoundName():
                if part not in self.names:
                    self.names[part] = self._name(part)
                return self.names[part]
            case SectionLink():
                return self._name(part)
            case Listing(parts):
                return Markup(self._joined([self.html(one) for one in parts]))  # noqa: S704  # all escaped
            case Sentence():
                return self.html_sentence(part)
            case _:
                return isolated(self.plain(part))

    def unlinked(self, part: Part) -> Markup:
        """Return a table cell whose number leads nowhere: the same number is linked where it is told."""
        return escape(self.plain(part)) if isinstance(part, Quantity) else self.html(part)

    def html_sentence(self, sentence: Sentence) -> Markup:
        """Return a sentence as HTML, all of it escaped."""
        parts = {name: self.html(part) for name, part in sentence.parts.items()}
        return escape(self._template(sentence, parts)).format(**parts)

    def _template(self, sentence: Sentence, parts: Mapping[str, str]) -> str:
        text = self.words(sentence.text)
        if not parts:
            return text
        return fitted(text, parts) if self.lang == "zh" else agreed(text, parts)

    def _name(self, part: SeriesName | LevelName | RoundName | SectionLink) -> Markup:
        match part:
            case RoundName(round_):
                return whole_id(round_)
            case SeriesName(series):
                return Markup('<b class="s{}">{}</b>').format(self.accent(series), isolated(self.plain(part)))
            case LevelName(series, level) if (series, level) in self.analysis.spoilt:
                return Markup("<s>{}</s>").format(isolated(self.plain(part)))
            case SectionLink(section, _):
                return Markup('<a href="{}#{}">{}</a>').format(self.pages.get(section, ""), section, self.plain(part))
            case _:
                return isolated(self.plain(part))

    def number(self, quantity: Quantity) -> Markup:
        """Return a number with its unit as HTML, without the way to its derivation: the same in each language."""
        if quantity not in self.shown:
            unit = self._spaced_unit(quantity)
            small = f"<small>{escape(unit)}</small>" if unit else ""
            self.shown[quantity] = Markup(f"{escape(self.amount(quantity))}{small}")  # noqa: S704  # all escaped
        return self.shown[quantity]

    def _linked_quantity(self, quantity: Quantity) -> Markup:
        shown, anchor = self.number(quantity), self.anchors.get(quantity.address)
        return shown if anchor is None else linked(anchor, shown)

    def _spaced_unit(self, quantity: Quantity) -> str:
        value = self.value(quantity.address)
        if quantity.bare or value is None or value.value is None:
            return ""
        return spaced(self.unit(quantity))

    def _level(self, series: str, level: str) -> str:
        return self._level_names.get((series, level), level)

    @cached_property
    def _level_names(self) -> Mapping[tuple[str, str], str]:
        return level_names(self.analysis, self.lang)

    def _joined(self, parts: Sequence[str]) -> str:
        if self.lang == "zh" or len(parts) < 2:  # noqa: PLR2004  # a list of one has no last comma
            return "、".join(parts)
        return f"{', '.join(parts[:-1])} and {parts[-1]}"


def kept_whole(text: str) -> str:
    """Return a text in which no line ends beside the sign that a number is about something: ``C ≈ 8.3``."""
    return text.replace(" ≈ ", f"{NO_BREAK_SPACE}≈{NO_BREAK_SPACE}")


def linked(anchor: str, shown: Markup) -> Markup:
    """Return a number as HTML with the way to its derivation."""
    # there are thousands, and format() takes three times as long
    return Markup(f'<a href="how.html#{anchor}">{shown}</a>')  # noqa: S704  # an anchor is letters and digits


Printers = Mapping[Lang, Printer]


def both(sentence: Sentence, printers: Printers) -> dict[Lang, str]:
    """Return a sentence as text in both languages."""
    return {lang: printers[lang].plain_sentence(sentence) for lang in LANGS}


def unit_sign(unit: str, style: Style) -> str:
    """Return how a unit is printed in a style."""
    if style == "percent":
        return "%"
    if style == "times":
        return "×"
    return "" if unit in UNITLESS else unit


def spaced(unit: str) -> str:
    """Return a unit with the space that it keeps from its number."""
    return unit if unit in ATTACHED or not unit else NARROW_SPACE + unit


def _decimals_as_typed(quantity: Quantity, value: Value, metric: Metric) -> int | None:
    """Return the decimals asked for, else those of the author where the number is printed as it was read."""
    if quantity.decimals is not None:
        return quantity.decimals
    if value.decimals is None or value.formula is not None or (quantity.style or metric.style) != "plain":
        return None
    as_read = {place.unit for place in metric.places} == {quantity.unit or metric.unit}
    return value.decimals if as_read else None


def _decimals_there_are(shown: Decimal) -> int:
    """Return the decimals of a number of which every digit is printed: no zeros behind the last one."""
    exponent = shown.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _decimals_of_count(shown: Decimal, usual: int, *, exactly: bool) -> int:
    """Return the decimals of what is counted: none of a whole number, one at most where a count is printed in full."""
    if shown == shown.to_integral_value():
        return 0
    return min(usual, 1) if exactly else usual
