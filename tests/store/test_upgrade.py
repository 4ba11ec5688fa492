from __future__ import annotations

import pytest

from generator import SCHEMA
from generator.errors import InputError
from generator.store.upgrade import UPGRADES, Table, upgrade


def one_to_two(raw: Table) -> Table:
    """As if schema 2 had renamed ``card`` to ``gpu``."""
    return {"schema": 2, "gpu": raw["card"]}


def two_to_three(raw: Table) -> Table:
    """As if schema 3 had made the GPU a list."""
    return {**raw, "gpu": [raw["gpu"]]}


STEPS = {1: one_to_two, 2: two_to_three}


def test_an_old_file_goes_through_every_step() -> None:
    assert upgrade({"schema": 1, "card": "H200"}, "f", 3, STEPS) == {"schema": 3, "gpu": ["H200"]}


def test_a_file_joins_the_chain_at_its_own_number() -> None:
    assert upgrade({"schema": 2, "gpu": "H200"}, "f", 3, STEPS) == {"schema": 3, "gpu": ["H200"]}


def test_a_present_file_is_left_alone() -> None:
    assert upgrade({"schema": 3, "gpu": ["H200"]}, "f", 3, STEPS) == {"schema": 3, "gpu": ["H200"]}


def test_there_is_a_step_from_every_number_that_ever_was() -> None:
    assert sorted(UPGRADES) == list(range(1, SCHEMA))


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ({}, "f: has no schema number; add schema = 3 as the first line"),
        ({"schema": 4}, "f, schema: written by a newer Rounds; update Rounds to read it"),
        ({"schema": 0}, "f, schema: expected a whole number from 1 on; write schema = 3"),
        ({"schema": True}, "f, schema: expected a whole number from 1 on; write schema = 3"),
        ({"schema": 1.0}, "f, schema: expected a whole number from 1 on; write schema = 3"),
    ],
)
def test_a_number_that_leads_nowhere_is_refused(raw: Table, line: str) -> None:
    with pytest.raises(InputError) as refused:
        upgrade(raw, "f", 3, STEPS)
    assert str(refused.value) == line
