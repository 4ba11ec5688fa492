"""Rounds unlike the published ones become whole pages: what cannot be drawn says so in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.rounds import ALPHA_CSV, ALPHA_TOML, BETA_CSV, ROUND_TOML, write_round
from tests.support.sites import Page, broken_links, build, page_at, pages, text_of

NO_SERIES = ROUND_TOML.partition("[[series]]")[0]
ALONE = NO_SERIES.replace('baseline = "alpha"\n', "")
GAMMA_CSV = """\
concurrency,requests,completed,duration_s,output_throughput,itl_p50_ms
1,40,40,60,80,9
8,120,120,70,420,14
16,200,200,80,600,18
"""
BARE = """\
schema = 1
[round]
title.zh = "空"
title.en = "bare"
[model]
name = "m"
[hardware]
gpu = "g"
[[series]]
id = "s"
"""
LACKING = {
    "one": {"memory"},
    "three": set(),
    "bare": {"crossover"},
    "rates": {"byte_ledger", "memory"},
}
SECTIONS = {
    "one": {"verdict", "overview", "crossover", "byte_ledger", "batching", "data", "findings"},
    "three": {"verdict", "overview", "crossover", "byte_ledger", "batching", "memory", "data", "findings"},
    "bare": {"verdict", "overview", "data", "findings"},
    "rates": {"verdict", "overview", "crossover", "batching", "data", "findings"},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("invented")
    one = ALONE + '[[series]]\nid = "alone"\nengine = "SGLang"\nweight_bytes = 9e9\n'
    three = ROUND_TOML + '[[series]]\nid = "gamma"\nengine = "SGLang"\nweight_bytes = 7e9\nkv_pool_tokens = 9e4\n'
    rates = "rate,output_throughput,itl_p50_ms\n0.5,10,9\n2,30,9.5\n"
    tables = {"alpha": ALPHA_CSV, "beta": BETA_CSV, "gamma": GAMMA_CSV}
    runs = folder / "runs"
    write_round(runs / "one", toml=one, tables={"alone": ALPHA_CSV}, facts={})
    write_round(runs / "three", toml=three, tables=tables, facts={"alpha": ALPHA_TOML})
    write_round(runs / "bare", toml=BARE, tables={"s": "concurrency\n1\n"}, facts={})
    write_round(runs / "rates", toml=BARE, tables={"s": rates}, facts={})
    return build(runs, folder / "site")


@pytest.fixture(params=["zh", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=list(SECTIONS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def told_in(site: Path, lang: str, name: str) -> list[Page]:
    """Return the front page of a round and those that go on from it: a bare one has nothing to explain a gap with."""
    files = [f"{one}.html" for one in ("index", "mechanism", "measurement") if (name, one) != ("bare", "mechanism")]
    return [page_at(site / lang / "rounds" / name / file) for file in files]


@pytest.fixture
def told(site: Path, lang: str, name: str) -> list[Page]:
    return told_in(site, lang, name)


def test_the_pages_have_their_sections(told: list[Page], name: str) -> None:
    assert {section.get("id") for page in told for section in page.all("section")} >= SECTIONS[name]


def test_what_a_round_lacks_is_a_word_in_one_line(told: list[Page], name: str) -> None:
    lines = [line for page in told for line in page.all("details", "absent")]
    sections = {section.get("id") for page in told for section in page.all("section")}
    lacking = {part.get("id") for line in lines for part in line if part.tag == "div"}

    assert lacking == LACKING[name]
    assert not lacking & sections


def test_a_report_that_has_nothing_to_tell_is_not_made_and_the_front_page_says_why(site: Path, lang: str) -> None:
    folder = site / lang / "rounds" / "bare"
    (line,) = [one for one in page_at(folder / "index.html").all("details", "absent") if one.find("dl") is not None]

    assert not (folder / "mechanism.html").exists()
    assert "weight_bytes" in text_of(line)


def test_every_figure_is_there_or_says_why_not(told: list[Page], name: str) -> None:
    drawn = {figure.get("id") for page in told for figure in page.all("figure")}
    missing = {paragraph.get("id") for page in told for paragraph in page.all("p", "missing")}
    # These pages tell of no others where nothing but a table is known: other figures are of reports further on.
    further = set() if name == "bare" else {"fig-memory", "fig-step_vs_floor"}
    assert drawn | missing == {"fig-throughput"} | further
    assert drawn & missing == set()


def test_no_placeholder_or_nothing_is_printed(told: list[Page]) -> None:
    for page in told:
        text = page.text
        for code in page.all("pre"):  # BibTeX has braces
            text = text.replace(text_of(code), "")
        for trace in ("None", "nan", "inf", "Text(", "Undefined", "{", "}"):
            assert trace not in text.split(), trace
        assert "{" not in text


def test_both_languages_have_the_same_numbers(site: Path, name: str) -> None:
    for zh, en in zip(told_in(site, "zh", name), told_in(site, "en", name), strict=True):
        assert zh.numbers == en.numbers
        assert zh.ids == en.ids


def test_all_links_lead_somewhere(site: Path) -> None:
    # One to pick the language, one for addresses that lead nowhere. In each language: the list, the method, how to read
    # a report, the glossary, the checks, the fields, the joined guide, two rounds side by side, the search, all pages;
    # three pages a round, its data and its guide; two pairs twice; where the time goes, of three; and three
    # further reports: those that the tables carry.
    assert len(pages(site)) == 2 + 2 * (10 + (3 + 2) * len(SECTIONS) + 3 + 3 + 2 * 2)
    assert broken_links(site) == []


def test_three_series_have_three_accents(site: Path, lang: str) -> None:
    page = page_at(site / lang / "rounds" / "three" / "index.html")
    # vLLM has the first accent in every round, llama.cpp the second, SGLang the fifth
    assert {name.get("class") for name in page.all("b")} - {None} == {"s0", "s1", "s4"}
