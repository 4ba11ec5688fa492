"""The spec of a figure as its page has it."""

from __future__ import annotations

import json

from generator.render.plotly.parts import Spec
from generator.render.plotly.spec import check, spec
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FigureModel


def checked_spec(model: FigureModel, printer: Printer) -> Spec:
    """Return the spec of a figure, checked, as the page reads it."""
    made = spec(model, printer)
    check(made)
    return json.loads(json.dumps(made, allow_nan=False))  # type: ignore[no-any-return]
