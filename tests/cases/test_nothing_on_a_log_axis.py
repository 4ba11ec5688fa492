"""A sweep on log axes in which every request failed at one load: no result, and no rate of zero."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from generator.frame import Analysis
from generator.model import Round
from generator.render.files.figures import alt_text
from generator.render.svg.drawing import draw
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FigureModel
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.telling import analysed, catalogue, found_by, said

TABLE: Final = """\
concurrency,requests,completed,duration_s,output_throughput
1,10,10,10,50
10,100,100,10,400
100,100,0,10,0
1000,1000,1000,10,1200
"""
TOML: Final = ROUND_TOML.partition('[[series]]\nid = "beta"')[0].replace('baseline = "alpha"\n', "")


@pytest.fixture
def sweep(tmp_path: Path) -> Round:
    return catalogue().read(write_round(tmp_path / "sweep", toml=TOML, tables={"alpha": TABLE}, facts={}))


def figure(analysis: Analysis) -> FigureModel:
    drawn = catalogue().figures["throughput"].draw(analysis)
    assert isinstance(drawn, FigureModel)
    return drawn


def test_the_failure_is_told(sweep: Round) -> None:
    assert "failed at C=100: 100 of 100, or 100.0%" in said(found_by("failed_requests", sweep), sweep)


def test_the_line_is_broken_and_the_load_stays_listed(sweep: Round) -> None:
    analysis = analysed(sweep)
    printer = Printer(analysis, catalogue().graph, "en")
    svg, told = draw(figure(analysis), printer, "wide"), alt_text(figure(analysis), printer)

    [line] = re.findall(r'<path class="line measured" d="([^"]+)"', svg)
    assert (line.count("M"), line.count("L")) == (1, 1)  # from 1 to 10; nothing leads from 10 to 1000
    assert sum(d.count("M") for d in re.findall(r'class="dot" d="([^"]+)"', svg)) == 3  # each marker begins with a move
    assert "not drawable: C=100" in told
