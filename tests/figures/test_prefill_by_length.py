from __future__ import annotations

import pytest

from generator.figures.prefill_by_length import prefill_by_length
from generator.kinds import Missing
from generator.told.figure_model import FigureModel, FitPlot
from tests.support.anatomy_rounds import divided, swept
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import analysed, text_of

STRAIGHT = swept(0.01, 1e-4, off=0.004)
BENT = swept(0.01, 1e-4, 2e-8)


def drawn(levels: Levels) -> tuple[FigureModel, FitPlot]:
    model = prefill_by_length.draw(analysed(memory_round({"a": levels})))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, FitPlot)
    return model, model.plot


def test_a_point_is_a_level_at_the_tokens_that_were_computed() -> None:
    _, plot = drawn({**BENT, "c8": {"concurrency": 8.0, "asked_input_tokens": 64.0, "ttft_p50": 9.0}})

    # 10 ms + 0.1 ms × 64 + 2e-5 ms × 64²; the level with eight in flight is not among them
    (scatter,) = plot.scatters
    assert [spot.x for spot in scatter.spots] == [64, 256, 512, 1024, 2048, 4096]
    assert scatter.spots[0].y == pytest.approx(16.48192)


def test_the_fit_that_stands_comes_first() -> None:
    assert [trend.name.en for trend in drawn(BENT)[1].trends] == ["a: parabola", "a: line"]
    assert [trend.name.en for trend in drawn(STRAIGHT)[1].trends] == ["a: line", "a: parabola"]


def test_a_line_begins_at_its_intercept() -> None:
    _, plot = drawn(STRAIGHT)

    (x, y), _ = plot.trends[0].points
    assert x == 0
    assert y == pytest.approx(10, abs=1.5)


@pytest.mark.parametrize(
    ("levels", "title"),
    [
        (BENT, "Prefill of a bends with the length: 100 µs/tok in line with it, 20.0 ns/tok² with its square"),
        (STRAIGHT, "Prefill of a grows by 100 µs/tok, and no bend can be told"),
        (
            {level: STRAIGHT[level] for level in ("n64", "n512", "n4096")},
            "Prefill of a grows by 100 µs/tok on average; the lengths are too few to tell a line from a bend",
        ),
    ],
    ids=["bent", "straight", "few"],
)
def test_the_title_says_how_it_grows(levels: Levels, title: str) -> None:
    analysis = analysed(memory_round({"a": levels}))
    model = prefill_by_length.draw(analysis)

    assert isinstance(model, FigureModel)
    assert text_of(model.title, analysis) == title


def test_a_floor_lies_beneath_where_hardware_and_model_are_known() -> None:
    levels = {level: {**numbers, "prefill_floor": numbers["ttft_p50"] / 2} for level, numbers in BENT.items()}

    floor = drawn(levels)[1].trends[-1]

    assert (floor.role, len(floor.points)) == ("floor", 6)
    assert floor.points[0][1] == pytest.approx(16.48192 / 2)


def test_levels_of_one_length_show_nothing_of_it() -> None:
    assert isinstance(prefill_by_length.draw(divided()), Missing)
