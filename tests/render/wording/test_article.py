"""Texts of the site's own: anchors of their headings, and links to examples."""

from __future__ import annotations

from generator.render.wording.article import article, wanted

SOURCE = """\
## Where *it* stands {#verdict}

See [the **first** one](example:index.html#verdict), [two](compared:index.html),
[past](site:history.html), [here](about.html).
"""


def test_a_heading_has_its_anchor_and_stands_in_the_contents() -> None:
    made = article(SOURCE, lambda _kind, _what: None)

    assert '<h2 id="verdict">Where <em>it</em> stands</h2>' in made.html
    assert made.contents == (("verdict", "Where <em>it</em> stands"),)


def test_a_link_to_an_example_leads_there_and_without_one_the_words_stand_alone() -> None:
    ways = {"example": "rounds/ours/index.html#verdict", "site": "history.html"}
    html = article(SOURCE, lambda kind, _what: ways.get(kind)).html

    assert 'See <a href="rounds/ours/index.html#verdict">the <strong>first</strong> one</a>, two,\n' in html
    assert '<a href="history.html">past</a>, <a href="about.html">here</a>' in html


def test_what_a_text_wants_can_be_asked() -> None:
    assert wanted(SOURCE) == [
        ("example", "index.html#verdict"), ("compared", "index.html"), ("site", "history.html"),
    ]  # fmt: skip
