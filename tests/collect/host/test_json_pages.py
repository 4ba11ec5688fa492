from __future__ import annotations

import pytest

from generator.collect.host.json_pages import first_model, object_of


def test_a_page_that_is_an_object_is_returned() -> None:
    assert object_of('{"total_slots": 4}') == {"total_slots": 4}


@pytest.mark.parametrize("page", ["", "{", "[]", "7", "null", "[" * 100_000])
def test_of_any_other_page_there_is_nothing(page: str) -> None:
    assert object_of(page) == {}


def test_the_first_model_is_the_one_that_is_served() -> None:
    assert first_model('{"data": [{"id": "a"}, {"id": "b"}]}') == {"id": "a"}


@pytest.mark.parametrize("page", ["", "[]", '{"data": []}', '{"data": {"id": "a"}}', '{"data": ["a"]}', '{"data": 7}'])
def test_where_none_is_listed_there_is_nothing(page: str) -> None:
    assert first_model(page) == {}
