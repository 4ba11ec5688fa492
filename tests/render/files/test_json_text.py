from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.files.json_text import indented

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
things = st.recursive(scalars, lambda part: st.lists(part) | st.dictionaries(st.text(), part) | st.tuples(part))


def test_each_part_has_a_line_of_its_own() -> None:
    assert indented({"a": [1, 2], "中": {}}) == '{\n "a": [\n  1,\n  2\n ],\n "中": {}\n}'


@given(thing=things)
def test_it_is_what_the_standard_library_writes(thing: object) -> None:
    assert indented(thing) == json.dumps(thing, ensure_ascii=False, allow_nan=False, indent=1)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented({"a": [{"b": number}]})


def test_a_key_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="1 is no key of JSON"):
        indented({1: [[]]})
