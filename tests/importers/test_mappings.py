"""What holds for the mapping of every importer."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from generator.catalogue import load
from generator.kinds import Importer
from generator.mapping import Mapped, ours
from generator.text import Text
from generator.units import base_unit
from tests.test_declarations import is_translated

HERE: Final = Path(__file__).parent
NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
CATALOGUE: Final = load()
IMPORTERS: Final = CATALOGUE.importers
ROWS: Final = [(key, row) for key, one in IMPORTERS.items() for row in one.mapping]
SINGLE: Final = {metric.key: metric for metric in CATALOGUE.graph.metrics.values() if metric.basis is None}
READABLE: Final = {place_of.key for place, place_of in CATALOGUE.graph.places().items() if place.kind == "column"}


@pytest.mark.parametrize("importer", IMPORTERS.values(), ids=IMPORTERS)
def test_every_importer_says_what_its_numbers_mean(importer: Importer) -> None:
    assert list(ours(importer.mapping)), f"give {importer.key} a mapping (generator/mapping.py)"


@pytest.mark.parametrize("importer", IMPORTERS.values(), ids=IMPORTERS)
def test_mapped_metrics_can_be_read_in_their_unit(importer: Importer) -> None:
    entries = list(ours(importer.mapping))
    assert [entry for entry in entries if entry.metric not in READABLE] == []
    assert [entry for entry in entries if base_unit(entry.unit) != base_unit(SINGLE[entry.metric].unit)] == []


@pytest.mark.parametrize("importer", IMPORTERS.values(), ids=IMPORTERS)
def test_no_field_means_two_things(importer: Importer) -> None:
    fields = Counter((entry.field, row.versions) for row in importer.mapping for entry in row.entries())
    assert [field for field, count in fields.items() if count > 1] == []


@pytest.mark.parametrize(("key", "row"), ROWS, ids=[f"{key}-{row.field}" for key, row in ROWS])
def test_what_is_another_quantity_resembles_one_that_there_is(key: str, row: Mapped) -> None:
    if row.quantity:
        assert row.metric.replace("{}", "mean") in SINGLE, f"{key}: there is no metric {row.metric}"


@pytest.mark.parametrize(("key", "row"), ROWS, ids=[f"{key}-{row.field}" for key, row in ROWS])
def test_definitions_are_told_in_both_languages(key: str, row: Mapped) -> None:
    texts: list[Text] = [text for text in (row.definition, row.why) if text is not None]
    assert [text for text in texts if not is_translated(text)] == [], f"{key}, {row.field}"
    assert [text for text in texts if NUMBER.findall(text.zh) != NUMBER.findall(text.en)] == [], f"{key}, {row.field}"


@pytest.mark.parametrize("importer", IMPORTERS.values(), ids=IMPORTERS)
def test_the_conduct_of_a_tool_is_told_in_both_languages(importer: Importer) -> None:
    assert importer.conduct is None or is_translated(importer.conduct)


def test_the_manual_lists_every_importer() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "importers.md").read_text(encoding="utf-8")
    assert [key for key in IMPORTERS if f"| `{key}` |" not in manual] == [], (
        "add a row to the table of docs/importers.md"
    )


@pytest.mark.parametrize("importer", IMPORTERS)
def test_every_importer_is_given_damaged_files(importer: str) -> None:
    tests = [*HERE.glob(f"test_{importer}.py"), *HERE.glob(f"{importer}/test_*.py")]
    assert any("survives(" in path.read_text(encoding="utf-8") for path in tests), "see tests/support/mutated.py"
