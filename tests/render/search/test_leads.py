"""Questions that one place answers, as data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from generator.render.search.leads import LEADS, TRACING


def test_a_word_asks_one_thing_whatever_else_is_named() -> None:
    for named in ((False, False), (True, False), (False, True)):
        words = Counter(word for lead in LEADS if (lead.of_one, lead.of_two) == named for word in lead.asks)
        assert [word for word, number in words.items() if number > 1] == []


def test_words_are_as_a_query_is_read_and_none_adds_nothing_that_is_the_question() -> None:
    words = [word for lead in LEADS for word in (*lead.asks, *lead.besides)]
    assert [word for word in words if word != " ".join(word.split()).lower() or not word] == []
    assert [word for lead in LEADS for word in lead.besides if word in lead.asks] == []


def test_every_lead_ends_at_a_place_of_the_site(site: Path) -> None:
    for way in (*TRACING, *(way for lead in LEADS for way in lead.to)):
        path, _, anchor = way.partition("#")
        folders = [f"en/{path}*/index.html"] if path.endswith("/") else [f"en/{path}", f"en/rounds/*/{path}"]
        pages = [page for folder in folders for page in site.glob(folder)]
        assert any(not anchor or f'id="{anchor}"' in page.read_text(encoding="utf-8") for page in pages), way
