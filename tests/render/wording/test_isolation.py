from __future__ import annotations

import json

import pytest

from generator.render.wording.isolation import flagged, isolated, whole_id, without_controls


@pytest.mark.parametrize("text", ["Qwen2.5-7B", "小模型", "é"])
def test_what_is_written_from_left_to_right_needs_no_element(text: str) -> None:
    assert isolated(text) == text


def test_a_name_from_right_to_left_has_an_element_of_its_own() -> None:
    assert isolated("שלום <7B>") == "<bdi>שלום &lt;7B&gt;</bdi>"


@pytest.mark.parametrize("control", ["\u202a", "\u202e", "\u2066", "\u2069"])
def test_a_character_that_sets_the_direction_is_spelt_out(control: str) -> None:
    assert without_controls(f"a{control}b") == f"a\\u{ord(control):04x}b"


def test_in_json_that_is_the_same_data() -> None:
    data = {"model": "\u202eevil"}
    assert json.loads(without_controls(json.dumps(data, ensure_ascii=False))) == data


def test_in_a_script_it_is_spelt_out_where_the_string_goes() -> None:
    text = without_controls(json.dumps("<p>\u202eevil</p>", ensure_ascii=False), script=True)
    assert json.loads(text) == r"<p>\u202eevil</p>"


def test_the_id_of_a_round_is_not_broken_at_its_hyphens() -> None:
    told = '<span class="id">round-1</span> &lt; <span class="id">round-1-again</span>, not round-12'
    assert flagged("round-1 < round-1-again, not round-12", "round-1", "round-1-again") == told
    assert flagged("round-1") == "round-1"
    assert whole_id("a<b") == '<span class="id">a&lt;b</span>'


def test_a_flag_is_not_broken_at_its_hyphens() -> None:
    assert flagged("cache (--cache-ram)") == 'cache (<span class="flag">--cache-ram</span>)'
    assert flagged("a <b> --x") == 'a &lt;b&gt; <span class="flag">--x</span>'
    assert flagged("--x、--y") == '<span class="flag">--x、</span><wbr><span class="flag">--y</span>'
    assert flagged("two-core, -5") == "two-core, -5"
