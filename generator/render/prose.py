"""The authors' prose as HTML: Markdown, with each reference printed as the data have it."""

from __future__ import annotations

from typing import Final, get_args

from markupsafe import Markup, escape

from generator.prose import SIGN, Prose, Reference
from generator.render.markdown import render_markdown
from generator.render.numbers import UNKNOWN, Printer
from generator.sentence import LevelName, Quantity, SeriesName, Style

STYLES: Final[dict[str, Style]] = {style: style for style in get_args(Style)}


def render_prose(prose: Prose, printer: Printer) -> Markup:
    """Return the HTML of a text; what it quotes and is not there is a dash."""
    pieces = str(render_markdown(prose.source)).split(SIGN)
    quoted = [_quoted(reference, printer) for reference in prose.references]
    html = pieces[0] + "".join(str(mark) + piece for mark, piece in zip(quoted, pieces[1:], strict=True))
    return Markup(html)  # noqa: S704  # Markdown without HTML, and marks that are escaped


def _quoted(reference: Reference, printer: Printer) -> Markup:
    known = {series.id: {level.id for level in series.levels} for series in printer.analysis.round.series}
    match reference.function:
        case "typed":
            return escape(reference.name)
        case "series" if reference.name in known:
            return printer.html(SeriesName(reference.name))
        case "level":
            series = str(reference.keywords.get("series"))
            if reference.name in known.get(series, set()):
                return printer.html(LevelName(series, reference.name))
        case "value":
            return _value(reference, printer)
    return escape(UNKNOWN)


def _value(reference: Reference, printer: Printer) -> Markup:
    address = printer.analysis.frame.find(reference.name, *reference.place)
    if address is None:
        return escape(UNKNOWN)
    decimals, unit, style = (reference.keywords.get(key) for key in ("decimals", "unit", "style"))
    return printer.html(
        Quantity(
            address,
            style=STYLES.get(str(style)),
            decimals=decimals if isinstance(decimals, int) else None,
            unit=str(unit) if unit is not None else None,
        )
    )
