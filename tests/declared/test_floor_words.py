from __future__ import annotations

from typing import get_args

from generator.declared.floor_words import BANDWIDTH_SOURCES, FILE_SIZE, WEIGHTS_COUNTED
from generator.declared.round_tables import HardwareTable, SeriesTable


def choices(table: type[HardwareTable | SeriesTable], key: str) -> set[str]:
    """Return what a key with a few possible values may be."""
    literal = next(one for one in get_args(table.model_fields[key].annotation) if get_args(one))
    return set(get_args(literal))


def test_whatever_may_be_declared_has_words() -> None:
    assert set(WEIGHTS_COUNTED) == choices(SeriesTable, "weights_basis")
    assert set(BANDWIDTH_SOURCES) - {None} == choices(HardwareTable, "bandwidth_source")
    assert FILE_SIZE in WEIGHTS_COUNTED
