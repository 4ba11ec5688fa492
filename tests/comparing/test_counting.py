from __future__ import annotations

from dataclasses import replace

import pytest

from generator.comparing.affects import affects_of, shown_sides
from generator.comparing.records import Setting
from generator.comparing.settings import settings_alone, settings_of, things_changed
from generator.declared.round_tables import HardwareTable, ModelTable, SeriesTable
from generator.model import Round, Series
from tests.support.memory_round import memory_round

ALL = SeriesTable(id="a", weight_bytes=15.23e9, weights_basis="all_params")
PRODUCTS = SeriesTable(id="a", weight_params=7_070_619_136, weight_dtype_bytes=2, weights_basis="matmul_params")
CARD = HardwareTable(memory_bandwidth_gb_s=1008, bandwidth_source="datasheet")


def declaring(table: SeriesTable, hardware: HardwareTable = CARD, model: ModelTable | None = None) -> Round:
    round_ = memory_round({"a": {"c1": {}}})
    tables = {"series": (table,), "hardware": hardware, "model": model or round_.file.model}
    return replace(round_, file=round_.file.model_copy(update=tables), series=(Series(table, round_.series[0].levels),))


def counted(base: Round, head: Round) -> dict[str, Setting]:
    return {one.path.removeprefix("floor."): one for one in settings_of(base, head, "a") if one.is_counting}


def test_weights_are_compared_by_what_they_come_to_and_shown_as_declared() -> None:
    found = counted(declaring(ALL), declaring(PRODUCTS))
    weights = found["weights"]

    assert weights.status == "different"
    # 7,070,619,136 × 2 = 14,141,238,272
    assert (weights.base, weights.head) == ("15230000000 all_params", "14141238272 matmul_params")
    assert [one.en for one in shown_sides(weights)] == [
        "15.23\u202fGB (all parameters)",
        "7,070,619,136 × 2\u202fB = 14.14\u202fGB (parameters in matrix products only)",
    ]
    assert shown_sides(weights)[0].zh == "15.23\u202fGB（计入全部参数）"
    assert found["bandwidth"].status == "equal"
    assert shown_sides(found["bandwidth"])[0].en == "1,008\u202fGB/s (data sheet)"


def test_the_kv_of_a_token_follows_from_the_shape() -> None:
    # Keys and values (2) of 28 layers, 4 heads of 128, 2 B and 1 B each: 57,344 and 28,672 B.
    models = [ModelTable(name="m", layers=28, kv_heads=4, head_dim=128, kv_dtype_bytes=n) for n in (2, 1)]
    kv = counted(*(declaring(ALL, model=one) for one in models))["kv"]

    assert (kv.base, kv.head) == ("57344", "28672")
    assert shown_sides(kv)[0].en == "2 × 28 × 4 × 128 × 2\u202fB = 56\u202fKiB"


def test_two_ways_to_declare_the_same_weights_are_the_same() -> None:
    # 4 parameters of 2 bytes are 8 bytes, by the series or by the model.
    ways = [
        declaring(SeriesTable(id="a", weight_bytes=8)),
        declaring(SeriesTable(id="a", weight_params=4, weight_dtype_bytes=2)),
        declaring(SeriesTable(id="a", weight_dtype_bytes=2), model=ModelTable(name="m", matmul_params=4)),
    ]
    assert {counted(ways[0], other)["weights"].status for other in ways} == {"equal"}


@pytest.mark.parametrize("swapped", [False, True])
def test_what_one_side_alone_declares_differs(swapped: bool) -> None:
    sides = [declaring(ALL), declaring(SeriesTable(id="a"), HardwareTable())]
    found = counted(*(reversed(sides) if swapped else sides))

    assert {one.status for one in found.values()} == {"different"}
    assert set(found) == {"weights", "bandwidth"}


def test_nothing_declared_is_no_row() -> None:
    nothing = declaring(SeriesTable(id="a"), HardwareTable())
    assert counted(nothing, nothing) == {}


def test_how_floors_are_counted_is_no_change_of_the_engine() -> None:
    settings = settings_of(declaring(ALL), declaring(PRODUCTS), "a")

    assert things_changed(settings) == 0
    assert "not the engine" in affects_of("floor.weights").en
    assert "floor.weights" in {one.path for one in settings_alone(declaring(ALL), "a")}
