"""A figure as a page shows it: static SVGs, the live chart's spec, the data table, the files beside it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from generator.blocks import Table
from generator.figure_model import FigureModel
from generator.kinds import Missing
from generator.render.figure_files import table_rows
from generator.render.numbers import Printer
from generator.render.plotly_spec import Spec, spec
from generator.render.svg import draw
from generator.text import Lang


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure that can be drawn."""

    key: str
    title: Markup
    caption: Markup
    wide: Markup
    narrow: Markup
    spec: Spec
    table: Table
    csv: str
    svg: str


@dataclass(frozen=True, slots=True)
class MissingView:
    """A figure that cannot, and what it lacks."""

    key: str
    reason: Markup


def svg_name(key: str, lang: Lang) -> str:
    """Return the file of a figure's SVG; the one without a language in its name is the one report.json names."""
    return f"{key}.svg" if lang == "en" else f"{key}.{lang}.svg"


def figure_view(key: str, model: FigureModel | Missing, printer: Printer, data: str) -> FigureView | MissingView:
    """Render a figure in one language; ``data`` is the way from the page to the round's data folder."""
    if isinstance(model, Missing):
        return MissingView(key, printer.html_sentence(model.reason))
    return FigureView(
        key=key,
        title=printer.html_sentence(model.title),
        caption=printer.html_sentence(model.caption),
        wide=Markup(draw(model, printer, "wide")),  # noqa: S704  # our own writer escapes
        narrow=Markup(draw(model, printer, "narrow")),  # noqa: S704  # our own writer escapes
        spec=spec(model, printer),
        table=table_rows(model, printer),
        csv=f"{data}figures/{key}.csv",
        svg=f"{data}figures/{svg_name(key, printer.lang)}",
    )
