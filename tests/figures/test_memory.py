from __future__ import annotations

from dataclasses import replace

import pytest

from generator.figures.memory import memory
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import BarPlot, FigureModel
from generator.units import GIBIBYTE
from tests.support.example_rounds import published
from tests.support.machines import machine
from tests.support.memory_round import Numbers, memory_round
from tests.support.odd_rounds import ROUNDS
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, BarPlot]:
    model = memory.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, BarPlot)
    return model, model.plot


def in_gib(capacity: float | None = None, **gib: Numbers) -> Round:
    """Return a round whose series are known by what their memory holds, in GiB."""
    return memory_round(
        {series: {} for series in gib},
        of_series={series: {key: amount * GIBIBYTE for key, amount in held.items()} for series, held in gib.items()},
        of_round={} if capacity is None else {"memory_capacity": capacity * GIBIBYTE},
    )


def test_bars_of_the_second_round_add_up() -> None:
    # vLLM: 14.49 + 6.41 GiB as its log says. llama.cpp: a file of 4.68 GB ÷ 2³⁰ = 4.3586 GiB, and
    # 262144 tokens × 56 KiB = 14 GiB; of 19089 MiB = 18.6416 GiB in use that leaves 0.2830 GiB.
    model, plot = drawn(published("round-2"))
    read, computed = plot.bars

    assert [(one.name.en, one.length, one.fill) for one in read.segments] == [
        ("weights", 14.49, "solid"),
        ("KV pool", 6.41, "solid"),
    ]
    assert [one.length for one in computed.segments] == [
        pytest.approx(4.3586, abs=5e-5), pytest.approx(14), pytest.approx(0.2830, abs=5e-5)
    ]  # fmt: skip
    assert {one.fill for one in computed.segments} == {"hatched"}
    assert sum(one.length for one in computed.segments) == pytest.approx(19089 / 1024)
    assert plot.limit == 24
    assert "Of 24 GiB, llama.cpp Q4_K_M gives 14.0 GiB to its KV pool" in said(model.title, published("round-2"))


def test_memory_overdrawn_has_no_remainder() -> None:
    _, plot = drawn(in_gib(a={"weights_loaded": 8, "kv_pool_bytes": 8, "device_memory_used": 10}))

    assert [segment.name.en for segment in plot.bars[0].segments] == ["weights", "KV pool"]


def test_without_a_capacity_there_is_no_limit() -> None:
    round_ = in_gib(a={"weights_loaded": 8, "kv_pool_bytes": 2})
    model, plot = drawn(round_)

    assert plot.limit is None
    assert said(model.title, round_) == "a 给 KV 池分了 2.00 GiB\na gives 2.00 GiB to its KV pool"


def test_title_speaks_of_a_series_that_is_drawn() -> None:
    round_ = in_gib(a={"weights_loaded": 8, "kv_pool_bytes": 2}, b={"kv_pool_bytes": 9})
    model, plot = drawn(round_)

    assert [bar.series for bar in plot.bars] == ["a"]
    assert said(model.title, round_).endswith("a gives 2.00 GiB to its KV pool")


def test_without_weights_and_pool_the_keys_to_fill_are_named() -> None:
    round_ = ROUNDS["nothing recorded"]()
    missing = memory.draw(analysed(round_))

    assert isinstance(missing, Missing)
    for key in ("memory.weights_gib", "memory.kv_pool_gib", "kv_pool_tokens", "kv_dtype_bytes"):
        assert said(missing, round_).count(key) == 2  # once in each language


def test_without_a_gpu_nothing_is_asked_for() -> None:
    round_ = replace(memory_round({"s": {}}), machines={"s": machine({"gpu.gpus.name": "none (two-core CPU)"})})
    drawn_instead = memory.draw(analysed(round_))

    assert isinstance(drawn_instead, Missing)
    assert "published.toml" not in said(drawn_instead, round_)
