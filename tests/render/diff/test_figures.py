from __future__ import annotations

from dataclasses import replace

from generator.comparing.held import hold
from generator.render.diff.figures import overlays
from generator.render.plotting.looks import looks
from generator.told.figure_model import LinePlot
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.comparing.two_rounds import DECLARED, Trials, analysed
from tests.support.held_rounds import held, of_levels
from tests.support.memory_round import GRAPH


def level(throughput: float) -> Trials:
    return {"output_throughput": (throughput,)}


BOTH = of_levels({"c1": level(10.0), "c8": level(50.0)}, {"c1": level(11.0), "c8": level(40.0)})


def test_both_rounds_lie_over_each_other_in_one_colour_and_the_base_is_dashed() -> None:
    (model,) = overlays(BOTH, GRAPH).values()
    assert isinstance(model.plot, LinePlot)
    base, head = model.plot.lines
    assert [line.name.en for line in (base, head)] == ["a · one", "a · other"]
    assert [[point.y for point in line.points] for line in (base, head)] == [[10.0, 50.0], [11.0, 40.0]]
    dashed, solid = looks(model.plot.lines, model.accents)
    assert dashed.accent == solid.accent
    assert (dashed.dash > 0, solid.dash) == (True, 0)
    assert dashed.shape != solid.shape


def test_a_spoilt_level_is_hollow_and_says_whose_checks_it_did_not_pass() -> None:
    finding = Finding("x", "fail", say(zh="坏", en="bad"), "a", ("c8",), spoils=("c8",))
    base = replace(analysed({"c1": level(10.0), "c8": level(50.0)}, name="one"), spoilt={("a", "c8"): finding})
    (model,) = overlays(hold(base, BOTH.head, DECLARED), GRAPH).values()
    assert isinstance(model.plot, LinePlot)
    spoilt = [point.spoilt is not None for line in model.plot.lines for point in line.points]
    assert spoilt == [False, True, False, False]


def test_what_one_round_alone_has_and_single_points_are_no_figure() -> None:
    assert overlays(held(), GRAPH) == {}
    assert overlays(of_levels({"c1": level(10.0), "c8": level(50.0)}, {"c1": {"ttft_p50": (0.1,)}}), GRAPH) == {}


def test_rounds_that_are_not_comparable_are_not_drawn_over_each_other() -> None:
    other = analysed({"c1": level(11.0), "c8": level(40.0)}, series="b", name="other")
    assert overlays(hold(BOTH.base, other, DECLARED), GRAPH) == {}
