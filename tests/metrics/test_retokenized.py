from __future__ import annotations

import pytest

from generator.metrics import retokenized
from generator.places import column
from tests.support.memory_round import read_typed


def test_observed_output_tokens_retokenized() -> None:
    assert read_typed("output_tokens_retokenized", column("output_tokens_retokenized", "tok"), 57) == (57, 57)


def test_retokenized_departure_is_of_the_server_s_count() -> None:
    # 57 of 60: 0.95 − 1
    assert retokenized.retokenized_departure(57, 60) == pytest.approx(-0.05)


def test_retokenized_departure_of_nothing_is_a_whole() -> None:
    assert retokenized.retokenized_departure(0, 4220) == -1
