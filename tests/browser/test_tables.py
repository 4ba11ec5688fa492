"""Tables: sorted by a column and back; heads in sight; numbers to the clipboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.sites import build

pytestmark = pytest.mark.browser

REPORT = "rounds/round-2/index.html"
MECHANISM = "rounds/round-2/mechanism.html"
MEASUREMENT = "rounds/round-2/measurement.html"


LABELS = """(table) => [...table.tHead.rows[0].cells].map((cell) => {
  const unit = cell.querySelector("small")?.textContent ?? "";
  return cell.textContent.replace(unit, "").trim();
})"""


def head(table: Locator, label: str) -> int:
    """The position of a column, by its label without the unit."""
    labels: list[str] = table.evaluate(LABELS)
    return labels.index(label)


def column(table: Locator, at: int) -> list[str]:
    cells: list[str] = table.evaluate(
        "(table, at) => [...table.tBodies[0].rows].map((row) => row.cells[at].textContent)", at
    )
    return cells


def test_a_column_sorts_up_then_down_then_back(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MEASUREMENT}")).page
    table = page.locator("#full")
    output = head(table, "output")
    came = [column(table, at) for at in (0, 1, output)]
    top = table.locator("thead th").nth(output)
    expect(top).to_have_attribute("aria-sort", "none")
    top.get_by_role("button").click()
    expect(top).to_have_attribute("aria-sort", "ascending")
    numbers = [float(cell.replace(",", "")) for cell in column(table, output)]
    assert numbers == sorted(float(cell.replace(",", "")) for cell in came[2])
    assert numbers[0] == 61.9
    top.get_by_role("button").click()
    expect(top).to_have_attribute("aria-sort", "descending")
    assert column(table, output)[0] == "1,387.8"
    top.get_by_role("button").click()
    expect(top).to_have_attribute("aria-sort", "none")
    assert [column(table, at) for at in (0, 1, output)] == came


def test_equal_cells_keep_their_order_and_unknown_ones_come_last(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MEASUREMENT}")).page
    table = page.locator("#full")
    tpot, requests = head(table, "TPOT p50"), head(table, "requests")
    for _ in range(2):
        table.locator("thead th").nth(tpot).get_by_role("button").click()
        cells = column(table, tpot)
        assert set(cells[4:]) == {"—"}
        assert "—" not in cells[:4]
    table.locator("thead th").nth(requests).get_by_role("button").click()
    order = list(zip(column(table, requests), column(table, 0), strict=True))
    assert [series for sent, series in order if sent == "40"] == ["vLLM BF16", "llama.cpp Q4_K_M"]


def test_levels_sort_as_numbers(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"zh/{REPORT}")).page
    table = page.locator("table[id^='head-to-head']")
    table.locator("thead th").first.get_by_role("button").click()
    table.locator("thead th").first.get_by_role("button").click()
    assert column(table, 0) == ["C=64", "C=32", "C=16", "C=8", "C=4", "C=2", "C=1"]


def test_the_head_of_a_table_that_fits_stays_in_sight(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MECHANISM}"), viewport={"width": 1280, "height": 400}).page
    last = page.locator("#stalls-table tbody tr").last
    last.evaluate("(row) => row.scrollIntoView({ block: 'center', behavior: 'instant' })")
    expect(page.locator("#stalls-table thead th").first).to_be_in_viewport()


def test_without_scripts_heads_are_plain(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}"), java_script_enabled=False).page
    assert page.locator("th button, th[aria-sort]").count() == 0


def test_the_numbers_of_a_figure_go_to_the_clipboard(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, f"en/{REPORT}"))
    shown.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    put = shown.page.locator("#fig-throughput .tools button")
    put.click()
    expect(put).to_have_text("Copied")
    told = shown.page.evaluate("navigator.clipboard.readText()")
    stored = (site / "data/round-2/figures/throughput.csv").read_text(encoding="utf-8")
    assert told.split() == stored.removeprefix("\ufeff").split()


def test_findings_stand_in_the_margin_of_a_wide_screen_and_below_the_heading_of_others(
    site: Path, open_page: OpenPage
) -> None:
    for width, is_beside in ((1480, True), (1280, False), (360, False)):
        page = open_page(address(site, f"en/{REPORT}"), viewport={"width": width, "height": 900}).page
        notes, heading = (page.locator(f"#crossover {part}").bounding_box() for part in (".notes", "h2"))
        assert notes is not None
        assert heading is not None
        assert (notes["x"] > heading["x"] + heading["width"]) == is_beside
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_box_that_scrolls_has_the_name_of_its_table(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MECHANISM}")).page
    expect(page.get_by_role("region", name="TTFT, median and tail")).to_have_count(1)
    expect(page.get_by_role("region", name="Bytes that a decode step reads")).to_have_count(1)
    page.locator("#fig-memory summary").click()
    title = page.locator("#memory-says").inner_text()
    expect(page.get_by_role("region", name=title)).to_have_count(1)
    expect(page.get_by_role("table", name=title)).to_have_count(1)


def test_a_name_of_eighty_letters_leaves_room_for_the_numbers(tmp_path: Path, open_page: OpenPage) -> None:
    long = "An engine whose name goes on for eighty letters, all of them counted, one by one"
    assert len(long) == 80
    write_round(tmp_path / "runs" / "long", toml=ROUND_TOML.replace('engine = "vLLM"', f'engine = "{long}"'))
    site = build(tmp_path / "runs", tmp_path / "site")
    for width, most, lines in ((1280, 300, 4), (360, 140, 3)):
        page = open_page(address(site, "en/rounds/long/mechanism.html"), viewport={"width": width, "height": 740}).page
        head = page.locator("#steps-table tbody th").first
        box = head.locator("b").bounding_box()
        assert box is not None
        assert box["width"] <= most
        assert box["height"] <= lines * float(head.evaluate("(cell) => parseFloat(getComputedStyle(cell).lineHeight)"))


TOO_WIDE = """[...document.querySelectorAll("table.stacked")]
  .filter((table) => table.scrollWidth > table.closest(".scroll").clientWidth).map((table) => table.id)"""


@pytest.mark.parametrize(
    "way", ["rounds/round-2/guide.html", "rounds/round-2/published.html", "guide.html", "history.html", MEASUREMENT]
)
def test_on_a_phone_rows_with_words_are_blocks_as_wide_as_the_page(site: Path, open_page: OpenPage, way: str) -> None:
    page = open_page(address(site, f"en/{way}"), viewport={"width": 360, "height": 740}).page

    assert page.locator("table.stacked").count()
    assert page.evaluate(TOO_WIDE) == []


def test_on_a_phone_a_cell_of_a_block_follows_the_name_of_its_column(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/rounds/round-2/guide.html"), viewport={"width": 360, "height": 740}).page
    cell = page.locator("#guide-scenarios tbody td").first

    assert cell.evaluate("(cell) => getComputedStyle(cell, '::before').content") == '"in flight "'


def test_no_head_leaves_an_empty_band_over_the_others(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MECHANISM}"), viewport={"width": 360, "height": 740}).page
    # Three lines of words and one of the unit, 0.8 × 16 × 1.4 = 18 pixels each, and twice 5.8 around them: 83.2.
    # A button to sort by adds up to a line.
    heights = page.evaluate(
        "[...document.querySelectorAll('section table[id] thead')].map((head) => head.clientHeight)"
    )
    assert heights
    assert max(heights) <= 83.2 + 18
