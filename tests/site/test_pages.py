"""What holds for every page: it parses without a mistake, its links lead somewhere, nothing is fetched from outside."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.support.page_kinds import all_kinds
from tests.support.rounds import write_round
from tests.support.sites import (
    IN_FRONT,
    SCRIPTS,
    SVG,
    broken_links,
    build,
    page_at,
    pages,
    report_of,
    script_data,
    text_of,
)

URL = re.compile(r"https?://[^\s\"'<>)]*")
NAMESPACE = "http://www.w3.org/2000/svg"
FRONT = "index.html"


def test_all_pages_parse_strictly(site: Path) -> None:
    found = pages(site)
    # One to pick the language, one for addresses that lead nowhere; in each: index, method, how to read a report,
    # glossary, all checks, the tools' definitions, the joined guide, histories, any two rounds side by side, the search
    # and the list of all pages; three of each of the eight rounds, of the two transcribed ones what was published;
    # four pairs of neighbours both ways; then the further reports of the rounds, by id: 8, 8, 5, 6, 8, 4, 6 and 6.
    assert len(found) == 2 + 2 * (11 + 8 * 3 + 2 + 4 * 2 + 51)
    for path in all_kinds(site):
        assert page_at(site / path).tree.tag == "html"


def test_every_link_and_every_fragment_leads_somewhere(site: Path) -> None:
    assert broken_links(site) == []


def test_the_link_checker_finds_what_is_broken(tmp_path: Path) -> None:
    write_round(tmp_path / "runs" / "ours")
    site = build(tmp_path / "runs", tmp_path / "site")
    page = site / "en" / "rounds" / "ours" / "index.html"
    html = page.read_text(encoding="utf-8").replace("#crossover", "#gone").replace("values.csv", "gone.csv")
    page.write_text(html, encoding="utf-8")
    broken = {link.partition(" -> ")[2] for link in broken_links(site)}
    assert broken == {"#gone", "../../../data/ours/gone.csv"}


def test_the_scripts_of_panels_know_every_number_that_the_page_of_derivations_tells(site: Path) -> None:
    for lang in ("zh", "en"):
        folder = site / lang / "rounds" / "round-2"
        words = script_data(folder / "derivations.js", "words")
        data = script_data(folder / words["facts"], "facts")
        ids = {item.get("id") for item in page_at(folder / "how.html").all("li")} - {None}
        assert len(ids) > 300
        assert set(data["facts"]) == ids
        assert {one for row in data["facts"].values() for inputs in row[6:7] for one in inputs.split()} <= ids
        assert max(row[0] for row in data["facts"].values()) < len(data["kinds"])
        assert max(row[1] for row in data["facts"].values()) < len(words["places"])
        assert max(kind[0] for kind in data["kinds"]) < len(words["metrics"])
        terms = {metric[0] for metric in words["metrics"]}
        assert len(terms) > 50
        assert terms <= set(page_at(site / lang / "glossary.html").ids)


def test_no_id_is_there_twice(site: Path) -> None:
    for page in pages(site):
        assert [id_ for id_, count in Counter(page.ids).items() if count > 1] == [], page.path


def test_no_page_has_inline_styles_handlers_or_scripts(site: Path) -> None:
    for page in pages(site):
        for tag, attributes in page.tags:
            assert not [name for name in attributes if name == "style" or name.startswith("on")], tag
        assert page.named("style") == []
        scripts = page.named("script")
        assert [script.get("src", "").rpartition("/")[2] for script in scripts] in SCRIPTS
        assert {script.get("type") for script in scripts if not script.get("src")} <= {"application/json"}


def test_every_page_forbids_what_it_does_not_need(site: Path) -> None:
    for page in pages(site):
        (policy,) = [meta for meta in page.named("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
        rules = policy["content"]
        assert rules.startswith("default-src 'none'; ")
        assert "unsafe" not in rules
        assert page.source.index("Content-Security-Policy") < page.source.index("<link")


def test_no_file_of_ours_names_an_address_outside(site: Path) -> None:
    for path in site.rglob("*"):
        if path.is_file() and "vendor" not in path.parts and path.suffix != ".zip":
            assert set(URL.findall(path.read_text(encoding="utf-8"))) <= {NAMESPACE}, path


def test_figures_to_download_are_well_formed(site: Path) -> None:
    drawings = sorted((site / "data").rglob("*.svg"))
    figures = list((site / "data").rglob("figures/*.json"))
    assert len(drawings) == 4 * len(figures) > 0  # each in two languages and two widths
    for path in drawings:
        root = fromstring(path.read_text(encoding="utf-8"))  # noqa: S314  # our own file
        assert root.tag == f"{SVG}svg"
        assert not [e for e in root.iter() if e.tag == f"{SVG}script"]


def test_tables_have_names_and_heads_with_a_scope(site: Path) -> None:
    for page in map(page_at, (site / path for path in all_kinds(site))):
        if page.path.name == "about.html":
            continue
        for table in page.all("table"):
            named = table.find("caption") is not None or table.get("aria-labelledby") in page.ids
            assert named or table.get("class") == "inputs"
        assert [th for th in page.all("th") if th.get("scope") is None] == []


def test_a_box_that_scrolls_is_named_by_what_is_in_it(site: Path) -> None:
    page = page_at(site / "en/rounds/round-2/mechanism.html")
    boxes = page.all("div", "scroll")
    assert len(boxes) >= 10
    for box in boxes:
        (table,) = box.iter("table")
        assert box.get("aria-labelledby") in (table.get("id"), table.get("aria-labelledby"))
        assert box.get("aria-labelledby") in page.ids


def test_headings_do_not_skip_a_level(site: Path) -> None:
    for page in pages(site):
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
        assert levels.count(1) == 1, page.path
        assert all(after <= before + 1 for before, after in pairwise(levels)), page.path


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_contents_list_the_sections_of_a_page_and_of_those_that_go_on_from_the_front(site: Path, lang: str) -> None:
    found = {name: page_at(site / lang / "rounds" / "round-2" / name) for name in IN_FRONT}
    sections = {name: [str(one.get("id")) for one in page.all("section")] for name, page in found.items()}
    for name, page in found.items():
        others = [
            link
            for other in IN_FRONT
            if other != name
            for link in (other, *(f"{other}#{key}" for key in sections[other] if key != "cite"))
        ]
        listed = [a.attrib["href"] for a in page.all("nav", "contents")[0].iter("a")]
        assert listed == [f"#{key}" for key in sections[name]] + others
        assert len(listed) >= 20


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_stood_on_the_front_page_is_found_from_there_by_its_old_address(site: Path, lang: str) -> None:
    folder = site / lang / "rounds" / "round-2"
    links = list(page_at(folder / FRONT).all("nav", "contents")[0].iter("a"))
    held = {one: a.attrib["href"].partition("#")[0] for a in links for one in a.get("data-holds", "").split()}
    for name in IN_FRONT[1:]:
        page = page_at(folder / name)
        parts = {str(one.get("id")) for kind in ("figure", "table") for one in page.all(kind)} - {"None"}
        assert len(parts) >= 3
        assert {held.get(one) for one in parts} == {name}


@pytest.mark.parametrize("name", ["report.json", "values.csv"])
def test_data_files_are_for_machines(site: Path, name: str) -> None:
    text = (site / "data" / "round-2" / name).read_text(encoding="utf-8")
    if name.endswith("json"):
        assert json.loads(text, parse_constant=pytest.fail)["schema"] == 1
    else:
        assert text.startswith("\ufeffmetric,basis,scope,")


def test_the_page_of_checks_tells_whole_what_was_found_and_a_report_leads_there(site: Path) -> None:
    folder = site / "en/rounds/round-2"
    report, checks = page_at(folder / FRONT), page_at(folder / "checks.html")
    linked = [link for link in report.links if link.startswith("checks.html#finding-")]
    findings = report_of(site, "round-2")["findings"]
    told = {one for one in checks.ids if one.startswith("finding-")}
    assert told == {f"finding-{n}" for n in range(1, len(findings) + 1)}
    assert not [one for one in report.ids if one.startswith("finding-")]
    assert {link.removeprefix("checks.html#") for link in linked} <= told
    assert checks.all("ul", "evidence")


def test_a_report_tells_at_its_top_what_failed_or_warned_and_leads_to_what_could_not_be_checked(site: Path) -> None:
    report, findings = page_at(site / "en/rounds/round-2" / FRONT), report_of(site, "round-2")["findings"]
    (summary,) = [section for section in report.all("section") if section.get("id") == "checked"]
    grave = [item for listed in summary.iter("ul") if listed.get("class") == "grave" for item in listed]

    assert report.all("section")[1] is summary
    assert len(grave) == len({(f["check"], f["status"]) for f in findings if f["status"] in ("fail", "warn")})
    assert "443.7" in text_of(grave[0])  # the level that is excluded goes first, in a sentence
    (way,) = [one for one in summary.iter("p") if one.get("id") == "unchecked"]
    assert [link.get("href") for link in way] == ["checks.html#unknown"]


def test_what_had_nothing_to_examine_is_counted_apart_everywhere(site: Path) -> None:
    findings = report_of(site, "round-2")["findings"]
    empty = sum(one["empty"] for one in findings)
    passed = sum(one["status"] == "pass" for one in findings) - empty

    assert empty > 0
    for path in ("en/index.html", f"en/rounds/round-2/{FRONT}"):
        tallies = [text_of(one) for one in page_at(site / path).all("p", "tally")]
        assert any(f"pass {passed}" in one and f"n/a {empty}" in one for one in tallies), path


def test_the_page_of_all_checks_leads_to_what_each_concluded(site: Path) -> None:
    page = page_at(site / "en/checks.html")
    findings = report_of(site, "round-2")["findings"]
    linked = {link.partition("#finding-")[2] for link in page.links if link.startswith("rounds/round-2/checks.html#")}

    assert {findings[int(number) - 1]["check"] for number in linked} == {finding["check"] for finding in findings}
    assert {finding["check"] for finding in findings} <= set(page.ids)
    marked = [one.get("id") for one in page.all("section", "entry") if "may exclude levels" in text_of(one)]
    assert "non_monotonic_throughput" in marked
    assert "prompt_cache" not in marked


def test_the_glossary_leads_to_where_the_newest_rounds_print_a_metric(site: Path) -> None:
    page = page_at(site / "en/glossary.html")
    (entry,) = [one for one in page.all("section", "entry") if one.get("id") == "itl_p50"]
    links = [link.attrib["href"] for link in entry.iter("a")]
    printing = [one for one in (site / "data").glob("*/printed.json") if "itl_p50" in json.loads(one.read_bytes())]

    assert f"{len(printing)} rounds;" in text_of(entry)
    assert any(link.startswith("rounds/round-2/") for link in links)
    assert "rounds/cpu-input-sweep/index.html#verdict" in links
    assert "meanings.html#itl" in links
    assert "checks.html#faster_than_the_floor" in links
