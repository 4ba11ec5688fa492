"""What readers see keeps to the style sheets of its language: docs/style.zh.md and docs/style.en.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from generator.text import LANGS, Lang
from tests.support.written import PACKAGE, ROOT, Written, written_in_pages, written_in_source

HAN: Final = r"[\u3400-\u9fff]"
FULL: Final = "，。；：！？、（）“”"
RULES: Final[Mapping[Lang, Mapping[str, re.Pattern[str]]]] = {
    "zh": {
        "half-width punctuation beside a Han character": re.compile(
            rf"{HAN}[,;:!?(]|{HAN}\.(?!\w)|[,;!?)]{HAN}|(?<![\w}}]):{HAN}"
        ),
        "no space between Han and Latin": re.compile(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9%]{HAN}"),
        "a space between Han characters": re.compile(rf"{HAN} +{HAN}"),
        "a space beside full-width punctuation": re.compile(rf"[{FULL}] +\S|\S +[{FULL}]"),
        "a full-width letter, digit or sign": re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff05]"),
        "quotation marks other than “”": re.compile("[「」『』‘’]"),
        "three dots for an ellipsis": re.compile(r"\.\.\.(?!\w)"),
        "several spaces": re.compile(r" {2}"),
        "an exclamation mark": re.compile("！"),
        "Markdown in a phrase": re.compile("`"),
    },
    "en": {
        "several spaces": re.compile(r" {2}"),
        "a space before punctuation": re.compile(r"\w [,;:.?](?:\s|$)"),
        "a full-width character": re.compile("[\u3000-\u303f\uff00-\uffef]"),
        "a curly apostrophe": re.compile("’"),
        "straight quotation marks": re.compile(r'(?<!= )(?<!\w)"\w[^"]*"'),
        "a dash between clauses": re.compile(r"\w ?— ?\w"),
        "a plural in brackets": re.compile(r"[a-z]\(s\)"),
        "an exclamation mark": re.compile(r"\w!(?:\s|$)"),
        "Markdown in a phrase": re.compile("`"),
    },
}
TABLE: Final = re.compile(r"<!-- words -->\n(.*?)<!-- /words -->", re.DOTALL)
NAMED: Final = re.compile(r"--[a-z][\w-]*|[\w/]+\.(?:json|toml|csv|py|html)\b")
"""Options and files: their names are what they are."""


@cache
def all_written() -> tuple[Written, ...]:
    return (*written_in_source(), *written_in_pages())


@cache
def banned(lang: Lang) -> tuple[str, ...]:
    """Return the words in the last column of the table of a style sheet."""
    sheet = (ROOT / "docs" / f"style.{lang}.md").read_text(encoding="utf-8")
    (table,) = TABLE.findall(sheet)
    return tuple(
        word for row in table.splitlines() for word in re.findall("`([^`]+)`", row.rstrip("| ").rpartition("|")[2])
    )


@cache
def words_of(lang: Lang) -> re.Pattern[str]:
    words = "|".join(map(re.escape, banned(lang)))
    return re.compile(words if lang == "zh" else rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


def breaks(rule: str, lang: Lang, text: str) -> bool:
    return bool(RULES[lang][rule].search(text))


def test_there_is_something_to_look_at() -> None:
    places = {one.place.partition("/")[0] for one in all_written()}

    assert places == {"generator", "site_src", "runs"}
    assert len(all_written()) > 5000


@pytest.mark.parametrize(("lang", "rule"), [(lang, rule) for lang in LANGS for rule in RULES[lang]])
def test_no_text_breaks_a_rule(lang: Lang, rule: str) -> None:
    broken = [f"{one.place}: {one.text}" for one in all_written() if one.lang == lang and breaks(rule, lang, one.text)]

    assert broken == [], f"{rule}: see docs/style.{lang}.md"


@pytest.mark.parametrize("lang", LANGS)
def test_one_word_stands_for_one_thing(lang: Lang) -> None:
    found = [
        f"{one.place}: {hit[0]!r} in {one.text}"
        for one in all_written()
        if one.lang == lang and (hit := words_of(lang).search(NAMED.sub("", one.text)))
    ]

    assert found == [], f"the table in docs/style.{lang}.md has the word to use"


def test_the_terminal_writes_no_plural_in_brackets() -> None:
    strings = (
        (file.name, node.value)
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )

    assert [found for found in strings if re.search(r"(?<!http)(?<=[a-z])\(s\)", found[1])] == []


EXAMPLES: Final[tuple[tuple[Lang, str, str, str], ...]] = (
    ("zh", "half-width punctuation beside a Han character", "吞吐,时延", "吞吐，时延（p99, p50）在 round.toml 里"),
    ("zh", "half-width punctuation beside a Han character", "时延(p99)", "(E2EL − TTFT) ÷ 2"),
    ("zh", "no space between Han and Latin", "用vLLM跑", "用 vLLM 跑，{n}次"),
    ("zh", "no space between Han and Latin", "占 81%的", "占 81% 的"),
    ("zh", "a space between Han characters", "吞吐 时延", "吞吐 {n} 时延"),
    ("zh", "a space beside full-width punctuation", "在 C=8 ，吞吐", "在 C=8，吞吐"),
    ("zh", "a full-width letter, digit or sign", "\uff18\uff11\uff05", "81%"),
    ("zh", "quotation marks other than “”", "「账」", "“账”"),
    ("zh", "three dots for an ellipsis", "a、b...", "round-1...round-2"),
    ("zh", "several spaces", "在  C=8", "在 C=8"),
    ("zh", "an exclamation mark", "快！", "快。"),
    ("zh", "Markdown in a phrase", "用 `rounds diff` 比较", "用 rounds diff 比较"),
    ("en", "Markdown in a phrase", "Let `rounds collect` start", "Let rounds collect start"),
    ("en", "several spaces", "one.  Two", "one. Two"),
    ("en", "a space before punctuation", "one , two", "a column of .csv, one"),
    ("en", "a full-width character", "one，two", "one, two"),
    ("en", "a curly apostrophe", "the report’s", "the report's"),
    ("en", "straight quotation marks", 'the "share" of', 'page_cache = "dropped" drops the “share”'),
    ("en", "a plural in brackets", "2 run(s)", "Average latency (s)"),
    ("en", "a dash between clauses", "one — two", "a **dash** — is unknown"),
    ("en", "an exclamation mark", "Fast!", "! head failed"),
)  # fmt: skip
"""Language, rule, a text that breaks it, and one that does not."""


@pytest.mark.parametrize(("lang", "rule", "broken", "sound"), EXAMPLES)
def test_the_rules_tell_what_is_broken_from_what_is_sound(lang: Lang, rule: str, broken: str, sound: str) -> None:
    assert breaks(rule, lang, broken)
    assert not breaks(rule, lang, sound)


def test_every_rule_has_an_example() -> None:
    assert {(lang, rule) for lang, rule, *_ in EXAMPLES} == {(lang, rule) for lang in LANGS for rule in RULES[lang]}


@pytest.mark.parametrize(
    ("lang", "text", "word"),
    [
        ("zh", "发送延迟", "延迟"),
        ("zh", "发送滞后", None),
        ("en", "Simply rerun it", "Simply"),
        ("en", "a warm-up of warmup", "warmup"),
        ("en", "a centred re-runner", None),
    ],
)
def test_banned_words_are_read_from_the_style_sheet(lang: Lang, text: str, word: str | None) -> None:
    found = words_of(lang).search(text)

    assert (found[0] if found else None) == word
    assert len(banned(lang)) > 30
