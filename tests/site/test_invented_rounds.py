"""Rounds unlike the published ones become whole pages: what cannot be drawn says so in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalogue import load
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
    "bare": {"crossover", "byte_ledger", "batching", "memory"},
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


@pytest.fixture
def page(site: Path, lang: str, name: str) -> Page:
    return page_at(site / lang / "rounds" / name / "index.html")


def test_the_page_has_its_sections(page: Page, name: str) -> None:
    assert {section.get("id") for section in page.all("section")} >= SECTIONS[name]


def test_what_a_round_lacks_is_a_word_in_one_line(page: Page, name: str) -> None:
    lines = page.all("details", "absent")
    told = {section.get("id") for section in page.all("section")}
    lacking = {part.get("id") for line in lines for part in line if part.tag == "div"}

    assert lacking == LACKING[name]
    assert not lacking & told


def test_every_figure_is_there_or_says_why_not(page: Page) -> None:
    drawn = {figure.get("id") for figure in page.all("figure")}
    missing = {paragraph.get("id") for paragraph in page.all("p", "missing")}
    # The comparison tells of these alone where nothing but a table is known; other figures are of reports further on.
    assert drawn | missing == {"fig-memory", "fig-step_vs_floor", "fig-throughput"}
    assert drawn & missing == set()


def test_no_placeholder_or_nothing_is_printed(page: Page) -> None:
    text = page.text
    for code in page.all("pre"):  # BibTeX has braces
        text = text.replace(text_of(code), "")
    for trace in ("None", "nan", "inf", "Text(", "Undefined", "{", "}"):
        assert trace not in text.split(), trace
    assert "{" not in text


def test_both_languages_have_the_same_numbers(site: Path, name: str) -> None:
    zh, en = (page_at(site / one / "rounds" / name / "index.html") for one in ("zh", "en"))
    assert zh.numbers == en.numbers
    assert zh.ids == en.ids


def test_all_links_lead_somewhere(site: Path) -> None:
    # One to pick the language, one for addresses that lead nowhere. In each language: the list, the method, how to read a
    # report, the glossary, the checks, the fields, the joined guide, two rounds side by side, the search, all pages; three
    # pages a round, and its guide; two pairs twice; and three further reports: those that the tables carry.
    assert len(pages(site)) == 2 + 2 * (10 + (3 + 1) * len(SECTIONS) + 3 + 2 * 2)
    assert broken_links(site) == []


def test_three_series_have_three_accents(site: Path, lang: str) -> None:
    page = page_at(site / lang / "rounds" / "three" / "index.html")
    # vLLM has the first accent in every round, llama.cpp the second, SGLang the fifth
    assert {name.get("class") for name in page.all("b")} - {None} == {"s0", "s1", "s4"}
