from __future__ import annotations

import pytest

from generator.figures.guide_leads import guide_leads
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import FigureModel, LeadPlot
from tests.support.choices import levels, two
from tests.support.example_rounds import published
from tests.support.odd_rounds import ROUNDS
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, LeadPlot]:
    model = guide_leads.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LeadPlot)
    return model, model.plot


def test_each_quantity_that_is_known_has_a_strip() -> None:
    base = levels(output_throughput=[100, 200, 300], ttft_p50=[1, 2, 3])
    other = levels(output_throughput=[200, 100, 100], ttft_p50=[2, 1, 1])
    round_ = two(base, other)
    model, plot = drawn(round_)

    assert [strip.metric for strip in plot.strips] == ["output_throughput", "ttft_p50"]
    assert list(plot.x.ticks) == [1, 2, 4]
    assert "compared with the baseline, base." in said(model.caption, round_)


def test_the_second_round_has_all_of_them() -> None:
    _, plot = drawn(published("round-2"))

    assert [strip.metric for strip in plot.strips] == [
        "output_throughput", "ttft_p50", "ttft_p99", "itl_p50", "e2el_p50",
    ]  # fmt: skip


def test_where_the_lead_changes_the_whole_gap_is_hatched() -> None:
    round_ = published("round-2")
    model, plot = drawn(round_)
    throughput = plot.strips[0]

    # Llama.cpp leads to C=8, vLLM from C=16; C=32 does not count: only C=1 to C=8 is measured.
    assert [(one.begin, one.end) for one in throughput.reaches if one.is_measured] == [(1, 8)]
    assert "Hatched stretches rest on no usable measurement:" in said(model.caption, round_)


@pytest.mark.parametrize("name", ROUNDS)
def test_odd_rounds_are_drawn_or_said_to_lack_something(name: str) -> None:
    assert isinstance(guide_leads.draw(analysed(ROUNDS[name]())), FigureModel | Missing)
