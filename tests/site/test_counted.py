"""What is counted agrees with its number, wherever the English pages count something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from generator.text import CHOICE
from tests.support.written import written_in_source

NOUNS: Final = (
    "answers|chunks|entries|files|findings|gaps|levels|lines|requests|rounds|rows|runs|samples|settings|slots|starts|"
    "statements|steps|threads|times|tokens|trials|warnings|waves"
)
ONE: Final = r"(?<![=+−÷×–] )(?<![\w.,=/:–−+-])1[ \u202f]"
"""A 1 that is a whole number of its own, and no part of another, of a formula or of a path."""
IN_SCRIPT: Final = re.compile(r"<(script|style|template)\b.*?</\1>", re.DOTALL)
TAG: Final = re.compile(r"<[^>]*>")
BLOCK: Final = re.compile(r"</?(?:p|li|t[dhr]|d[tdl]|h\d|summary|caption|figcaption|text|title|div|br)\b[^>]*>")


def chosen() -> frozenset[str]:
    """Return the words that the program writes behind any other number than 1."""
    return frozenset(
        choice["many"] for one in written_in_source() if one.lang == "en" for choice in CHOICE.finditer(one.text)
    )


def sentences(html: str) -> str:
    return TAG.sub("", BLOCK.sub("\n", IN_SCRIPT.sub("\n", html)))


def disagreeing(text: str) -> list[str]:
    behind = "|".join(sorted(filter(None, map(re.escape, chosen())), key=len, reverse=True))
    wrong = re.compile(
        rf"{ONE}(?:(?!and\b|or\b)[a-z-]+ )?(?:{NOUNS})\b(?! \()|{ONE}(?:{behind})\b|[a-z]\(s\)|{CHOICE.pattern}"
    )
    return [found[0] for found in wrong.finditer(text)]


def test_the_english_pages_count_as_one_speaks(site: Path) -> None:
    found = {
        (str(path.relative_to(site)), wrong)
        for path in sorted((site / "en").rglob("*.html"))
        for wrong in disagreeing(sentences(path.read_text(encoding="utf-8")))
    }

    assert found == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<p>of <a>1</a> requests</p>", ["1 requests"]),
        ("1 timing lines", ["1 timing lines"]),
        ("1 are inconclusive", ["1 are"]),
        ("8 round(s) built", ["d(s)"]),
        ("{n:row|rows} left", ["{n:row|rows}"]),
        ("<td>C=1</td><td>requests</td>", []),
        ("levels/c1/1/requests.parquet, of n + 1 samples, 2.1 requests, 11 rows, 1 request", []),
        ("Average latency (s)", []),
    ],
)
def test_what_disagrees_is_found(text: str, found: list[str]) -> None:
    assert disagreeing(sentences(text)) == found
