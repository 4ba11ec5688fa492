"""The derivation of each number: its formula, its inputs, where each came from.

What no language changes is found once: the numbers, the formulas, the files. What a language says is said once for all
the numbers that it is said of: titles, places, reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from markupsafe import Markup, escape

from generator.across.floors import WHOLE_FILE, resting_on_whole_files
from generator.render.wording.formulas import numeric_pieces, symbolic
from generator.render.wording.numbers import Pieces, Printer
from generator.render.wording.phrases import PHRASES
from generator.render.wording.rounding import with_minus
from generator.text import Lang, Text
from generator.told.sentence import LevelName, Quantity, SeriesName
from generator.units import UNITLESS, from_base
from generator.values import Address, Origin, Source, Value

IN_CHINESE: Final = (
    (re.compile(r"line (\d+), column (.+)"), "第 {} 行，{} 列"),
    (re.compile(r"lines? (\d+(?:, \d+)*) and (\d+) more"), "第 {} 行，另有 {} 行"),
    (re.compile(r"lines? (\d+(?:, \d+)*(?: and \d+)?)"), "第 {} 行"),
    (re.compile(r"(\d+) lines? with (.+)"), "{} 行含 {}"),
    (re.compile(r"(\d+) numbers of rounds collect, whole file"), "rounds collect 的 {} 个采样值，取自整个文件"),
    (
        re.compile(r"(\d+) numbers of rounds collect, cut to the run by CLOCK_MONOTONIC"),
        "rounds collect 的 {} 个采样值，按 CLOCK_MONOTONIC 截取到本次运行",
    ),
    (re.compile(r"(\d+) of (.+)"), "{} 份 {}"),
)
"""How places of files are said in Chinese; all others are names, which read the same."""
NO_FILES_IN_CHINESE: Final = {"data sheet": "数据手册", "assumption": "假定"}
"""How sources that are no file of the round are said in Chinese, where that is no name."""
BETWEEN: Final = Text(zh="，", en=", ")
IS: Final = Text(zh="：", en=": ")
"""What stands between a number and what it is the number of."""
BETWEEN_LINES: Final = re.compile(r"(?<=\d)(?:, | and )(?=\d)")
LINKED: Final = re.compile(r'href="how\.html#([^"]+)"')
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to compute a metric; of one that is read, the metric alone.

    ``numbers`` is the formula with the numbers in it, where those stand by their places among the inputs.
    """

    metric: tuple[str, str | None]
    formula: Markup
    numbers: Pieces


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of one number in any language; kind, place and reason are numbers in the lists of ``Facts``."""

    id: str
    address: Address
    kind: int
    place: int
    shown: Markup
    """The number with its unit, as it is printed."""
    exact: str
    """The same unrounded; empty where it is not known."""
    inputs: tuple[str, ...]
    """Their ids."""
    origin: Origin | None
    rests_on: Origin | None
    source: Source | None
    reason: int | None
    """Why it is unknown; of a known one, what has to be kept in mind of it."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The derivations of some numbers and of all that those rest on, in the order of the frame.

    A place is the first address there, for what stands at the same place reads the same.
    """

    facts: tuple[Fact, ...]
    kinds: tuple[Kind, ...]
    places: tuple[Address, ...]
    reasons: tuple[Text, ...]


def facts_behind(pages: Iterable[str], printer: Printer) -> Facts:
    """Return the derivations of all numbers that some HTML links to, and of all that those rest on."""
    by_anchor = {anchor: address for address, anchor in printer.anchors.items()}
    linked = [by_anchor[found] for page in pages for found in set(LINKED.findall(page))]
    too_high = resting_on_whole_files(printer.analysis)
    kinds, places, reasons = dict[Kind, int](), dict[Place, tuple[int, Address]](), dict[Text, int]()
    found = []
    for address in _closure(linked, printer):
        value = printer.analysis.frame.values[address]
        kind = Kind((address.metric, address.basis), _formula(value, printer), numeric_pieces(value, printer))
        at, _ = places.setdefault((address.series, address.level, address.trial), (len(places), address))
        said = WHOLE_FILE if address in too_high and value.value is not None else value.reason
        reason = _numbered(said, reasons) if said else None
        found.append(_fact(value, _numbered(kind, kinds), at, reason, printer))
    return Facts(tuple(found), tuple(kinds), tuple(first for _, first in places.values()), tuple(reasons))


Place = tuple[str | None, str | None, int | None]


def _numbered(one: T, numbers: dict[T, int]) -> int:
    return numbers.setdefault(one, len(numbers))


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


def _formula(value: Value, printer: Printer) -> Markup:
    return symbolic(value, printer) if value.formula else Markup()


def _fact(value: Value, kind: int, place: int, reason: int | None, printer: Printer) -> Fact:
    is_derived = value.origin == "derived"
    return Fact(
        id=printer.anchors[value.address],
        address=value.address,
        kind=kind,
        place=place,
        shown=printer.number(Quantity(value.address)),
        exact=_exact(value, printer),
        inputs=tuple(printer.anchors[one.address] for one in value.inputs),
        origin=value.origin,
        rests_on=value.rests_on if is_derived else None,
        source=value.source,
        reason=reason,
    )


def _exact(value: Value, printer: Printer) -> str:
    if value.value is None:
        return ""
    metric = printer.metric(value.address)
    unit = "" if metric.unit in UNITLESS else f" {printer.in_currency(metric.unit)}"
    return with_minus(f"{from_base(value.value, metric.unit):.12g}") + unit


def source_text(source: Source | None, lang: Lang) -> str:
    """Return where a number was read, as each language says it; empty where it was read nowhere."""
    if source is None:
        return ""
    return said_in(source.file, lang) + BETWEEN[lang] + said_in(source.place, lang)


@lru_cache(maxsize=1 << 14)
def said_in(name: str, lang: Lang) -> str:
    """Return a file, or a place in one, as a language says it: most are names, which read the same."""
    if lang == "en":
        return name
    for pattern, said in IN_CHINESE:
        if found := pattern.fullmatch(name):
            return said.format(*(BETWEEN_LINES.sub("、", part) for part in found.groups()))
    return NO_FILES_IN_CHINESE.get(name, name)


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
