"""The derivation of each number: its formula, its inputs, where each came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from generator.render.wording.numbers import Printer, numeric, symbolic
from generator.render.wording.phrases import ORIGINS, PHRASES
from generator.render.wording.rounding import with_minus
from generator.text import Lang, Text
from generator.told.sentence import LevelName, Quantity, SeriesName
from generator.units import from_base
from generator.values import Address, Source, Value

IN_CHINESE: Final = (
    (re.compile(r"line (\d+), column (.+)"), "第 {} 行，{} 列"),
    (re.compile(r"lines? (\d+(?:, \d+)*) and (\d+) more"), "第 {} 行，另有 {} 行"),
    (re.compile(r"lines? (\d+(?:, \d+)*(?: and \d+)?)"), "第 {} 行"),
    (re.compile(r"(\d+) lines? with (.+)"), "{} 行含 {}"),
    (re.compile(r"(\d+) of (.+)"), "{} 份 {}"),
)
"""How places of files are said in Chinese; all others are names, which read the same."""
NO_FILES_IN_CHINESE: Final = {"data sheet": "数据手册", "assumption": "假定"}
"""How sources that are no file of the round are said in Chinese, where that is no name."""
BETWEEN_LINES: Final = re.compile(r"(?<=\d)(?:, | and )(?=\d)")
LINKED: Final = re.compile(r'href="how\.html#([^"]+)"')


@dataclass(frozen=True, slots=True)
class InputView:
    """One input as the panel prints it: the same wherever the value is an input."""

    id: str
    name: str
    place: Markup
    value: Markup
    origin: str
    source: str


@dataclass(frozen=True, slots=True)
class Derivation:
    """Everything the panel of one number says."""

    id: str
    metric: str
    title: str
    place: Markup
    value: Markup
    exact: str
    formula: Markup
    numbers: Markup
    inputs: tuple[InputView, ...]
    origin: str
    rests_on: str
    source: str
    reason: str
    meaning: str
    why: str


def derivations_behind(pages: Iterable[str], printer: Printer) -> list[Derivation]:
    """Return the derivations of all numbers that some HTML links to, and of all that those rest on."""
    by_anchor = {anchor: address for address, anchor in printer.anchors.items()}
    linked = [by_anchor[found] for page in pages for found in LINKED.findall(page)]
    views = {address: _as_input(address, printer) for address in _closure(linked, printer)}
    return [_derivation(printer.analysis.frame.values[address], views, printer) for address in views]


def _closure(linked: Iterable[Address], printer: Printer) -> list[Address]:
    """Return some addresses and all that they rest on, in the order of the frame."""
    values, wanted = printer.analysis.frame.values, set[Address]()
    waiting = list(linked)
    while waiting:
        address = waiting.pop()
        if address not in wanted:
            wanted.add(address)
            waiting.extend(i.address for i in values[address].inputs)
    return [address for address in values if address in wanted]


def _derivation(value: Value, views: Mapping[Address, InputView], printer: Printer) -> Derivation:
    own = views[value.address]
    lang, metric = printer.lang, printer.metric(value.address)
    is_derived = value.origin == "derived" and value.rests_on is not None
    return Derivation(
        id=own.id,
        metric=value.address.metric,
        title=own.name,
        place=own.place,
        value=own.value,
        exact=_exact(value, printer),
        formula=symbolic(value, printer) if value.formula else Markup(),
        numbers=numeric(value, printer) if value.formula else Markup(),
        inputs=tuple(views[one.address] for one in value.inputs),
        origin=own.origin,
        rests_on=ORIGINS[value.rests_on][lang] if is_derived and value.rests_on else "",
        source=own.source,
        reason=printer.words(value.reason) if value.reason else "",
        meaning=printer.words(metric.meaning),
        why=printer.words(metric.why) if metric.why else "",
    )


def _exact(value: Value, printer: Printer) -> str:
    if value.value is None:
        return ""
    metric = printer.metric(value.address)
    unit = "" if metric.unit in {"1", "ratio"} else f" {printer.in_currency(metric.unit)}"
    return with_minus(f"{from_base(value.value, metric.unit):.12g}") + unit


def _as_input(address: Address, printer: Printer) -> InputView:
    value = printer.analysis.frame.values[address]
    return InputView(
        id=printer.anchors[address],
        name=printer.words(printer.metric(address).title),
        place=place(address, printer),
        value=printer.html(Quantity(address)),
        origin=ORIGINS[value.origin][printer.lang] if value.origin else "",
        source=source_text(value.source, printer.lang),
    )


def source_text(source: Source | None, lang: Lang) -> str:
    """Return where a number was read, as each language says it; empty where it was read nowhere."""
    if source is None:
        return ""
    if lang == "en":
        return str(source)
    return f"{NO_FILES_IN_CHINESE.get(source.file, source.file)}，{_place_in_chinese(source.place)}"


def _place_in_chinese(place: str) -> str:
    for pattern, said in IN_CHINESE:
        if found := pattern.fullmatch(place):
            return said.format(*(BETWEEN_LINES.sub("、", part) for part in found.groups()))
    return place


def place(address: Address, printer: Printer) -> Markup:
    """Return what a value is the value of: a series, its level, or the round."""
    if address.series is None:
        return escape(PHRASES["whole_round"][printer.lang])
    series = printer.html(SeriesName(address.series))
    if address.level is None:
        return series if address.trial is None else series + _repeated(PHRASES["start"], address.trial, printer)
    level = series + " " + printer.html(LevelName(address.series, address.level))
    if address.trial is None:
        return level
    return level + _repeated(PHRASES["trial"], address.trial, printer)


def _repeated(phrase: Text, number: int, printer: Printer) -> Markup:
    return escape(phrase[printer.lang].format(trial=number))
