"""A figure as JSON: what it shows, in the units of its axes and in both languages, for whoever draws it anew.

docs/figures.md says what each key means.
"""

from __future__ import annotations

import math
from typing import Any, Final

from generator.figure_model import Axis, Bar, BarPlot, FigureModel, Line, LinePlot, Mark, Point, Segment
from generator.render.figure_files import alt_text
from generator.render.numbers import Printers, both
from generator.text import LANGS
from generator.values import Address

SCHEMA: Final = 1

Json = dict[str, Any]


def figure_json(model: FigureModel, printers: Printers) -> Json:
    """Return a figure as JSON. A number that does not exist is null, never NaN or infinity."""
    plot = model.plot
    shown = _lines(plot, printers) if isinstance(plot, LinePlot) else _bars(plot, printers)
    return {
        "schema": SCHEMA,
        "key": model.key,
        "title": both(model.title, printers),
        "caption": both(model.caption, printers),
        "alt": {lang: alt_text(model, printers[lang]) for lang in LANGS},
        **shown,
    }


def _lines(plot: LinePlot, printers: Printers) -> Json:
    return {
        "kind": "lines",
        "x": _axis(plot.x),
        "y": _axis(plot.y),
        "lines": [_line(line, printers) for line in plot.lines],
        "marks": [_mark(mark, printers) for mark in plot.marks],
    }


def _bars(plot: BarPlot, printers: Printers) -> Json:
    name = plot.limit_name.as_dict() if plot.limit_name is not None else None
    limit = {"name": name, "length": _finite(plot.limit)} if plot.limit is not None else None
    return {"kind": "bars", "x": _axis(plot.x), "bars": [_bar(bar, printers) for bar in plot.bars], "limit": limit}


def _axis(axis: Axis) -> Json:
    return {"label": axis.label.as_dict(), "unit": axis.unit, "scale": axis.scale}


def _line(line: Line, printers: Printers) -> Json:
    points = [_point(point, printers) for point in line.points]
    return {"name": line.name.as_dict(), "series": line.series, "role": line.role, "points": points}


def _point(point: Point, printers: Printers) -> Json:
    return {
        "x": _finite(point.x),
        "y": _finite(point.y),
        "spoilt": both(point.spoilt, printers) if point.spoilt is not None else None,
        **_value(point.address, printers),
    }


def _mark(mark: Mark, printers: Printers) -> Json:
    return {"x": _finite(mark.x), "y": _finite(mark.y), "label": both(mark.label, printers)}


def _bar(bar: Bar, printers: Printers) -> Json:
    segments = [_segment(segment, printers) for segment in bar.segments]
    return {"name": bar.name.as_dict(), "series": bar.series, "segments": segments}


def _segment(segment: Segment, printers: Printers) -> Json:
    return {
        "name": segment.name.as_dict(),
        "length": _finite(segment.length),
        "fill": segment.fill,
        "value": _value(segment.address, printers) if segment.address is not None else None,
    }


def _value(address: Address, printers: Printers) -> Json:
    """Return what a number is the value of, and its id on the page of derivations."""
    return {
        "metric": address.metric,
        "basis": address.basis,
        "scope": address.scope,
        "series": address.series,
        "level": address.level,
        "derivation": printers["en"].anchors.get(address),
    }


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
