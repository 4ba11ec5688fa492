"""Charts: live where they can be, drawn where they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.sites import build

pytestmark = pytest.mark.browser

NNBSP = "\u202f"
REPORT = "rounds/round-2/index.html"
MECHANISM = "rounds/round-2/mechanism.html"
TYPES = "(live) => live._fullData.map((trace) => trace.type)"
COLOURS = "() => [...document.querySelectorAll('.live')].map((live) => live._fullData.map((t) => t.marker?.color ?? t.line.color))"  # noqa: E501

TURNED = """() => [...document.querySelectorAll('.xtick text')]
  .map((tick) => tick.getAttribute('transform') ?? '').filter((transform) => /rotate\\((?!0[,)])/.test(transform))"""
OVERLAPS = """() => [...document.querySelectorAll('figure[data-live] .live')].flatMap((live) => {
  const box = (one) => ({ text: one.textContent, ...one.getBoundingClientRect().toJSON() });
  const all = (selector) => [...live.querySelectorAll(selector)].map(box).filter((one) => one.width);
  const ticks = all('.xtick text'), others = [...all('.annotation-text'), ...all('.legendtext')];
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const pairs = ticks.slice(1).map((tick, i) => [ticks[i], tick]);
  pairs.push(...ticks.flatMap((tick) => others.map((other) => [tick, other])));
  const titles = others.filter((one) => ["concurrency", "并发"].includes(one.text));
  pairs.push(...titles.flatMap((title) => all('.legendtext').map((entry) => [title, entry])));
  return pairs.filter(([a, b]) => over(a, b)).map(([a, b]) => `${a.text} | ${b.text}`);
})"""


@pytest.fixture(scope="module")
def decades(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of one round whose loads, outputs, steps and memory are nine orders of magnitude apart."""
    folder = tmp_path_factory.mktemp("decades")
    rows = "".join(f"{10**n},100,100,60,{10.0 ** (1.5 * n - 2):.6f},{10.0 ** (1.5 * n - 4):.6f}\n" for n in range(7))
    table = f"concurrency,requests,completed,duration_s,output_throughput,itl_p50_ms\n{rows}"
    toml = ROUND_TOML.replace("[workload]", "memory_gib = 24\n\n[workload]")
    facts = {"alpha": "[memory]\nweights_gib = 0.000001\nkv_pool_gib = 641000\n"}
    write_round(folder / "runs" / "wide", toml=toml, tables={"alpha": table, "beta": table}, facts=facts)
    return build(folder / "runs", folder / "site")


@pytest.mark.parametrize(
    ("path", "drawn"),
    [(REPORT, {"throughput": {"scatter"}}), (MECHANISM, {"step_vs_floor": {"scatter"}, "memory": {"bar"}})],
)
def test_all_charts_are_live_and_nothing_is_fetched_from_outside(
    site: Path, open_page: OpenPage, lang: str, path: str, drawn: dict[str, set[str]]
) -> None:
    shown = open_page(address(site, f"{lang}/{path}"))
    shown.wait_for_charts()
    types = {
        figure.get_attribute("data-figure"): set(figure.locator(".live").evaluate(TYPES))
        for figure in shown.page.locator("figure").all()
    }
    assert types == drawn
    assert shown.outside("file://") == []
    assert shown.page.locator(".drawing .wide:visible, .drawing .narrow:visible").count() == 0


@pytest.mark.parametrize("width", [1280, 360])
def test_the_title_of_an_axis_stands_below_its_ticks(site: Path, open_page: OpenPage, lang: str, width: int) -> None:
    for path in (REPORT, MECHANISM):
        shown = open_page(address(site, f"{lang}/{path}"), viewport={"width": width, "height": 900})
        shown.wait_for_charts()
        assert shown.page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("width", [1280, 360])
def test_labels_of_nine_orders_of_magnitude_do_not_touch(decades: Path, open_page: OpenPage, width: int) -> None:
    for name in ("index", "mechanism"):
        shown = open_page(address(decades, f"en/rounds/wide/{name}.html"), viewport={"width": width, "height": 900})
        shown.wait_for_charts()
        assert shown.page.evaluate(OVERLAPS) == []
        assert shown.page.evaluate(TURNED) == []


@pytest.mark.parametrize("width", [1280, 360])
def test_a_part_too_short_for_its_label_has_it_below_the_bar(decades: Path, open_page: OpenPage, width: int) -> None:
    shown = open_page(address(decades, "en/rounds/wide/mechanism.html"), viewport={"width": width, "height": 900})
    shown.wait_for_charts()
    told = shown.page.locator("#fig-memory .annotation-text").all_text_contents()
    assert f"weights 1.00 × 10⁻⁶{NNBSP}GiB" in told
    assert f"KV pool 641,000{NNBSP}GiB" not in told  # that one has its room


def test_no_button_sends_a_chart_away(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, f"en/{MECHANISM}"))
    shown.wait_for_charts()
    titles = shown.page.locator(".modebar-btn").evaluate_all("(all) => all.map((one) => one.dataset.title)")
    assert len(titles) == 6  # three buttons on each of two charts
    assert not [title for title in titles if "cloud" in title.lower() or "share" in title.lower()]
    assert shown.page.locator("a[href^='http'], a[href^='//']").count() == 0


def test_without_the_bundle_the_drawings_stay(site: Path, open_page: OpenPage) -> None:
    def block(page: Page) -> None:
        page.route("**/plotly-basic.min.js", lambda route: route.abort())

    shown = open_page(address(site, f"zh/{REPORT}"), prepare=block)
    shown.page.locator("#fig-throughput").scroll_into_view_if_needed()
    expect(shown.page.locator("#fig-throughput svg.wide")).to_be_visible()
    shown.page.wait_for_timeout(300)
    expect(shown.page.locator("#fig-throughput svg.wide")).to_be_visible()
    assert shown.page.locator(".is-live").count() == 0
    assert [line for line in shown.complaints if "ERR_FAILED" not in line] == []
    shown.complaints.clear()


def test_dark_and_light_have_colours_of_their_own(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, f"en/{REPORT}"), color_scheme="light")
    shown.wait_for_charts()
    light = shown.page.evaluate(COLOURS)
    shown.page.emulate_media(color_scheme="dark")
    shown.page.wait_for_function(f"(before) => JSON.stringify(({COLOURS})()) !== JSON.stringify(before)", arg=light)
    dark = shown.page.evaluate(COLOURS)
    assert [len(chart) for chart in dark] == [len(chart) for chart in light]
    assert not {colour for chart in light for colour in chart} & {colour for chart in dark for colour in chart}


def test_a_point_of_a_chart_opens_its_derivation(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}")).page
    page.locator("#fig-throughput").scroll_into_view_if_needed()
    page.wait_for_selector("#fig-throughput[data-live]")
    page.locator("#fig-throughput .scatterlayer .trace").first.locator("path.point").first.hover(force=True)
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("#panel .what")).to_have_text("output throughput")
    expect(page.locator("#panel .of")).to_contain_text("C=1")


def test_print_shows_the_bars_of_a_drawing(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, "en/rounds/round-2/mechanism.html"))
    shown.page.emulate_media(media="print")
    expect(shown.page.locator("#fig-memory .wide rect.bar").first).to_be_visible()
    expect(shown.page.locator("header.bar")).to_be_hidden()


def test_print_shows_the_static_drawing(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, f"zh/{REPORT}"))
    shown.wait_for_charts()
    shown.page.emulate_media(media="print")
    expect(shown.page.locator("#fig-throughput svg.wide")).to_be_visible()
    expect(shown.page.locator("#fig-throughput .live")).to_be_hidden()
    expect(shown.page.locator(".contents")).to_be_hidden()
    assert shown.page.pdf(format="A4").startswith(b"%PDF-")
    assert shown.page.locator("main details:not([open])").count() == 0


def test_the_site_works_below_a_path_of_a_server(served: str, open_page: OpenPage) -> None:
    shown = open_page(served)
    shown.page.wait_for_url(f"{served}en/index.html")  # the language of the browser in tests
    shown.page.locator(".rounds a[href='rounds/round-2/index.html']").first.click()
    shown.page.wait_for_url("**/round-2/index.html")
    shown.wait_for_charts()
    assert shown.outside(served) == []
