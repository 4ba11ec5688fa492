from __future__ import annotations

from generator.render.plotting.lead_places import BAR, GAP, NAME, ends_of, leaders, placed, strips_of
from generator.told.figure_model import LeadPlot
from tests.support.analyses import BASELINE, COMPARED, printer
from tests.support.figure_models import CONCURRENCY
from tests.support.lead_figures import strip


def test_strips_of_one_pair_stand_below_each_other() -> None:
    found, height = placed(LeadPlot(CONCURRENCY, (strip(), strip())), printer("en"))

    assert [bar for _, bar in strips_of(found)] == [NAME, NAME + BAR + GAP + NAME]
    assert height == 2 * (NAME + BAR + GAP)


def test_each_of_several_pairs_has_a_name_above_its_strips() -> None:
    found, _ = placed(LeadPlot(CONCURRENCY, (strip(), strip(sides=(COMPARED, BASELINE)))), printer("en"))

    assert [one.words for one in found] == ["llama.cpp Q4_K_M", "output throughput", "vLLM BF16", "output throughput"]


def test_leaders_come_in_the_order_of_the_pair_and_neither_comes_last() -> None:
    assert list(leaders(LeadPlot(CONCURRENCY, (strip(),)))) == [BASELINE, COMPARED, None]
    assert list(leaders(LeadPlot(CONCURRENCY, ()))) == []
    assert ends_of(LeadPlot(CONCURRENCY, (strip(),)))[:3] == [0.5, 1, 1]
