from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.files.json_text import in_lines

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
things = st.recursive(scalars, lambda part: st.lists(part) | st.dictionaries(st.text(), part))


def test_an_object_has_a_line_for_each_key_and_a_list_one_for_each_item() -> None:
    values = [{"metric": "itl_p50", "inputs": [{"name": "C"}]}, {}]

    assert in_lines({"values": values, "中": {"C": [1, 2], "none": []}}) == (
        "{\n"
        ' "values": [\n'
        '  {"metric": "itl_p50", "inputs": [{"name": "C"}]},\n'
        "  {}\n"
        " ],\n"
        ' "中": {\n'
        '  "C": [1, 2],\n'
        '  "none": []\n'
        " }\n"
        "}"
    )


@given(thing=things)
def test_it_reads_back_as_what_it_was(thing: object) -> None:
    assert json.loads(in_lines(thing)) == thing


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        in_lines({"a": [{"b": number}]})


def test_a_key_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="1 is no key of JSON"):
        in_lines({1: [[]]})
