"""glance.js: what the page of any two rounds needs to know of one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from generator.comparing.affects import affects_of, meaning_of, shown_sides
from generator.comparing.order import day_of
from generator.comparing.records import Setting
from generator.comparing.settings import WORK, plain_text, settings_alone
from generator.comparing.usual import USUAL_METRICS
from generator.comparing.work import ASKED_METRICS
from generator.machines.records import NOTHING_KNOWN
from generator.model import Level, Series
from generator.render.files.drawn import script
from generator.render.wording.numbers import Printer
from generator.text import Text
from generator.told.sentence import LevelName, Quantity
from generator.units import from_base
from generator.values import Address

NAME: Final = "glance.js"
"""Its name among the data of a round."""
Json = dict[str, Any]


def glance(printer: Printer) -> str:
    """Return the script: the series of a round with their settings and levels, for both languages at once."""
    round_ = printer.analysis.round
    settings = {series.id: settings_alone(round_, series.id) for series in round_.series}
    day = day_of(round_)
    return script("glance", {
        "id": round_.id,
        "title": _text(round_.title),
        "day": None if day is None else day.isoformat(),
        "sha256": round_.data_sha256[:12],
        "model": round_.file.model.name,
        "pairs": dict(round_.file.round.pairs),
        "titles": {one.path: _title(one) for known in settings.values() for one in known},
        "series": [_series(printer, series, settings[series.id]) for series in round_.series],
    })  # fmt: skip


def _series(printer: Printer, series: Series, settings: tuple[Setting, ...]) -> Json:
    round_ = printer.analysis.round
    return {
        "id": series.id,
        "name": round_.label(series.id),
        "accent": printer.accent(series.id),
        "flags": round_.machines.get(series.id, NOTHING_KNOWN).has_flags,
        "settings": {one.path: _said(one) for one in settings},
        "levels": [_level(printer, series, level) for level in series.levels],
    }


def _level(printer: Printer, series: Series, level: Level) -> Json:
    kind, load, limit = level.order
    asked = {key: _number(printer, Address(key, "level", series.id, level.id)) for key in ASKED_METRICS}
    return {
        "id": level.id,
        "name": printer.plain(LevelName(series.id, level.id)),
        "load": f"{kind} {load!r} {limit!r}",
        "spoilt": (series.id, level.id) in printer.analysis.spoilt,
        "asked": {key: number for key, number in asked.items() if number is not None},
        "values": dict(_values(printer, series, level)),
    }


def _values(printer: Printer, series: Series, level: Level) -> Iterator[tuple[str, list[object]]]:
    """Yield the metrics that are known: the number in the unit that it is printed in, and how it is printed."""
    for key in USUAL_METRICS:
        address = Address(key, "level", series.id, level.id)
        number = _number(printer, address)
        if number is not None:
            yield key, [number, printer.amount(Quantity(address))]


def _number(printer: Printer, address: Address) -> float | None:
    value = printer.value(address)
    if value is None or value.value is None:
        return None
    metric = printer.metric(address)
    number = from_base(value.value, metric.unit)
    return number * 100 if metric.style == "percent" else number


def _title(setting: Setting) -> Json:
    """Return what a setting is called, its flag where that is another word, and what it can change."""
    meaning = meaning_of(setting.path)
    if setting.is_counting:
        return {"title": _text(setting.title), "counting": True}
    told = {"title": _text(meaning or setting.title), "affects": _text(affects_of(setting.path))}
    flag = {} if meaning is None else {"flag": setting.title.en}
    return told | flag | ({"work": True} if setting.group == WORK else {})


def _said(setting: Setting) -> str | Json:
    """Return what a setting is to a reader; with what it is compared by, where that is another text."""
    shown, plain = _text(shown_sides(setting)[0]), plain_text(setting.path, setting.base or "")
    return shown if shown == plain else {"shown": shown, "plain": plain}


def _text(text: Text) -> str | dict[str, str]:
    """Return a text in both languages; once where both are the same."""
    return text.en if text.zh == text.en else {"zh": text.zh, "en": text.en}
