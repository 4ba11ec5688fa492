"""The site's own texts find their examples among the pages of the site."""

from __future__ import annotations

import pytest

from generator.render.front.articles import ARTICLES, Examples, files
from generator.render.front.gathered import PROSE, Gathered
from generator.render.resources import resource
from generator.render.wording.article import article, wanted
from generator.text import LANGS
from tests.render.test_page import site
from tests.support.analyses import small_analysis
from tests.support.telling import catalogue

ROUND = small_analysis().round
PAGE = b'<section id="verdict">'


def examples(pair: str | None = None) -> Examples:
    return Examples({"en/rounds/round-2/index.html": PAGE, "en/diff/a...b/index.html": b""}, "en", ROUND, pair)


@pytest.mark.parametrize(
    ("kind", "what", "way"),
    [
        ("example", "index.html#verdict", "rounds/round-2/index.html#verdict"),
        ("example", "index.html", "rounds/round-2/index.html"),
        ("example", "index.html#gone", None),
        ("example", "cliff.html", None),
        ("compared", "index.html", "diff/a...b/index.html"),
        ("site", "history.html", None),
    ],
)
def test_an_example_is_led_to_where_it_is_there(kind: str, what: str, way: str | None) -> None:
    assert examples("a...b").way(kind, what) == way


def test_without_a_round_or_a_comparison_there_is_no_example() -> None:
    assert Examples({}, "en", None, None).way("example", "index.html") is None
    assert examples().way("compared", "index.html") is None


def gathered(*rounds: str) -> Gathered:
    analyses = []
    for one in rounds:
        small = small_analysis()
        object.__setattr__(small.round, "id", one)
        analyses.append(small)
    return Gathered(site(), catalogue(), analyses, (), {})


def test_the_round_that_has_most_of_what_is_wanted_is_the_example() -> None:
    whole = {"en/rounds/new/index.html": b"", "en/rounds/old/index.html": PAGE}
    html = files(gathered("new", "old"), whole)["en/reading.html"]

    assert 'href="rounds/old/index.html#verdict"' in str(html)
    assert 'href="rounds/new/' not in str(html)


def test_a_site_without_rounds_has_the_texts_without_examples() -> None:
    made = files(gathered(), {})

    assert set(made) == {f"{lang}/{name}.html" for lang in LANGS for name in ARTICLES}
    assert not [path for path, html in made.items() if "rounds/" in str(html)]


@pytest.mark.parametrize("name", ARTICLES)
def test_both_languages_have_the_same_headings_and_examples(name: str) -> None:
    sources = [(resource("site_src") / PROSE / f"{name}.{lang}.md").read_text(encoding="utf-8") for lang in LANGS]
    anchors = [[anchor for anchor, _ in article(source, lambda *_: None).contents] for source in sources]

    assert anchors[0] == anchors[1]
    assert len(anchors[0]) >= 8
    assert sources[0].count("\n## ") + sources[0].startswith("## ") == len(anchors[0])
    assert sorted(wanted(sources[0])) == sorted(wanted(sources[1]))
