"""An author's prose: numbers that are typed are found, wherever they stand, and nothing else is."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.analysis.quotes import quoted
from generator.text import LANGS, Lang
from generator.told.prose import LONGEST, Prose, parse_prose
from generator.told.references import FUNCTIONS, SIGN, ProseError
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import catalogue

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "prose.md"
REFERENCE = '{{ value("itl_p50", series="vllm", level="c64") }}'
WORDS = st.text(alphabet="abcxyz .,;:—(){}*_`~#>|+-=!&<\n是的，。“”", max_size=30)


def parsed(text: str, lang: Lang = "en") -> Prose:
    return parse_prose(text, "verdict", lang)


def refusal(text: str, lang: Lang = "en") -> ProseError:
    with pytest.raises(ProseError) as refused:
        parsed(text, lang)
    return refused.value


def outcome(text: str, lang: Lang) -> Prose | ProseError:
    try:
        return parsed(text, lang)
    except ProseError as refused:
        return refused


def test_a_text_keeps_its_references_in_order() -> None:
    prose = parsed('A step takes {{ value("itl_p50", series="a") }} on {{ series("a") }}.')

    assert prose.source == f"A step takes {SIGN} on {SIGN}."
    assert [one.function for one in prose.references] == ["value", "series"]


# What counts as a number


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It took 16.6 ms.", "16"),
        ("a **3** b", "3"),
        ("| a |\n| - |\n| 5 |", "5"),
        ("### A heading with 7", "7"),
        ("> quoted 8", "8"),
        ("- listed 9", "9"),
        ("[level 32](https://example.org)", "32"),
        ('[a](https://example.org "see 5")', "5"),
        ("an entity &#50; too", "2"),
        ("<b>4</b>", "4"),
        ("full-width \uff11\uff12", "\uff11\uff12"),
        ("Arabic ٣", "٣"),
        ("a half ½ and a square ²", "half"),
        ("x² and ½", "²"),
        ("circled ①", "①"),
        ("twice as fast", "twice"),
        ("Two engines", "Two"),
        ("twofold", "twofold"),
        ("two-thirds", "two"),
        ("a third", "third"),
        ("one fifth", "fifth"),
        ("doubled", "doubled"),
        ("halving", "halving"),
        ("dozens of runs", "dozens"),
        ("per\ncent", "per\\ncent"),
        (r"\`6\`", "6"),
        ("7. begins a list with seven", "7"),
        ("Q5_A1 and Q4-K", "4"),
        ("500/C", "500"),
        ("xp50", "50"),
    ],
)
def test_numbers_of_an_english_text_are_found(text: str, word: str) -> None:
    assert refusal(text).problem == f"'{word}' is typed"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("一步 16 毫秒", "16"),
        ("两个引擎", "两"),
        ("快了三倍", "三"),
        ("三分之一", "三"),
        ("百分之五", "百"),
        ("二十五条请求", "二十五"),
        ("**两**个引擎", "两"),
        ("一半的时间", "一半"),
        ("翻了一番", "翻了一番"),
        ("翻倍", "翻倍"),
        ("提高一倍", "一倍"),
        ("七成", "七"),
    ],
)
def test_numbers_of_a_chinese_text_are_found(text: str, word: str) -> None:
    assert refusal(text, "zh").problem == f"'{word}' is typed"


@pytest.mark.parametrize(
    "text",
    [
        "1. first\n2. then\n",
        "`-c 65536` and ``a ` 5``",
        "```sh\nrun --n 5\n```",
        "~~~\n5\n~~~",
        "    indented 5",
        "[a](https://example.org/2026/5)",
        "<https://example.org/2026>",
        "[a][b]\n\n[b]: https://example.org/5",
        "p50, p99, BF16, Q4_K_M, 1/C, 1 Hz, T2 and UTF-8",
        "one of them, at once, often enough",
        r"escaped \{\{ value \}\}",
        "a { brace } and } another",
        '```json\n{"a": {"b": "c"}}\n```',
        "code `}}` may hold braces",
        REFERENCE,
        '{{ typed("28 layers") }} and {{ typed("Three") }}',
    ],
)
def test_code_links_terms_marks_and_list_numbers_count_nothing(text: str) -> None:
    assert parsed(text).section == "verdict"


@pytest.mark.parametrize("text", ["在p50上", "用 BF16 跑", "一个引擎", "十分明显", "万一失败", "这一轮", "双方各自"])
def test_chinese_words_that_only_look_like_numbers_count_nothing(text: str) -> None:
    assert parsed(text, "zh").source == text


def test_the_line_is_that_of_the_number() -> None:
    assert refusal(f"{REFERENCE}\n\nword\nword\n*word* 5").line == 5
    assert refusal("- a\n- b\n\n  c\n  d 5\n").line == 5
    assert refusal("| a | b |\n| - | - |\n| c | d |\n| e | 5 |\n").line == 4


def test_the_remedy_is_a_reference_or_a_mark() -> None:
    assert refusal("5").remedy == 'quote the number with {{ value(…) }}, or mark it {{ typed("…") }}'


# What else is refused


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a\n![x](https://evil.example/a.png)", 2, "an image"),
        ("![x](a.png)", 1, "an image"),
        ("[![x](a.png)](b.html)", 1, "an image"),
        ("# Title", 1, "a heading of rank 1"),
        ("a\n\nTitle\n---\n", 3, "a heading of rank 2"),
        ("[x](data:image/png;base64,AAAA)", 1, "a link to 'data:image/png;base64,AAAA'"),
        ("[x](ftp://a.example)", 1, "a link to 'ftp://***'"),
        ("[x](<java&Tab;script:alert>)", 1, "a link to 'java%09script:alert'"),
        ("a\n[x](TEL:12)", 2, "a link to 'TEL:12'"),
        ("[x](//evil.example)", 1, "a link to '//evil.example'"),
        ("a\nb\u202ec", 2, r"an invisible character '\u202e'"),
        ("`a\u2066`", 1, r"an invisible character '\u2066'"),
        ("a &#x200b; b", 1, r"an invisible character '\u200b'"),
        ("a\nb }}", 2, "a lone }}"),
        ("a {{ b", 1, "{{ is not closed on its line"),
        (f"a\n\nb {SIGN}", 3, "a private-use character"),
        ("&#xe000;", 1, "a reference stands where nothing can be printed"),
        ('a\n[x]({{ series("a") }})', 2, "a reference stands where nothing can be printed"),
        ('[x](a "{{ series("a") }}")', 1, "a reference stands where nothing can be printed"),
        ('```{{ series("a") }}\nx\n```', 1, "a reference stands where nothing can be printed"),
        ('[x]: a "{{ series("a") }}"', 1, "a reference stands where nothing can be printed"),
        ("a" * (LONGEST + 1), 1, "longer than 1048576 characters"),
    ],
)
def test_what_a_page_cannot_show_is_refused(text: str, line: int, problem: str) -> None:
    refused = refusal(text)

    assert refused.line == line
    assert problem in refused.problem


@pytest.mark.parametrize("target", ["https://a.example", "#terms", "../x.html", "mailto:a@b.example"])
def test_links_to_pages_are_fine(target: str) -> None:
    assert parsed(f"[x]({target})").references == ()


def test_a_reference_in_code_is_one() -> None:
    prose = parsed('`-np {{ value("slots", series="a") }}`\n\n```\n{{ series("a") }}\n```\n')

    assert len(prose.references) == 2


# The document


def examples() -> list[str]:
    return re.findall(r"```markdown\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_of_the_document_quote_data_of_the_second_round() -> None:
    english, chinese = examples()
    en, zh = parsed(english, "en"), parsed(chinese, "zh")
    data = [{one.written for one in prose.references if one.function != "typed"} for prose in (en, zh)]

    assert data[0] == data[1]
    assert [one.written for one in en.references if quoted(one, ANALYSES["round-2"]()) is None] == []


def test_the_document_names_every_section_and_function() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")

    assert [key for key in catalogue().sections if f"`{key}`" not in text] == []
    assert [function for function in FUNCTIONS if f"`{function}(" not in text] == []
    assert [keyword for keyword in FUNCTIONS["value"] if f"{keyword}=" not in text] == []


# Any text


@given(st.text(max_size=80) | WORDS, st.sampled_from(LANGS))
def test_any_text_is_read_or_refused(text: str, lang: Lang) -> None:
    found = outcome(text, lang)

    assert isinstance(found, Prose) or (found.line >= 1 and found.problem and found.remedy)


@given(st.text(alphabet="abc ,.\n是的，。", max_size=20), st.integers(0, 999), st.sampled_from(LANGS))
def test_a_digit_in_running_text_is_always_found(before: str, number: int, lang: Lang) -> None:
    assert refusal(f"{before} x{number} y", lang).problem.endswith("is typed")


@given(WORDS, st.sampled_from(LANGS))
def test_a_text_keeps_as_many_signs_as_references(words: str, lang: Lang) -> None:
    found = outcome(f"{words}{REFERENCE}{words}", lang)

    assert isinstance(found, ProseError) or found.source.count(SIGN) == len(found.references) == 1


# Long texts


def seconds(text: str) -> float:
    began = time.process_time()
    outcome(text, "en")
    return time.process_time() - began


def test_ten_thousand_references_are_read_in_a_second_or_so() -> None:
    paragraph = REFERENCE + " is what it takes, and so on for some more words.\n\n"
    text = paragraph * 10_000

    assert LONGEST > len(text) > 900_000
    assert seconds(text) < 3  # about 0.5 on an idle core


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["5", "{", "{ ", "}", "`", "` ", "百", "Q4_", "[", "![", "*a_", "{{ ", '{{ series("a"), ']
)
def test_the_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    short, long = (unit * (length // len(unit)) for length in (25_000, 100_000))

    assert seconds(long) < 12 * seconds(short) + 0.5  # 4 times the length; 16 times the time would be quadratic


@pytest.mark.parametrize("text", ["_一_半", "一_半", "*一*半"])
def test_marks_of_emphasis_hide_no_number_of_han_characters(text: str) -> None:
    with pytest.raises(ProseError, match="一半"):
        parse_prose(text, "verdict", "zh")
