"""What a run is called in a figure: its series, its level and its trial."""

from __future__ import annotations

from generator.render.wording.numbers import Printer
from generator.render.wording.phrases import PHRASES
from generator.told.figure_model import Cloud, Curve, TimelinePlot, Trace
from generator.told.sentence import LevelName, SeriesName


def run_name(run: Curve | Cloud | Trace | TimelinePlot, printer: Printer) -> str:
    """Return the name of a run: ``vLLM BF16 C=8, trial 2``."""
    return f"{printer.plain(SeriesName(run.series))} {level_and_trial(run, printer)}".rstrip()


def level_and_trial(run: Curve | Cloud | Trace | TimelinePlot, printer: Printer) -> str:
    """Return what tells the runs of a series apart: ``C=8, trial 2``."""
    level = printer.plain(LevelName(run.series, run.level))
    return level if run.trial is None else level + PHRASES["trial"][printer.lang].format(trial=run.trial)
