"""The authors' prose as HTML: references are printed, and nothing that an author writes is obeyed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.wording.prose import render_prose
from generator.text import LANGS, Lang
from generator.told.prose import NUMBERS, Prose, parse_prose
from generator.told.references import ProseError
from generator.values import Address
from tests.support.analyses import BASELINE, printer
from tests.support.sites import fragment, text_of

ITL = Address("itl_p50", "level", BASELINE, "c64")
IN_CODE_OR_LINK = re.compile(r"<code.*?</code>|<a href=.*?>", re.DOTALL)


def rendered(text: str, lang: Lang = "en") -> str:
    return str(render_prose(parse_prose(text, "verdict", lang), printer(lang)))


def test_a_number_is_printed_with_its_unit_and_opens_its_derivation() -> None:
    html = rendered('A step takes {{ value("itl_p50", series="vllm-bf16", level="c64") }}.')

    assert html == (
        f'<p>A step takes <a href="how.html#{printer().anchors[ITL]}">22.50<small>\u202fms</small></a>.</p>\n'
    )


def test_a_sign_of_about_stays_with_both_of_its_sides() -> None:
    html = rendered('C ≈ {{ value("itl_p50", series="vllm-bf16", level="c64") }}')
    assert html.startswith("<p>C\u00a0≈\u00a0<a href")


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        # 22.50 ms; by the floor 18.22 ms: 81.0 %; throughput 1387.8 against 400 tok/s: 0.29
        ('value("itl_p50", series="vllm-bf16", level="c64", decimals=0)', "23\u202fms"),
        ('value("itl_p50", series="vllm-bf16", level="c64", unit="s", decimals=4)', "0.0225\u202fs"),
        ('value("floor_ratio", series="vllm-bf16", level="c64")', "81.0%"),
        ('value("throughput_ratio", series="llamacpp-q4_k_m", level="c64")', "0.29×"),
        ('value("throughput_ratio", series="llamacpp-q4_k_m", level="c64", style="percent", decimals=0)', "29%"),
        ('value("concurrency", series="vllm-bf16", level="c8")', "8"),
        ('value("memory_capacity")', "24\u202fGiB"),
        ('series("llamacpp-q4_k_m")', "llama.cpp Q4_K_M"),
        ('level("c8", series="vllm-bf16")', "C=8"),
        ('level("c8")', "C=8"),
        ('typed("28 layers")', "28 layers"),
    ],
)
def test_each_kind_of_reference_is_printed(reference: str, shown: str) -> None:
    assert text_of(fragment(rendered("{{ " + reference + " }}"))).strip() == shown


@pytest.mark.parametrize(
    "reference",
    [
        'value("never_was", series="vllm-bf16")',
        'value("itl_p50", series="nobody", level="c1")',
        'value("itl_p50", series="vllm-bf16", level="c9")',
        'value("itl_p50", series="vllm-bf16")',
        'value("itl_p50", series="llamacpp-q4_k_m", level="c64")',
        'value("itl_p50", series="vllm-bf16", level="c1", basis="as_published")',
        'level("c9", series="vllm-bf16")',
        'level("c8", series="nobody")',
        'level("c9")',
        'series("nobody")',
    ],
)
def test_what_is_not_there_is_a_dash(reference: str) -> None:
    assert text_of(fragment(rendered("a {{ " + reference + " }} b"))).strip() == "a — b"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(x)</script>",
        "<img src=x onerror=alert(x)>",
        "[x](javascript:alert)",
        "[x](JaVaScRiPt:alert)",
        "[x](&#106;avascript:alert)",
        "<javascript:alert>",
        "[x]: javascript:alert\n\n[x]",
        '[x](a "&quot; onclick=alert")',
        '{{ typed("<img src=x onerror=alert>") }}',
        '{{ series("<script>") }}',
        '`{{ typed("<b>") }}`',
        '{x} %s {{ typed("{0} {x!r}") }}',
    ],
)
def test_hostile_text_is_shown_and_not_obeyed(text: str) -> None:
    html = rendered(text)
    elements = list(fragment(html).iter())[1:]

    assert {str(element.tag) for element in elements} <= {"p", "a", "code"}
    assert {name for element in elements for name in element.attrib} <= {"href", "title"}
    assert not [e for e in elements if e.get("href", "").lower().lstrip().startswith("javascript")]


@pytest.mark.parametrize(
    ("target", "is_out"),
    [
        ("https://a.example", True),
        ("http://a.example", True),
        ("#terms", False),
        ("../b", False),
    ],
)
def test_links_out_say_that_they_leave_nothing_behind(target: str, is_out: bool) -> None:
    (link,) = fragment(rendered(f"[x]({target})")).iter("a")

    assert link.get("rel") == ("noopener" if is_out else None)


def test_a_link_to_a_section_leads_to_the_page_that_tells_it() -> None:
    prose = parse_prose("[a](#anomaly), [b](#verdict), [c](https://a.example/#anomaly)", "verdict", "en")
    html = render_prose(prose, printer("en").on_page({"anomaly": "mechanism.html"}))

    links = [link.get("href") for link in fragment(str(html)).iter("a")]
    assert links == ["mechanism.html#anomaly", "#verdict", "https://a.example/#anomaly"]


def test_a_link_that_is_only_written_about_stays_text() -> None:
    assert "&lt;a href=&quot;https://a.example&quot;&gt;" in rendered('<a href="https://a.example">')


def outcome(text: str, lang: Lang) -> Prose | None:
    try:
        return parse_prose(text, "verdict", lang)
    except ProseError:
        return None


@given(st.text(alphabet="ab12*_`~[](){}<>#|-.:!&; \\\n一二半个，。", max_size=60), st.sampled_from(LANGS))
def test_what_passes_shows_no_number_outside_code(text: str, lang: Lang) -> None:
    prose = outcome(text, lang)
    if prose is not None:
        html = IN_CODE_OR_LINK.sub("", str(render_prose(prose, printer(lang))))
        assert not NUMBERS[lang].search(text_of(fragment(html)))


@given(st.text(alphabet='ab*_`[](){}<>#|-.:!&; "\\\n是，', max_size=40), st.sampled_from(LANGS))
def test_any_text_with_references_becomes_well_formed_html(text: str, lang: Lang) -> None:
    prose = outcome(text.replace("a", '{{ series("vllm-bf16") }}'), lang)
    if prose is not None:
        html = str(render_prose(prose, printer(lang)))
        fragment(html)
        assert html.count("vLLM BF16") == len(prose.references)
