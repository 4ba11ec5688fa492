"""Data about the data, for search engines."""

from __future__ import annotations

import json

import pytest

from generator.render.preview.dataset import as_script
from tests.support.hostile import END_OF_SCRIPT, TEXTS


@pytest.mark.parametrize("text", [*TEXTS, "]]>", "\u2028\u2029", "&lt;/script&gt;"])
def test_a_text_cannot_end_the_script_and_comes_back_as_it_was(text: str) -> None:
    made = as_script({"name": text})
    assert not set("<>&\u2028\u2029") & set(made)
    assert json.loads(made) == {"name": text}


def test_signs_are_spelt_out() -> None:
    assert as_script(END_OF_SCRIPT) == r'"\u003c/script\u003e\u003c!--\u003cscript\u003e"'
