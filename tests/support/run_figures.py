"""Figures of single requests for the tests of the renderings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from generator.analysis.stages import analyse
from generator.figures.itl_ecdf import itl_ecdf
from generator.figures.requests_over_time import requests_over_time
from generator.figures.ttft_ecdf import ttft_ecdf
from generator.frame import Analysis
from generator.kinds import Figure
from generator.model import Round
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.told.figure_model import CloudPlot, CurvePlot, FigureModel
from tests.support.memory_round import GRAPH
from tests.support.run_rounds import many_requests, repeated, round_of, two_series


def printed(round_: Round, lang: Lang = "en") -> Printer:
    return Printer(analyse(round_, GRAPH, ()), GRAPH, lang)


def figure_of(figure: Figure, round_: Round) -> FigureModel:
    model = figure.draw(analyse(round_, GRAPH, ()))
    assert isinstance(model, FigureModel)
    return model


def curves_of(round_: Round, figure: Figure = ttft_ecdf) -> CurvePlot:
    plot = figure_of(figure, round_).plot
    assert isinstance(plot, CurvePlot)
    return plot


def cloud_of(round_: Round) -> CloudPlot:
    plot = figure_of(requests_over_time, round_).plot
    assert isinstance(plot, CloudPlot)
    return plot


@cache
def a_million_gaps() -> Round:
    """Return one run of 12 000 requests with 84 gaps each: 1 008 000."""
    return round_of({("a", "c1", None): many_requests(12_000, 84)})


ROUNDS: Final[Mapping[str, Callable[[], Round]]] = {
    "two series": two_series, "trials": repeated, "a million gaps": a_million_gaps,
}  # fmt: skip
FIGURES: Final = (ttft_ecdf, itl_ecdf, requests_over_time)
RUN_FIGURES: Final = {f"{figure.key} of {name}": (figure, name) for name in ROUNDS for figure in FIGURES}
"""Each kind of figure of each kind of round."""


def run_figure(name: str) -> tuple[FigureModel, Printer]:
    """Return one of the figures, with what prints it."""
    figure, of = RUN_FIGURES[name]
    found = _analysed(of)
    model = figure.draw(found)
    assert isinstance(model, FigureModel)
    return model, Printer(found, GRAPH, "en")


@cache
def _analysed(name: str) -> Analysis:
    return analyse(ROUNDS[name](), GRAPH, ())
