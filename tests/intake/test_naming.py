from __future__ import annotations

import re

import pytest

from generator.declared.table_types import ID_PATTERN
from generator.intake.naming import free_id, load_id, slug
from generator.runs.imported import Run
from generator.store.names import objection_to_series


@pytest.mark.parametrize(
    ("concurrency", "rate", "expected"),
    [(8, None, "c8"), (None, 2.5, "r2.5"), (8, 10, "r10-c8"), (None, None, "all-at-once")],
)
def test_a_level_is_named_after_its_load(concurrency: float | None, rate: float | None, expected: str) -> None:
    assert load_id(Run("toy", concurrency=concurrency, rate=rate)) == expected


def test_what_was_run_without_a_server_is_called_as_its_tool_calls_it() -> None:
    assert load_id(Run("toy", test="pp512+tg128 @ d4096")) == "pp512-tg128-d4096"


@pytest.mark.parametrize(
    ("concurrency", "expected"),
    [(1e10, "c1e10"), (12345678901.0, "c12345678901.0"), (1e18, "c1e18")],
)
def test_a_load_beyond_all_others_still_gives_an_id(concurrency: float, expected: str) -> None:
    assert load_id(Run("toy", concurrency=concurrency)) == expected
    assert re.fullmatch(ID_PATTERN, expected)


def test_loads_that_differ_have_ids_that_differ() -> None:
    assert load_id(Run("toy", rate=0.1)) == "r0.1"
    assert load_id(Run("toy", rate=0.1000000000001)) == "r0.1000000000001"


@pytest.mark.parametrize(
    ("words", "expected"),
    [("acme/小模型-8B", "acme-8b"), ("../../etc", "etc"), ("<script>", "script"), ("小模型", "series"), ("", "series")],
)
def test_an_id_holds_nothing_that_leads_out_or_needs_escaping(words: str, expected: str) -> None:
    assert slug(words) == expected


def test_an_id_that_another_has_gets_a_number() -> None:
    assert free_id("a", []) == "a"
    assert free_id("a", ["a", "a-2"]) == "a-3"


@pytest.mark.parametrize("name", ["con", "prose", "LPT1"])
def test_what_no_folder_of_a_series_can_be_called_gets_a_number(name: str) -> None:
    assert free_id(name, []) == f"{name}-2"
    assert objection_to_series(name, [])


def test_an_id_may_be_that_of_a_folder_but_not_in_other_letters() -> None:
    assert free_id("a", [], beside=["a"]) == "a"
    assert free_id("a", [], beside=["A"]) == "a-2"
