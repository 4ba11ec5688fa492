from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.catalogue import load
from generator.comparing.held import Held
from generator.render.diff.pages import Traced, _files  # a page, without a whole site around it
from generator.render.diff.rows import Side
from generator.render.diff.view import sides_of
from generator.render.site import _site, build_site  # what all pages share
from generator.store.names import pair_name
from tests.support.held_rounds import FAST, held, of_levels
from tests.support.rounds import write_round
from tests.support.sites import broken_links, build


def test_a_number_leads_to_its_derivation_where_there_is_one() -> None:
    traced, round_ = Traced({"one": frozenset({"abcd"})}), held().base.round
    assert traced.way(Side("1", "abcd"), round_) == "../../rounds/one/how.html#abcd"
    assert traced.way(Side("1", "efgh"), round_) is None
    assert traced.way(Side("1"), round_) is None


LOCAL = re.compile(r'href="((?!https?:|data:)[^"#]+)')


def links_of(page: Path) -> set[str]:
    return set(LOCAL.findall(page.read_text(encoding="utf-8")))


def test_a_report_leads_to_its_comparisons_and_back(tmp_path: Path) -> None:
    for name in ("r1", "r2", "r3"):
        write_round(tmp_path / "runs" / name)
    site = build(tmp_path / "runs", tmp_path / "site")
    assert broken_links(site) == []
    middle = links_of(site / "en" / "rounds" / "r2" / "index.html")
    assert {"../../diff/r1...r2/index.html", "../../diff/r2...r3/index.html", "../../history.html"} <= middle
    pair = links_of(site / "en" / "diff" / "r1...r2" / "index.html")
    assert {"../../rounds/r1/index.html", "../../rounds/r2/index.html", "../r2...r1/index.html"} <= pair
    assert "../../history.html" in pair
    assert "rounds/r2/index.html" in links_of(site / "en" / "history.html")


def test_a_round_without_a_neighbour_leads_to_none(tmp_path: Path) -> None:
    write_round(tmp_path / "runs" / "r1")
    site = build(tmp_path / "runs", tmp_path / "site")
    assert broken_links(site) == []
    links = links_of(site / "en" / "rounds" / "r1" / "index.html")
    assert not any("diff/" in link or "history" in link for link in links)


def test_a_pair_that_cannot_be_held_is_linked_nowhere(tmp_path: Path) -> None:
    write_round(tmp_path / "runs" / "r1")
    write_round(tmp_path / "runs" / "r2")
    toml = tmp_path / "runs" / "r2" / "round.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace("[round]", '[round]\nprimary = "itl"'), encoding="utf-8")
    built = build_site(tmp_path / "runs", tmp_path / "site")
    assert [name for name, _ in built.unreadable] == ["r1...r2"]
    assert broken_links(tmp_path / "site") == []
    assert not any("diff/" in link for link in links_of(tmp_path / "site" / "en" / "rounds" / "r2" / "index.html"))


def page_of(found: Held) -> str:
    """Return the page of a comparison in English."""
    catalogue = load()
    sides = sides_of(found, catalogue.graph, "en")
    files = _files(_site(None), catalogue, found, sides, Traced({}), has_history=False)
    return str(files[f"en/diff/{pair_name(found.base.round.id, found.head.round.id)}/index.html"])


KNOWN = {**FAST, "ttft_p50": (0.1, 0.11, 0.12)}
LOST = {"requests": (10.0,), "completed": (0.0,), "output_throughput": (0.1,)}
FINE = {"requests": (10.0,), "completed": (10.0,), "output_throughput": (10.0,)}


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (of_levels({"c8": KNOWN}, {"c8": KNOWN}), "= identical"),
        (of_levels({"c1": FAST}, {"c8": FAST}), "There is no common level, and so no row."),
        (of_levels({"c1": FAST, "c8": FAST}, {"c8": FAST}), "Only one has C=1 of a."),
        (held(FAST, {"output_throughput": FAST["output_throughput"]}), "− only in one"),
        (held({"output_throughput": (0.0,)}, {"output_throughput": (10.0,)}), "0 one side is zero"),
        (held(LOST, FINE), "! one failed"),
        (held(FINE, LOST), "! other failed"),
        (held(LOST, {**LOST, "output_throughput": (0.2,)}), "! both failed"),
    ],
)  # fmt: skip
def test_a_state_is_on_the_page(found: Held, says: str) -> None:
    page = re.sub(r"</?bdi[^>]*>|<span[^>]*>|</span>", "", page_of(found))
    assert says in page.replace("\u2068", "").replace("\u2069", "")


def test_what_is_within_noise_is_folded_and_counted_without_a_script() -> None:
    page = page_of(held())
    shown, folded = page.split('<details class="more" id="quiet">')
    assert "output throughput" in shown
    assert 'id="loud-table"' in shown
    assert "ITL p50" not in shown.split('id="loud-table"')[1]
    assert "<summary>1 row the same or within the noise (folded)</summary>" in folded
    assert "ITL p50" in folded


def test_a_page_leads_to_its_mirror() -> None:
    assert 'href="../other...one/index.html">Swap the rounds</a>' in page_of(held())


def test_every_row_has_its_grounds_below_it_and_nothing_is_off_the_page() -> None:
    page = page_of(held())
    assert page.count('<tr class="basis"><td class="t" colspan="9">Welch t') == 2
