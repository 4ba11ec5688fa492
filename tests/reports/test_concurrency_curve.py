"""The report on the concurrency curve."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.frame import Analysis
from generator.kinds import Missing
from generator.model import Round
from generator.told.blocks import FigureBlock
from tests.support.example_rounds import published
from tests.support.ladder_rounds import by_rates, ladder_and_sweep, walled
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.simulated import Load, Simulated, collected
from tests.support.telling import analysed, catalogue, text_of, throughputs

REPORT = catalogue().report("concurrency_curve")


def told(analysis: Analysis) -> str:
    """Return all that the report says of a round."""
    chapters = [catalogue().sections[key].tell(analysis) for key in REPORT.sections]
    return "\n".join(text_of(chapter, analysis) for chapter in chapters if chapter is not None)


@pytest.mark.parametrize("round_", [published("round-2"), ladder_and_sweep(), by_rates(), walled()])
def test_it_is_made_of_three_levels_that_differ_in_the_load_alone(round_: Round) -> None:
    assert REPORT.page == "concurrency-curve.html"
    assert REPORT.lacks(analysed(round_)) is None


@pytest.mark.parametrize("name", ["one level", "no levels", "sweep over lengths", "all of both series spoilt"])
def test_without_them_it_says_how_they_are_measured(name: str) -> None:
    why = REPORT.lacks(ANALYSES[name]())

    assert why is not None
    assert "rounds collect" in why.en
    assert "rounds collect" in why.zh


def test_two_levels_are_no_curve() -> None:
    assert REPORT.lacks(analysed(memory_round({"a": throughputs(100, 200)}))) is not None


@pytest.mark.parametrize("name", sorted(ANALYSES))
def test_figures_that_chapters_show_are_drawn_wherever_the_report_is_made(name: str) -> None:
    analysis = ANALYSES[name]()
    if REPORT.lacks(analysis) is not None:
        return
    chapters = [catalogue().sections[key].tell(analysis) for key in REPORT.sections if key != "timeline"]
    shown = [block.key for one in chapters if one for block in one.blocks if isinstance(block, FigureBlock)]

    assert [key for key in shown if isinstance(catalogue().figures[key].draw(analysis), Missing)] == []


def test_a_simulated_ladder_beside_a_sweep_in_three_trials(tmp_path: Path) -> None:
    # Eight slots: C × what one delivers up to C=8, and no more than a little above it.
    ladder = [Load(load, requests=max(24, 4 * load), trials=3) for load in (1, 2, 4, 8, 16, 32)]
    sweep = [Load(1, requests=8, input_tokens=length) for length in (64, 512, 1024)]
    analysis = collected(Simulated([*ladder, *sweep], noise=0.02), tmp_path / "round").analysis
    [series] = analysis.round.series

    assert analysis.frame.of_series("knee_concurrency", series.id).value in (8, 16)
    assert analysis.frame.of_series("wall_scheduler", series.id).value == 8
    # 1024 blocks of 16 tokens, and ten blocks for a request of 128 + 32
    assert analysis.frame.of_series("wall_memory", series.id).value == 1024 / 10
    assert "The lowest known bound is the scheduler wall (C = 8); the highest load, C=32, is past it" in told(analysis)
    walls = [one.status for one in analysis.findings if one.check == "wall_reached_unseen"]
    assert walls == ["pass", "pass"]
