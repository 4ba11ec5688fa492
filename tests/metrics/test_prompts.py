from __future__ import annotations

import pytest

from generator.places import Place, column, record
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    "place",
    [record("level.json", "summary.prompts_repeated", "1"), column("prompts_repeated", "1")],
    ids=["ours", "table"],
)
def test_observed_prompts_repeated(place: Place) -> None:
    assert read_typed("prompts_repeated", place, 3) == (3, 3)
