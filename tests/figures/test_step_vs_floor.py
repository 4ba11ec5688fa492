from __future__ import annotations

import pytest

from generator.figures.step_vs_floor import step_vs_floor
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.example_rounds import one_series, published, three_series
from tests.support.memory_round import address, memory_round, observation
from tests.support.odd_rounds import ANALYSES, by_rate
from tests.support.telling import analysed, said, text_of


def drawn(round_: Round) -> tuple[FigureModel, LinePlot]:
    model = step_vs_floor.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)
    return model, model.plot


def test_second_round_has_a_measured_line_and_a_floor_for_each_series() -> None:
    _, plot = drawn(published("round-2"))

    assert [(line.series, line.role) for line in plot.lines] == [
        ("vllm-bf16", "measured"),
        ("llamacpp-q4_k_m", "measured"),
        ("vllm-bf16", "floor"),
        ("llamacpp-q4_k_m", "floor"),
    ]
    measured, floor = plot.lines[0], plot.lines[2]
    assert (measured.points[0].x, measured.points[0].y) == (1, 15.83)
    # (7070619136 × 2 B + 1 × (1024 + 256 ÷ 2) × 57344 B) ÷ 1008 GB/s = 14.2073 GB ÷ 1008 GB/s = 14.0945 ms
    assert floor.points[0].y == pytest.approx(14.0945, abs=5e-5)
    assert (measured.name.zh, floor.name.zh, floor.name.en) == ("vLLM BF16", "vLLM BF16 下限", "vLLM BF16 floor")


def test_only_what_was_measured_can_be_spoilt() -> None:
    model, plot = drawn(published("round-2"))
    hollow = [(line.role, point.level) for line in plot.lines for point in line.points if point.spoilt]

    assert hollow == [("measured", "c32")]
    assert "Hollow points are excluded levels of llama.cpp Q4_K_M" in said(model.caption, published("round-2"))


def test_title_names_who_is_closest_at_the_highest_load() -> None:
    model, _ = drawn(published("round-2"))

    # vLLM at C=64: 18.22 ms ÷ 22.50 ms = 81.0 %; llama.cpp 25.0 %.
    assert said(model.title, published("round-2")) == (
        "两者之中 vLLM BF16 更接近下限：C=64 时下限是步长的 81.0%\n"
        "Of the two, vLLM BF16 stays closer to its floor: at C=64 the floor is 81.0% of its step"
    )


def test_of_three_one_is_closest() -> None:
    model, _ = drawn(three_series())

    assert "is closest to its floor, which is" in said(model.title, three_series())


def test_nobody_is_closest_where_one_series_stands_alone() -> None:
    model, plot = drawn(one_series())

    assert [line.role for line in plot.lines] == ["measured", "floor"]
    assert "At C=64 the floor of alone is 26.8% of its step" in said(model.title, one_series())


def test_without_concurrency_there_is_no_floor_and_none_is_spoken_of() -> None:
    model, plot = drawn(by_rate((1.1, 0.9, 0.8)))

    assert {line.role for line in plot.lines} == {"measured"}
    assert plot.x.label.en == "arrival rate, req/s"
    assert "floor" not in said((model.title, model.caption), by_rate((1.1, 0.9, 0.8)))


@pytest.mark.parametrize("name", ["no levels", "nothing recorded"])
def test_without_a_step_the_column_to_fill_is_named(name: str) -> None:
    analysis = ANALYSES[name]()
    missing = step_vs_floor.draw(analysis)

    assert isinstance(missing, Missing)
    assert "itl_p50_ms" in text_of(missing, analysis, "zh")
    assert "itl_p50_ms" in text_of(missing, analysis, "en")


def test_rates_and_concurrencies_do_not_share_an_axis() -> None:
    steps = {"c1": {"concurrency": 1, "itl_p50": 0.01}, "c4": {"concurrency": 4, "itl_p50": 0.02}}
    round_ = memory_round({"s": {**steps, "r2": {"rate": 2, "itl_p50": 0.5}}})
    model, plot = drawn(round_)

    assert [point.level for line in plot.lines for point in line.points] == ["c1", "c4"]
    assert "Drawn are the levels of one kind of load (concurrency)" in said(model.caption, round_)


FLOORS = {"weight_bytes_per_step": 4e9}
"""Read at 1 TB/s: a floor of 4 ms."""
KV = {"layers": 1.0, "kv_heads": 1.0, "head_dim": 1.0, "kv_dtype_bytes": 1.0, "memory_bandwidth": 1e12}
ASKED = {"concurrency": 8, "asked_input_tokens": 1, "asked_output_tokens": 1}


ONE_STREAM = {**ASKED, "concurrency": 1, "itl_p50": 0.004}
"""A second load, without which there is no line."""


def test_a_single_load_is_no_curve() -> None:
    round_ = memory_round({"a": {"c8": run_once(0.008, 90)}, "b": {"c8": run_once(0.005, 90)}})
    missing = step_vs_floor.draw(analysed(round_))

    assert isinstance(missing, Missing)
    assert "no series has an ITL p50 at more than one" in said(missing, round_)


def run_once(step: float, completed: float) -> dict[str, float]:
    return {**ASKED, "itl_p50": step, "completed": completed}


def test_small_single_runs_are_told_without_a_ranking() -> None:
    # 4 ms ÷ 8 ms and 4 ms ÷ 5 ms, of nine answers each
    round_ = memory_round(
        {"a": {"c1": ONE_STREAM, "c8": run_once(0.008, 9)}, "b": {"c8": run_once(0.005, 9)}},
        of_series={"a": FLOORS, "b": FLOORS},
        of_round=KV,
        runs={("a", "c8", None): None, ("b", "c8", None): None},
    )
    model, _ = drawn(round_)

    assert said(model.title, round_) == (
        "在 C=8，下限 ÷ 步长：a 为 50.0%、b 为 80.0%\nFloor ÷ step at C=8: 50.0% on a and 80.0% on b"
    )


@pytest.mark.parametrize(("slowest_of_b", "ranked"), [(0.0075, True), (0.009, False)], ids=["apart", "overlapping"])
def test_trials_that_overlap_are_told_without_a_ranking(slowest_of_b: float, ranked: bool) -> None:
    # a: 4 ÷ 8 = 50 %; b: 4 ÷ 5 = 80 % at best, and 53 % or 44 % at worst
    seen = [
        observation(address("itl_p50", "level", "b", "c8", trial=trial), step)
        for trial, step in enumerate((0.005, slowest_of_b), 1)
    ]
    round_ = memory_round(
        {"a": {"c1": ONE_STREAM, "c8": run_once(0.008, 90)}, "b": {"c8": {**ASKED, "completed": 90}}},
        of_series={"a": FLOORS, "b": FLOORS},
        of_round=KV,
        runs={("a", "c8", None): None, ("b", "c8", 1): None, ("b", "c8", 2): None},
        further=seen,
    )
    model, _ = drawn(round_)

    assert ("stays closer to its floor" in said(model.title, round_)) is ranked
