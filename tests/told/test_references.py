"""References: how a quote of a datum is written, and what is no quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.told.references import SIGN, ProseError, Reference, split


def only(text: str) -> Reference:
    _, (reference,) = split(text)
    return reference


def test_a_reference_names_function_text_and_keywords() -> None:
    reference = only('{{ value("itl_p50", series="vllm", level="c64", decimals=1) }}')

    assert (reference.function, reference.name) == ("value", "itl_p50")
    assert reference.keywords == {"series": "vllm", "level": "c64", "decimals": 1}
    assert reference.written == 'value("itl_p50", series="vllm", level="c64", decimals=1)'


def test_signs_stand_for_references_in_their_order() -> None:
    text, references = split('a {{ series("x") }} b\nc {{level( "c1" ,series="x" )}}')

    assert text == f"a {SIGN} b\nc {SIGN}"
    assert [(one.function, one.name, one.line) for one in references] == [("series", "x", 1), ("level", "c1", 2)]


def test_what_is_not_asked_for_is_as_usual() -> None:
    reference = only('{{ value("itl_p50", series="x") }}')

    assert (reference.text("level"), reference.decimals, reference.style) == (None, None, None)


def test_unit_style_and_decimals_can_be_asked_for() -> None:
    reference = only('{{ value("itl_p50", series="x", unit="s", style="plain", decimals=0) }}')

    assert (reference.text("unit"), reference.style, reference.decimals) == ("s", "plain", 0)


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        ("{{ value }}", "'value' is not a reference", 'write {{ value("itl_p50", series="…", level="…") }}'),
        ("{{}}", "'' is not a reference", "write"),
        ('{{ value("") }}', "is not a reference", "write"),
        ("{{ value('itl_p50') }}", "is not a reference", "write"),
        ('{{ value("a")("b") }}', "is not a reference", "write"),
        ('{{ value("a", "b") }}', "is not a reference", "write"),
        ('{{ value("a", series=x) }}', "is not a reference", "write"),
        ('{{ value("a", decimals=-1) }}', "is not a reference", "write"),
        ('{{ valeu("itl_p50") }}', "there is no 'valeu'", "did you mean 'value'?"),
        ('{{ value("a", c="x") }}', "value takes no 'c'", "its keywords: basis, decimals, level, series, style, unit"),
        ('{{ series("a", level="x") }}', "series takes no 'level'", "its keywords: none"),
        ('{{ value("a", series="x", series="y") }}', "series is given twice", "keep one"),
        ('{{ value("a", level="c1") }}', "a level without its series", 'add series="…"'),
        (
            '{{ value("a", unit="furlong") }}',
            "there is no unit 'furlong'",
            "known here: 1, 1/Mtok, 1/d, B, B/s, FLOP, GB",
        ),
        ('{{ value("a", unit="mss") }}', "there is no unit 'mss'", "did you mean 'ms'?"),
        ('{{ value("a", style="bold") }}', "there is no style 'bold'", "known here: percent, plain, times"),
        ('{{ value("a", decimals="2") }}', 'decimals="2"', "write a whole number"),
        ('{{ value("a", decimals=10) }}', "10 decimals", "ask for 9 at most"),
        ('{{ value("a", series=5) }}', "series=5", 'write series="5"'),
        ('{{ series("a\x1b[2J") }}', "a reference holds a control character", "remove it"),
        ("{{ open", "{{ is not closed on its line", "close it with }}"),
        ('{{ series(\n"a") }}', "{{ is not closed on its line", "close it with }}"),
    ],
)
def test_what_is_no_reference_is_refused_with_a_way_out(text: str, problem: str, remedy: str) -> None:
    with pytest.raises(ProseError) as refused:
        split(f"first line\n{text}")

    assert refused.value.line == 2
    assert problem in refused.value.problem
    assert remedy in refused.value.remedy


def outcome(text: str) -> tuple[str, tuple[Reference, ...]] | ProseError:
    try:
        return split(text)
    except ProseError as refused:
        return refused


@given(st.text(alphabet='{}()", =abcdefghilmnopstuvwxyz15\n', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = outcome(text)

    if isinstance(found, ProseError):
        assert 1 <= found.line <= text.count("\n") + 1
    else:
        assert found[0].count(SIGN) == len(found[1])


@given(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters='"}'), min_size=1, max_size=200))
def test_any_name_that_can_be_printed_is_kept_as_it_is(name: str) -> None:
    assert only('{{ series("' + name + '") }}').name == name
