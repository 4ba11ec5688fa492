"""The figures of a page as files: their data and drawings in a folder, and the script that brings the live charts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from generator.render.files.figure_json import figure_json
from generator.render.files.json_text import in_lines
from generator.render.plotly.spec import check
from generator.render.svg.drawing import adaptive, standalone
from generator.render.views.figure import DRAWN_IN, FigureView, drawing_name
from generator.render.wording.numbers import Printers
from generator.text import LANGS, Lang
from generator.told.figure_model import FigureModel

BOM: Final = "\ufeff"
"""Without it, spreadsheets read a UTF-8 CSV as if it were in the local encoding."""


def figure_files(
    models: Mapping[str, FigureModel], views: Mapping[Lang, Mapping[str, FigureView]], printers: Printers
) -> dict[str, str]:
    """Return the files of some figures by their names in the folder of data: of one language, but for the drawings."""
    files: dict[str, str] = {}
    for key, model in models.items():
        files[f"figures/{key}.csv"] = BOM + views[DRAWN_IN][key].csv
        files[f"figures/{key}.json"] = as_json(
            figure_json(model, printers, {lang: drawn[key].told for lang, drawn in views.items()})
        )
        for lang, drawn in views.items():
            files[f"figures/{drawing_name(key, lang)}.svg"] = standalone(drawn[key].wide)
            files[f"figures/{drawing_name(f'{key}.narrow', lang)}.svg"] = adaptive(drawn[key].narrow_drawing)
    return files


def as_json(thing: object) -> str:
    """Return data as the text of a file."""
    return in_lines(thing, "\n")


def charts(figures: Mapping[str, FigureView], lang: Lang) -> str:
    """Return the script that brings a page its live charts.

    Raises:
        ValueError: plotly.py does not know some part of a chart.
    """
    if lang == LANGS[0]:  # the others differ in their texts alone
        for figure in figures.values():
            check(figure.spec)
    return script("charts", {key: {**figure.spec, "csv": figure.csv} for key, figure in figures.items()})


def script(receiver: str, data: object) -> str:
    """Return data as a classic script: a page opened from a disk may load that, and nothing else."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"Rounds.{receiver}({text});\n"
