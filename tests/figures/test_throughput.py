from __future__ import annotations

import pytest

from generator.figures.throughput import throughput
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import FigureModel, LinePlot
from tests.support.example_rounds import one_series, published, three_series
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES, by_rate
from tests.support.telling import analysed, said, text_of, throughputs


def drawn(round_: Round) -> tuple[FigureModel, LinePlot]:
    model = throughput.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, LinePlot)
    return model, model.plot


def test_second_round_has_a_line_for_each_series_over_all_its_levels() -> None:
    model, plot = drawn(published("round-2"))

    assert [line.series for line in plot.lines] == ["vllm-bf16", "llamacpp-q4_k_m"]
    assert [point.x for point in plot.lines[0].points] == [1, 2, 4, 8, 16, 32, 64]
    assert [point.y for point in plot.lines[1].points] == [161.5, 242.2, 318.4, 415.6, 548.0, 443.7, 1064.8]
    assert list(plot.x.ticks) == [1, 2, 4, 8, 16, 32, 64]
    assert [(axis.scale, axis.unit) for axis in (plot.x, plot.y)] == [("log", ""), ("log", "tok/s")]
    assert model.accents == {"vllm-bf16": 0, "llamacpp-q4_k_m": 1}


def test_spoilt_point_is_hollow_and_says_why() -> None:
    model, plot = drawn(published("round-2"))
    analysis = analysed(published("round-2"))
    hollow = {(line.series, point.level): point.spoilt for line in plot.lines for point in line.points if point.spoilt}

    assert hollow == {("llamacpp-q4_k_m", "c32"): analysis.spoilt["llamacpp-q4_k_m", "c32"].message}
    assert "Hollow points are excluded levels of llama.cpp Q4_K_M" in text_of(model.caption, analysis)


def test_mark_stands_where_the_curves_cross() -> None:
    # C* = 8 × 2^(ln 1.0102 ÷ (ln 1.0102 − ln 0.8041)) = 8.25. The baseline there, between 411.4 at C=8 and
    # 681.5 at C=16: 411.4 × (681.5 ÷ 411.4)^(ln(8.2507 ÷ 8) ÷ ln 2) = 411.4 × 1.6565^0.0445 = 420.8.
    model, plot = drawn(published("round-2"))
    (mark,) = plot.marks

    assert mark.x == pytest.approx(8.2507, abs=1e-4)
    assert mark.y == pytest.approx(420.75, abs=0.05)
    assert "crossover C ≈ 8.3" in said(mark, published("round-2"))
    assert "llama.cpp Q4_K_M and vLLM BF16 deliver the same at C ≈ 8.3" in said(model.title, published("round-2"))


def test_one_series_has_nothing_to_cross() -> None:
    model, plot = drawn(one_series())

    assert ([line.series for line in plot.lines], plot.marks) == (["alone"], ())
    assert said(model.title, one_series()) == "输出吞吐随负载的变化\nOutput throughput versus load"
    assert "crossover" not in said(model.caption, one_series())


def test_each_of_three_series_may_cross_the_baseline() -> None:
    model, plot = drawn(three_series())

    # Ratios to base: early 1.248 at C=4 and 0.557 at C=16, late 1.255 and 0.990.
    assert [mark.x for mark in plot.marks] == [pytest.approx(5.85, abs=0.005), pytest.approx(15.11, abs=0.005)]
    assert said(model.title, three_series()).endswith("Output throughput versus load")


def test_arrival_rates_are_the_load_of_an_open_loop() -> None:
    _, plot = drawn(by_rate((1.1, 0.9, 0.8)))

    assert plot.x.label.en == "arrival rate, req/s"
    assert list(plot.x.ticks) == [1, 2, 4]


def test_level_that_delivered_nothing_stays_listed_and_keeps_its_tick() -> None:
    _, plot = drawn(memory_round({"s": throughputs(10, 0, 30)}))

    assert [(point.x, point.y) for point in plot.lines[0].points] == [(1, 10), (2, 0), (4, 30)]
    assert list(plot.x.ticks) == [1, 2, 4]


def test_one_level_that_delivered_anything_makes_no_curve() -> None:
    assert isinstance(throughput.draw(analysed(memory_round({"s": throughputs(10, 0, 0)}))), Missing)


@pytest.mark.parametrize("name", ["round-1", "one level", "no levels", "nothing recorded"])
def test_without_a_curve_the_column_to_fill_is_named(name: str) -> None:
    analysis = ANALYSES[name]()
    missing = throughput.draw(analysis)

    assert isinstance(missing, Missing)
    assert "output_throughput" in text_of(missing, analysis, "zh")
    assert "output_throughput" in text_of(missing, analysis, "en")


def test_rates_and_concurrencies_do_not_share_an_axis() -> None:
    rates = {f"r{rate}": {"rate": rate, "output_throughput": 10 * rate} for rate in (2, 3)}
    round_ = memory_round({"s": {**throughputs(100, 200, 400), **rates}})
    model, plot = drawn(round_)

    assert [point.level for line in plot.lines for point in line.points] == ["c1", "c2", "c4"]
    assert plot.x.label.en == "concurrency"
    assert "Drawn are the levels of one kind of load (concurrency)" in said(model.caption, round_)


def test_a_crossover_has_no_place_on_an_axis_of_rates() -> None:
    rates = {f"r{rate}": {"rate": rate, "output_throughput": 10 * rate} for rate in (2, 3, 4, 5)}
    round_ = memory_round(
        {"a": {**throughputs(100, 200, 400), **rates}, "b": {**throughputs(200, 300, 300), **rates}}, baseline="a"
    )
    model, plot = drawn(round_)

    assert plot.marks == ()
    assert "C ≈" not in said(model.title, round_)


def test_mark_stands_also_where_the_baseline_repeats_a_load() -> None:
    # Only the baseline has C=2 again; the curves, 100, 200, 400 and 200, 200, 100, cross at C=2.
    again = {"again": {"concurrency": 2, "output_throughput": 200}}
    round_ = memory_round({"a": {**throughputs(100, 200, 400), **again}, "b": throughputs(200, 200, 100)}, baseline="a")
    _, plot = drawn(round_)

    (mark,) = plot.marks
    assert mark.x == pytest.approx(2)
    assert mark.y == pytest.approx(200)


def test_a_line_connects_levels_of_one_length_only() -> None:
    short = {level: {**seen, "asked_input_tokens": 157} for level, seen in throughputs(10, 20, 40).items()}
    long = {"c4-long": {"concurrency": 4, "output_throughput": 5, "asked_input_tokens": 2077}}
    round_ = memory_round({"s": {**short, **long}})
    model, plot = drawn(round_)

    assert [point.level for point in plot.lines[0].points] == ["c1", "c2", "c4"]
    assert "Not drawn: s at C=4 (input 2,077), where requests have other lengths" in said(model.caption, round_)
    assert "没有画出 s 的 C=4（输入 2,077）：请求的长度与线上的档位不同" in said(model.caption, round_)


def test_rates_under_a_limit_make_a_line_of_their_own() -> None:
    under = {
        f"r{rate}": {"concurrency": limit, "rate": rate, "output_throughput": 10 * rate}
        for rate, limit in ((1, 64), (2, 64), (4, 8))
    }
    round_ = memory_round({"s": {**under, "r3": {"rate": 3, "output_throughput": 30}}})
    model, plot = drawn(round_)

    assert [(point.level, point.x) for point in plot.lines[0].points] == [("r1", 1), ("r2", 2)]
    text = said(model.caption, round_)
    assert "s at 3 req/s" in text
    assert "4 req/s ≤ C=8, where the limit on concurrency is not that of the levels on the line" in text


def test_rates_and_all_at_once_are_no_points_of_a_line_over_concurrency() -> None:
    limited = {"r10": {"concurrency": 128, "rate": 10, "output_throughput": 9}}
    round_ = memory_round({"s": throughputs(10, 20), "t": limited, "u": {"all": {"output_throughput": 8}}})
    model, plot = drawn(round_)

    assert [line.series for line in plot.lines] == ["s"]
    text = said(model.caption, round_)
    assert "Drawn are the levels of one kind of load (concurrency)" in text
    assert "Not drawn: u at all, which have neither a concurrency nor an arrival rate." in text


def test_imported_runs_are_not_told_to_fill_in_a_column() -> None:
    runs = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): None})
    missing = throughput.draw(analysed(runs))

    assert isinstance(missing, Missing)
    assert "column" not in said(missing, runs)
