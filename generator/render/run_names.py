"""What a run is called in a figure: its series, its level and its trial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.figure_model import Cloud, Curve
from generator.render.looks import DASHES, SHAPES, Look
from generator.render.numbers import Printer
from generator.render.palette import ACCENTS
from generator.sentence import LevelName, SeriesName
from generator.text import Text

TRIAL: Final = Text(zh="，第 {n} 次", en=", trial {n}")


def run_name(run: Curve | Cloud, printer: Printer) -> str:
    """Return the name of a run: ``vLLM BF16 C=8, trial 2``."""
    return f"{printer.plain(SeriesName(run.series))} {level_and_trial(run, printer)}"


def level_and_trial(run: Curve | Cloud, printer: Printer) -> str:
    """Return what tells the runs of a series apart: ``C=8, trial 2``."""
    level = printer.plain(LevelName(run.series, run.level))
    return level if run.trial is None else level + TRIAL.format(n=run.trial)[printer.lang]


def look_of(series: str, accents: Mapping[str, int]) -> Look:
    """Return how a series looks: its accent, its marker, and a dash where its accent is used again."""
    number = accents.get(series, 0)
    turn = number // ACCENTS
    return Look(number % ACCENTS, (number + turn) % len(SHAPES), turn % len(DASHES))
