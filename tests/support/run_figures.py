"""Figures of single requests for the tests of the renderings."""

from __future__ import annotations

from functools import cache

from generator.analysis.stages import analyse
from generator.figures.itl_ecdf import itl_ecdf
from generator.figures.requests_over_time import requests_over_time
from generator.figures.ttft_ecdf import ttft_ecdf
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


def run_figures() -> dict[str, tuple[FigureModel, Printer]]:
    """Return each kind of figure of each kind of round, with what prints it."""
    rounds = {"two series": two_series(), "trials": repeated(), "a million gaps": a_million_gaps()}
    figures = (ttft_ecdf, itl_ecdf, requests_over_time)
    return {
        f"{figure.key} of {name}": (figure_of(figure, round_), printed(round_))
        for name, round_ in rounds.items()
        for figure in figures
    }
