"""A figure as a page shows it: the drawings, the live chart's spec, the data table, the files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.kinds import Missing
from generator.render.files.figures import absent, alt_text, csv_text, table_rows
from generator.render.plotly.parts import Spec
from generator.render.plotly.spec import spec
from generator.render.svg.drawing import draw, size
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.told.blocks import Table
from generator.told.figure_model import FigureModel

DRAWN_IN: Final[Lang] = "en"
"""The language of the files that have no language in their name: report.json names those."""


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure that can be drawn. The narrow drawing is a file: few readers need it, and those load it alone."""

    key: str
    title: Markup
    caption: Markup
    absent: Markup | None
    """The series that it has nothing of, in a sentence."""
    wide: Markup
    narrow: str
    """The way to the narrow drawing."""
    narrow_drawing: str
    name: str
    """The title as plain text."""
    told: str
    """The numbers in words."""
    spec: Spec
    table: Table
    csv: str
    files: Mapping[str, str]
    """What a file is, as a link says it -> the way to it."""

    @property
    def narrow_size(self) -> tuple[int, int]:
        """Return the width and the height of the narrow drawing, in pixels."""
        return size(self.narrow_drawing)


@dataclass(frozen=True, slots=True)
class MissingView:
    """A figure that cannot, and what it lacks."""

    key: str
    reason: Markup


def drawing_name(key: str, lang: Lang) -> str:
    """Return the name of a drawing's file, without ``.svg``."""
    return key if lang == DRAWN_IN else f"{key}.{lang}"


def figure_view(key: str, model: FigureModel | Missing, printer: Printer, data: str) -> FigureView | MissingView:
    """Render a figure in one language; ``data`` is the way from the page to the round's data folder."""
    if isinstance(model, Missing):
        return MissingView(key, printer.html_sentence(model.reason))
    missing, told = absent(model), alt_text(model, printer)
    folder, name = f"{data}figures/", drawing_name(key, printer.lang)
    return FigureView(
        key=key,
        title=printer.html_sentence(model.title),
        caption=printer.html_sentence(model.caption),
        absent=printer.html_sentence(missing) if missing is not None else None,
        wide=Markup(draw(model, printer, "wide", told)),  # noqa: S704  # our own writer escapes
        narrow=f"{folder}{drawing_name(f'{key}.narrow', printer.lang)}.svg",
        narrow_drawing=draw(model, printer, "narrow", told),
        name=printer.plain_sentence(model.title),
        told=told,
        spec=spec(model, printer),
        table=table_rows(model, printer),
        csv=csv_text(model, printer),
        files={"CSV": f"{folder}{key}.csv", "JSON": f"{folder}{key}.json", "SVG": f"{folder}{name}.svg"},
    )
