"""Reading: derivations, keyboard, languages, narrow screens, no script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.gates import sideways
from tests.support.rounds import write_round
from tests.support.sites import build, link_to

pytestmark = pytest.mark.browser

ROUND = "round-2"
VLLM, LLAMACPP = "vllm-bf16", "llamacpp-q4_k_m"
REPORT = f"rounds/{ROUND}/index.html"
HOW = f"en/rounds/{ROUND}/how.html"
MECHANISM = f"rounds/{ROUND}/mechanism.html"
MEASUREMENT = f"rounds/{ROUND}/measurement.html"
NUMBER = 'a[href^="how.html#"]'


def test_a_number_opens_its_derivation_and_escape_returns_to_it(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}")).page
    number = page.locator(f'#verdict a[href="{link_to(site, ROUND, "measured_speedup", "pair", LLAMACPP)}"]').first
    number.click()
    panel = page.locator("#panel")
    expect(panel).to_be_visible()
    expect(panel.locator(".what")).to_have_text("measured speed-up")
    expect(panel.locator(".formula").first).to_contain_text("÷")
    expect(panel.locator(".inputs tbody tr")).to_have_count(2)
    expect(panel.locator(".inputs .source").first).to_have_text("vllm-bf16/published.csv, line 2, column itl_p50_ms")
    expect(panel.locator(".leaves")).to_have_count(0)  # the table of inputs has said it all
    assert page.evaluate("document.activeElement.closest('#panel') !== null")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert number.evaluate("(link) => document.activeElement === link")


def test_inputs_of_a_derivation_open_in_turn(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"zh/{REPORT}")).page
    page.locator(f'a[href="{link_to(site, ROUND, "decode_floor", "level", VLLM, "c1")}"]').first.click()
    first = page.locator("#panel .what").inner_text()
    inside = page.locator(f'#panel .inputs a[href="{link_to(site, ROUND, "weight_bytes_read", "level", VLLM, "c1")}"]')
    expect(inside.last).to_have_text("由输入算出")
    # eight places through the whole derivation, each once, and how many more there are
    told = page.locator("#panel .leaves li:visible").all_inner_texts()
    assert len(set(told)) == 8
    assert any("round.toml，[[series]] vllm-bf16, weight_params" in one for one in told)
    assert re.fullmatch(r"另有 \d+ 个", page.locator("#panel summary").inner_text())
    inside.last.click()
    page.locator(
        f'#panel .inputs a[href="{link_to(site, ROUND, "weight_bytes_per_step", "series", VLLM)}"]'
    ).last.click()
    expect(page.locator("#panel .inputs tbody tr")).to_have_count(2)
    expect(page.locator("#panel .back")).to_have_text("返回上一个数")
    page.locator("#panel .back").press("Enter")
    page.locator("#panel .back").press("Enter")
    expect(page.locator("#panel .back")).to_have_count(0)
    expect(page.locator("#panel .what")).to_have_text(first)
    page.locator("#panel button").click()
    expect(page.locator("#panel")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_places_that_a_panel_does_not_name_at_once_unfold_and_nothing_moves(
    site: Path, open_page: OpenPage, lang: str, width: int
) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}"), viewport={"width": width, "height": 800}).page
    page.locator(f'a[href="{link_to(site, ROUND, "decode_floor", "level", VLLM, "c1")}"]').first.click()
    summary = page.locator("#panel summary")
    summary.scroll_into_view_if_needed()
    (more,) = re.findall(r"\d+", summary.inner_text())
    before = [page.locator(place).bounding_box() for place in ("#panel .what", "#panel summary")]
    summary.focus()
    page.keyboard.press("Enter")
    told = page.locator("#panel .leaves li:visible")
    expect(told).to_have_count(8 + int(more))

    assert len(set(told.all_inner_texts())) == 8 + int(more)
    after = [page.locator(place).bounding_box() for place in ("#panel .what", "#panel summary")]
    assert [(box["x"], box["y"]) for box in after if box] == [(box["x"], box["y"]) for box in before if box]
    panel = page.locator("#panel").bounding_box()
    assert panel is not None
    assert panel["y"] + panel["height"] <= 800


def test_the_evidence_of_a_check_that_passes_is_a_link_away(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}")).page
    page.locator("#checked .tally a[href='checks.html#pass']").click()
    page.wait_for_url("**/rounds/round-2/checks.html#pass")
    expect(page.locator(":target")).to_be_in_viewport()
    found = page.locator("#pass + .findings [id^=finding-]:has(summary)").first
    found.locator("summary").click()
    found.locator(f".evidence {NUMBER}").first.click()
    expect(page.locator("#panel .what")).to_be_visible()


def test_the_panel_stands_beside_its_number_and_inside_the_window(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MEASUREMENT}")).page
    for link in page.locator(f"#full {NUMBER}").all()[::37]:
        link.click()
        page.wait_for_selector("#panel[open]")
        number, panel = link.bounding_box(), page.locator("#panel").bounding_box()
        assert number is not None
        assert panel is not None
        above = abs(number["y"] - (panel["y"] + panel["height"]))
        below = abs(panel["y"] - (number["y"] + number["height"]))
        right = abs(panel["x"] - (number["x"] + number["width"]))
        left = abs(number["x"] - (panel["x"] + panel["width"]))
        assert min(above, below, right, left) < 24
        assert panel["x"] >= 0
        assert panel["x"] + panel["width"] <= 1280
        assert panel["y"] >= 0
        assert panel["y"] + panel["height"] <= 900
        page.keyboard.press("Escape")


def test_the_keyboard_reaches_numbers_and_opens_them(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}")).page
    reached = f"document.activeElement.matches('{NUMBER}')"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(reached):
            break
    assert page.evaluate(reached)
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_visible()


def test_the_first_stop_of_the_keyboard_skips_to_the_text(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}")).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"


def test_the_language_switch_keeps_the_place(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"zh/{MECHANISM}#fig-step_vs_floor")).page
    page.locator("a.language").click()
    page.wait_for_url(f"**/en/{MECHANISM}#fig-step_vs_floor")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize(
    ("old", "page_of_it"),
    [("#batching", MECHANISM), ("#fig-memory", MECHANISM), ("#ledger-bytes", MECHANISM), ("#full", MEASUREMENT)],
)
def test_an_address_of_a_chapter_that_moved_leads_to_the_page_that_has_it(
    site: Path, open_page: OpenPage, lang: str, old: str, page_of_it: str
) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}{old}")).page
    page.wait_for_url(f"**/{lang}/{page_of_it}{old}")
    expect(page.locator(":target")).to_be_in_viewport()


def test_an_address_that_nothing_has_stays_where_it_is(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}#nowhere'%")).page
    expect(page.locator("h1")).to_be_visible()
    assert page.url.split("#")[0].endswith(REPORT)


def test_without_scripts_the_contents_lead_to_the_chapters_of_the_other_pages(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}#batching"), java_script_enabled=False).page
    page.locator(".contents a[href$='#batching']").click()
    page.wait_for_url(f"**/en/{MECHANISM}#batching")


def test_the_contents_mark_the_section_being_read(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{MECHANISM}")).page
    page.locator("#memory h2").evaluate("(heading) => heading.scrollIntoView({ behavior: 'instant' })")
    expect(page.locator('.contents a[href="#memory"]')).to_have_attribute("aria-current", "true")
    expect(page.locator(".contents a[aria-current]")).to_have_count(1)


def test_a_phone_shows_the_panel_whole(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"zh/{REPORT}"), viewport={"width": 360, "height": 740}).page
    page.locator(f'a[href="{link_to(site, ROUND, "decode_floor", "level", VLLM, "c1")}"]').first.click()
    page.wait_for_selector("#panel[open]")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    box = page.locator("#panel").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 360)
    assert page.locator("#panel .inputs").evaluate("(table) => table.scrollWidth <= table.clientWidth")
    # an input is a block of its own: where it was read has the width of the panel, but for its edges
    source = page.locator("#panel .inputs .source").first.bounding_box()
    assert source is not None
    assert source["width"] > 300


@pytest.mark.parametrize("name", ["diff/round-1...round-2/index.html", "rounds/round-2/guide.html", "index.html"])
def test_no_line_of_a_phone_breaks_an_id_or_the_sign_of_about(
    site: Path, open_page: OpenPage, lang: str, name: str
) -> None:
    page = open_page(address(site, f"{lang}/{name}"), viewport={"width": 360, "height": 740}).page
    found, broken = page.evaluate(LINES_OF_NAMES)
    assert found > 1
    assert broken == []


LINES_OF_NAMES = r"""() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const broken = [];
  let found = 0;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.offsetParent || text.parentElement.closest("svg, option, thead")) continue;
    for (const name of text.data.matchAll(/(?<![\w.-])(round-[12]|cpu-\w+)(?![\w-])|C\s≈\s/g)) {
      const range = document.createRange();
      range.setStart(text, name.index);
      range.setEnd(text, name.index + name[0].length);
      found += 1;
      const lines = [...range.getClientRects()].filter((box) => box.width > 0.5).map((box) => Math.round(box.top));
      if (new Set(lines).size > 1) broken.push(name[0]);
    }
  }
  return [found, broken];
}"""


def test_without_scripts_figures_tables_and_derivations_are_there(site: Path, open_page: OpenPage, lang: str) -> None:
    for name, drawings, tables in ((MECHANISM, 2, 5), (MEASUREMENT, 0, 4)):
        further = open_page(address(site, f"{lang}/{name}"), java_script_enabled=False).page
        assert further.locator(".drawing .wide:visible").count() == drawings
        assert further.locator(".drawing .live:visible").count() == 0
        assert further.locator("table:visible").count() >= tables
    page = open_page(address(site, f"{lang}/{REPORT}"), java_script_enabled=False).page
    assert page.locator(".drawing .wide:visible").count() == 1
    link = link_to(site, ROUND, "crossover_concurrency", "pair", LLAMACPP)
    page.locator(f'a[href="{link}"]').first.click()
    page.wait_for_url(f"**/{lang}/rounds/round-2/{link}")
    expect(page.locator(":target .formula").first).to_be_in_viewport()


def test_without_scripts_a_phone_has_drawings_of_its_own(site: Path, open_page: OpenPage) -> None:
    phone = {"width": 360, "height": 740}
    page = open_page(address(site, f"zh/{MECHANISM}"), java_script_enabled=False, viewport=phone).page
    assert page.locator(".drawing .narrow:visible").count() == 2
    assert page.locator(".drawing .wide:visible").count() == 0
    page.locator("#fig-memory").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    assert page.locator("#fig-memory img").evaluate("(image) => image.naturalWidth") > 0


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_the_formula_of_a_number_stands_above_the_place_that_its_address_leads_to(
    site: Path, open_page: OpenPage, lang: str, width: int, *, scripts: bool
) -> None:
    phone = {"width": width, "height": 740}
    for metric, scope, at in (
        ("decode_floor", "level", (VLLM, "c64")),
        ("crossover_concurrency_e2el_p50", "pair", (LLAMACPP,)),
        ("ttft_p99_ratio", "pair-level", (LLAMACPP, "c16")),
    ):
        link = link_to(site, ROUND, metric, scope, *at)
        page = open_page(
            address(site, f"{lang}/rounds/{ROUND}/{link}"), viewport=phone, java_script_enabled=scripts
        ).page
        number = page.locator("li:target")
        formula = page.locator("section:has(li:target) .head .formula")
        expect(number).to_be_in_viewport(ratio=0.9)
        expect(formula).to_be_in_viewport(ratio=1)
        above, below = formula.bounding_box(), number.bounding_box()
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"]


def test_a_hostile_round_runs_nothing(hostile_site: Path, open_page: OpenPage, lang: str) -> None:
    for name in ("index", "mechanism", "measurement", "how", "checks"):
        shown = open_page(address(hostile_site, f"{lang}/rounds/hostile/{name}.html"))
        if name == "index":
            shown.wait_for_charts()
            shown.page.locator(NUMBER).first.click()
            expect(shown.page.locator("#panel")).to_be_visible()
        assert shown.page.locator("img:not(figure img)").count() == 0
        assert sideways(shown) == []
        assert shown.outside("file://") == []


@pytest.mark.parametrize("name", ["index", "contents", "rounds/hostile/index", "rounds/longest/index"])
def test_a_title_without_a_space_widens_no_page(hostile_site: Path, open_page: OpenPage, lang: str, name: str) -> None:
    phone = {"width": 360, "height": 740}
    page = open_page(address(hostile_site, f"{lang}/{name}.html"), viewport=phone).page
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_numbers_of_many_digits_wrap_before_a_phone_scrolls_sideways(tmp_path: Path, open_page: OpenPage) -> None:
    loads = [(4**step, f"{10.0 ** (step - 3):g}", f"{10.0 ** (4 - step):g}") for step in range(10)]
    rows = "".join(f"{load},100,100,60,{output},{itl}\n" for load, output, itl in loads)
    table = f"concurrency,requests,completed,duration_s,output_throughput,itl_p50_ms\n{rows}"
    write_round(tmp_path / "runs" / "wide", tables={"alpha": table, "beta": table})
    site = build(tmp_path / "runs", tmp_path / "site")
    shown = open_page(address(site, "en/rounds/wide/index.html"), viewport={"width": 360, "height": 740})
    assert shown.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("width", [390, 1280])
def test_an_address_among_derivations_shows_nothing_by_half(site: Path, open_page: OpenPage, width: int) -> None:
    page = open_page(address(site, HOW)).page
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("location.hash = document.querySelectorAll('.derivation li[id]')[40].id")
    head = page.locator(".derivation:has(:target) .head").bounding_box()
    asked = page.locator(".derivation :target").bounding_box()

    # The head stays at the top, and what is asked for begins where it ends.
    assert head is not None
    assert asked is not None
    assert head["y"] == pytest.approx(0, abs=1)
    assert asked["y"] == pytest.approx(head["height"], abs=1)


def test_an_address_is_reached_at_once(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, HOW)).page

    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
