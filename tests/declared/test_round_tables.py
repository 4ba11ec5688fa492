from __future__ import annotations

import pytest
from pydantic import ValidationError

from generator.declared.round_tables import HardwareTable, LevelTable, RoundFile, SeriesTable, WorkloadTable


@pytest.mark.parametrize(
    "wrong", [{"memory_bandwidth_gb_s": float("nan")}, {"memory_gib": 0}, {"vram": 1}, {"driver": ""}, {"cuda": 13}]
)
def test_tables_take_nothing_but_what_they_declare(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        HardwareTable.model_validate({"gpu": "RTX 4090", **wrong})


@pytest.mark.parametrize("identifier", ["", "a/b", "..", ".a", "a b", "<i>", "a" * 81, "a\n", "引擎"])
def test_ids_can_be_folder_names_and_anchors(identifier: str) -> None:
    with pytest.raises(ValidationError):
        SeriesTable(id=identifier)


def test_weights_are_given_one_way() -> None:
    with pytest.raises(ValidationError, match="both given"):
        SeriesTable(id="a", weight_bytes=1.0, weight_params=1.0)
    with pytest.raises(ValidationError, match="without weight_dtype_bytes"):
        SeriesTable(id="a", weight_params=1.0)


@pytest.mark.parametrize(
    ("ids", "baseline", "words"),
    [(["a", "a"], None, "a stands there twice"), (["a"], "b", "baseline is 'b', which is no series")],
)
def test_references_of_a_round_hold(ids: list[str], baseline: str | None, words: str) -> None:
    tables = {
        "schema": 1,
        "round": {"title": {"zh": "轮", "en": "round"}, "baseline": baseline},
        "model": {"name": "m"},
        "hardware": {"gpu": "g"},
        "series": tuple({"id": one} for one in ids),
    }
    with pytest.raises(ValidationError, match=words):
        RoundFile.model_validate(tables)


@pytest.mark.parametrize(
    ("table", "is_so"),
    [
        (SeriesTable(id="a"), False),
        (SeriesTable(id="a", kind="vllm"), False),  # nothing says how it is started
        (SeriesTable(id="a", argv=("serve",)), True),
        (SeriesTable(id="a", endpoint="http://127.0.0.1:8000"), True),
        (SeriesTable(id="a", kind="reference"), True),
    ],
)
def test_a_series_can_be_collected_whose_server_can_be_started_or_found(table: SeriesTable, *, is_so: bool) -> None:
    assert table.is_collectable is is_so


def test_an_entry_of_a_level_speaks_of_every_series_unless_it_names_some() -> None:
    assert LevelTable(id="c8").speaks_of("a")
    assert LevelTable(id="c8", series=("a", "b")).speaks_of("a")
    assert not LevelTable(id="c8", series=("b",)).speaks_of("a")


def test_the_targets_of_a_load_are_those_that_are_set() -> None:
    assert WorkloadTable(slo_ttft_ms=500, slo_e2el_ms=9000).targets_ms == {"ttft": 500, "e2el": 9000}
    assert WorkloadTable().targets_ms == {}
