"""A figure as JSON: what it shows, in the units of its axes and in both languages, for whoever draws it anew.

docs/figures.md says what each key means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from generator.render.files.figures import alt_text
from generator.render.wording.numbers import Printers, both
from generator.text import LANGS, Lang
from generator.told.figure_model import (
    Axis,
    Bar,
    BarPlot,
    Cloud,
    CloudPlot,
    Course,
    Curve,
    CurvePlot,
    Dot,
    FigureModel,
    FitPlot,
    LeadPlot,
    LeadStrip,
    Line,
    LinePlot,
    Mark,
    Panel,
    Plot,
    Point,
    Reach,
    Scatter,
    Segment,
    Spot,
    Strip,
    TimelinePlot,
    Trace,
    TracePlot,
    Trend,
)
from generator.values import Address

SCHEMA: Final = 1

Json = dict[str, Any]


def figure_json(model: FigureModel, printers: Printers, told: Mapping[Lang, str] | None = None) -> Json:
    """Return a figure as JSON. A number that does not exist is null, never NaN or infinity.

    ``told`` are the numbers in words, where they have been put into words already.
    """
    told = told or {lang: alt_text(model, printers[lang]) for lang in LANGS}
    return {
        "schema": SCHEMA,
        "key": model.key,
        "title": both(model.title, printers),
        "caption": both(model.caption, printers),
        "alt": {lang: told[lang] for lang in LANGS},
        **_shown(model.plot, printers),
    }


def _shown(plot: Plot, printers: Printers) -> Json:
    match plot:
        case LinePlot():
            shown = _lines(plot, printers)
        case BarPlot():
            shown = _bars(plot, printers)
        case CurvePlot():
            shown = _curves(plot, printers)
        case CloudPlot():
            shown = _clouds(plot, printers)
        case FitPlot():
            shown = _fit(plot, printers)
        case TracePlot():
            shown = _traces(plot, printers)
        case LeadPlot():
            shown = {"kind": "leads", "x": _axis(plot.x), "leads": [_lead_strip(strip) for strip in plot.strips]}
        case _:
            shown = _timeline(plot, printers)
    return shown


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


def _curves(plot: CurvePlot, printers: Printers) -> Json:
    curves = [_curve(curve, printers) for curve in plot.curves]
    return {"kind": "curves", "x": _axis(plot.x), "y": _axis(plot.y), "begins": _finite(plot.begins), "curves": curves}


def _clouds(plot: CloudPlot, printers: Printers) -> Json:
    clouds = [_cloud(cloud, printers) for cloud in plot.clouds]
    return {"kind": "clouds", "x": _axis(plot.x), "y": _axis(plot.y), "clouds": clouds}


def _fit(plot: FitPlot, printers: Printers) -> Json:
    return {
        "kind": "fit",
        "x": _axis(plot.x),
        "y": _axis(plot.y),
        "scatters": [_scatter(scatter, printers) for scatter in plot.scatters],
        "trends": [_trend(trend) for trend in plot.trends],
        "marks": [_mark(mark, printers) for mark in plot.marks],
    }


def _scatter(scatter: Scatter, printers: Printers) -> Json:
    return {"series": scatter.series, "points": [_spot(spot, printers) for spot in scatter.spots]}


def _spot(spot: Spot, printers: Printers) -> Json:
    value = _value(spot.address, printers) if spot.address is not None else None
    return {"x": _finite(spot.x), "y": _finite(spot.y), "level": spot.level, "value": value}


def _trend(trend: Trend) -> Json:
    points = [[_finite(x), _finite(y)] for x, y in trend.points]
    return {"name": trend.name.as_dict(), "series": trend.series, "role": trend.role, "points": points}


def _traces(plot: TracePlot, printers: Printers) -> Json:
    return {
        "kind": "traces",
        "x": _axis(plot.x),
        "panels": [_panel(panel, printers) for panel in plot.panels],
        "marks": [_mark(mark, printers) for mark in plot.marks],
    }


def _timeline(plot: TimelinePlot, printers: Printers) -> Json:
    return {
        "kind": "timeline",
        "x": _axis(plot.x),
        "y": _axis(plot.y),
        "series": plot.series,
        "level": plot.level,
        "trial": plot.trial,
        "requests": [_course(course) for course in plot.courses],
        "stalls": [list(span) for span in plot.stalls],
        "strips": [_strip(strip) for strip in plot.strips],
        "window": list(plot.window),
        "whole": plot.whole,
        "left_out": plot.left_out,
        "in_flight": [list(point) for point in plot.in_flight],
        "values": [_value(address, printers) for address in plot.facts],
    }


def _course(course: Course) -> Json:
    stretches = [{"stage": one.stage, "begin": one.begin, "end": one.end} for one in course.stretches]
    return {"number": course.number, "row": course.lane, "sent": course.sent, "stretches": stretches}


def _strip(strip: Strip) -> Json:
    return {"name": strip.name.as_dict(), "moments": list(strip.moments), "spans": [list(span) for span in strip.spans]}


def _panel(panel: Panel, printers: Printers) -> Json:
    return {"y": _axis(panel.y), "traces": [_trace(trace, printers) for trace in panel.traces]}


def _trace(trace: Trace, printers: Printers) -> Json:
    return {
        "series": trace.series,
        "level": trace.level,
        "trial": trace.trial,
        "drawn": trace.is_drawn,
        "points": [[_finite(x), _finite(y)] for x, y in trace.points],
        "values": [_value(address, printers) for address in trace.facts],
    }


def _curve(curve: Curve, printers: Printers) -> Json:
    return {
        "series": curve.series,
        "level": curve.level,
        "trial": curve.trial,
        "drawn": curve.is_drawn,
        "spoilt": both(curve.spoilt, printers) if curve.spoilt is not None else None,
        "whole": curve.is_whole,
        "points": [list(point) for point in curve.points],
        "dots": [_dot(dot, printers) for dot in curve.dots],
        "values": [_value(address, printers) for address in curve.facts],
    }


def _dot(dot: Dot, printers: Printers) -> Json:
    return {"x": _finite(dot.x), "y": _finite(dot.y), "name": dot.name.as_dict(), **_value(dot.address, printers)}


def _cloud(cloud: Cloud, printers: Printers) -> Json:
    return {
        "series": cloud.series,
        "level": cloud.level,
        "trial": cloud.trial,
        "points": [list(point) for point in cloud.points],
        "failed": list(cloud.failed),
        "window": list(cloud.window) if cloud.window is not None else None,
        "values": [_value(address, printers) for address in cloud.facts],
    }


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


def _lead_strip(strip: LeadStrip) -> Json:
    reaches = [_reach(reach) for reach in strip.reaches]
    return {"name": strip.name.as_dict(), "metric": strip.metric, "series": list(strip.sides), "reaches": reaches}


def _reach(reach: Reach) -> Json:
    begin, end = _finite(reach.begin), _finite(reach.end)
    return {"leader": reach.leader, "begin": begin, "end": end, "basis": reach.basis}


def _mark(mark: Mark, printers: Printers) -> Json:
    return {"x": _finite(mark.x), "y": _finite(mark.y), "label": both(mark.label, printers)}


def _bar(bar: Bar, printers: Printers) -> Json:
    segments = [_segment(segment, printers) for segment in bar.segments]
    return {"name": bar.name.as_dict(), "series": bar.series, "level": bar.level, "segments": segments}


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
        "trial": address.trial,
        "derivation": printers["en"].anchors.get(address),
    }


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
