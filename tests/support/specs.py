"""The spec of a figure as its page has it."""

from __future__ import annotations

from generator.render.plotly.parts import Spec
from generator.render.plotly.spec import checked, spec
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FigureModel


def checked_spec(model: FigureModel, printer: Printer) -> Spec:
    """Return the spec of a figure, checked."""
    return checked(spec(model, printer))
