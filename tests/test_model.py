from __future__ import annotations

from dataclasses import replace

import pytest

from generator.declared.round_tables import SeriesTable
from generator.model import Level, Series, accents_of
from tests.support.example_rounds import published, three_series
from tests.support.machines import machine
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import by_rate


def named(**labels: str | None) -> list[str]:
    """Return how series of these engines are called."""
    round_ = memory_round({series: {} for series in labels})
    series = tuple(Series(SeriesTable(id=key, engine=engine), ()) for key, engine in labels.items())
    return [replace(round_, series=series).label(one.id) for one in series]


@pytest.mark.parametrize(
    ("table", "label"),
    [
        (SeriesTable(id="a"), "a"),
        (SeriesTable(id="a", engine="vLLM"), "vLLM"),
        (SeriesTable(id="a", engine="vLLM", precision="BF16"), "vLLM BF16"),
        (SeriesTable(id="a", precision="BF16"), "a"),
    ],
)
def test_series_is_called_by_engine_and_precision(table: SeriesTable, label: str) -> None:
    assert Series(table, ()).label == label


def test_series_that_share_a_name_are_told_apart_by_their_ids() -> None:
    assert named(a="vLLM", b="vLLM", c=None) == ["vLLM (a)", "vLLM (b)", "c"]


@pytest.mark.parametrize(
    ("level", "kind", "load"),
    [
        (Level("c8", concurrency=8), "concurrency", 8),
        (Level("r2.5", rate=2.5), "rate", 2.5),
        (Level("r10-c128", concurrency=128, rate=10), "rate", 10),  # the concurrency is only a limit
        (Level("x"), "concurrency", 0),
    ],
)
def test_the_load_of_a_level_is_its_rate_else_its_concurrency(level: Level, kind: str, load: float) -> None:
    assert (level.kind, level.load) == (kind, load)


@pytest.mark.parametrize(
    ("level", "name"),
    [
        (Level("c8", concurrency=8), "C=8"),
        (Level("r2.5", rate=2.5), "2.5\u202freq/s"),
        (Level("r10-c128", concurrency=128, rate=10), "10\u202freq/s ≤ C=128"),
        (Level("all"), "all"),
    ],
)
def test_levels_are_called_by_their_load(level: Level, name: str) -> None:
    assert level.name == name


def test_levels_of_one_kind_of_load_stand_together() -> None:
    levels = [Level("r2", rate=2), Level("c4", concurrency=4), Level("r1", rate=1), Level("c1", concurrency=1)]

    assert [level.id for level in sorted(levels, key=lambda level: level.order)] == ["c1", "c4", "r1", "r2"]


def test_levels_of_one_rate_are_ordered_by_their_limit() -> None:
    levels = [Level("r2", rate=2), Level("r2-c9", rate=2, concurrency=9), Level("r2-c4", rate=2, concurrency=4)]

    assert [level.id for level in sorted(levels, key=lambda level: level.order)] == ["r2-c4", "r2-c9", "r2"]


def test_kind_of_load_of_most_levels_comes_first() -> None:
    rates = {f"r{rate}": {"rate": rate} for rate in (2, 3)}
    mixed = memory_round({"s": {"c1": {"concurrency": 1}, **rates}})

    assert mixed.load_kinds == ("rate", "concurrency")
    assert mixed.load_label.en == "load"
    assert memory_round({"s": {"c1": {"concurrency": 1}, "r2": {"rate": 2}}}).load_kinds[0] == "concurrency"
    assert memory_round({"s": {}}).load_kinds == ("concurrency",)


def test_all_but_the_baseline_are_compared() -> None:
    assert [series.id for series in three_series().compared] == ["early", "late"]
    without = memory_round({"a": {}, "b": {}})
    assert (without.baseline, without.compared) == (None, ())


def test_load_is_named_after_what_was_held_constant() -> None:
    assert published("round-2").load_label.en == "concurrency"
    assert by_rate((1.1, 0.9)).load_label.en == "arrival rate, req/s"


def test_series_with_a_gpu_are_those_not_known_to_have_none() -> None:
    round_ = replace(memory_round({"a": {}, "b": {}}), machines={"a": machine({"gpu.gpus.name": "none (CPU)"})})

    assert [series.id for series in round_.with_gpu] == ["b"]


def test_an_engine_has_its_number_in_every_round_and_others_have_what_no_engine_owns() -> None:
    tables = [("q4", "llama.cpp"), ("bf16", "llama.cpp"), ("v", "vLLM"), ("s", "SGLang"), ("x", "own"), ("y", "own")]
    series = {id_: Series(SeriesTable(id=id_, engine=engine), ()) for id_, engine in tables}
    assert accents_of(series.values()) == {"q4": 1, "bf16": 2, "v": 0, "s": 4, "x": 3, "y": 5}
    assert accents_of([series["v"]]) == {"v": 0}
    assert accents_of([series["x"], series["y"]]) == {"x": 0, "y": 1}
