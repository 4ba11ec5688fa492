"""Any two rounds side by side, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.support.browsing import address

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = "en/side-by-side.html"


def test_two_rounds_are_laid_side_by_side_from_an_address(site: Path, open_page: OpenPage) -> None:
    watched = open_page(address(site, PAGE) + "#base=round-1&head=round-2")
    page = watched.page
    row = page.locator("#laid-rows tbody tr", has_text="vLLM BF16 C=8").filter(has_text="ITL p50")
    # 16.74 and 16.63 ms: 16.63 ÷ 16.74 − 1 = −0.66 %
    assert row.locator("td").all_inner_texts() == ["−0.7%", "≠ numbers differ", "16.74", "16.63", "−0.11"]
    spoilt = page.locator("#laid-rows tbody tr", has_text="C=32").filter(has_text="61.36")
    assert "∅ failed self-checks" in spoilt.inner_text()
    assert page.locator("#laid a", has_text="round-2 compared with round-1").get_attribute("href") == (
        "diff/round-1...round-2/index.html"
    )
    assert watched.outside("file://") == []


def test_the_conditions_that_differ_are_those_that_the_comparison_finds(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE) + "#base=round-1&head=round-2").page
    diff = json.loads((site / "data/diff/round-1...round-2/diff.json").read_text(encoding="utf-8"))
    found = {one["path"] for one in diff["settings"] if one["status"] == "different" and one["group"] is not None}
    shown = page.locator("#laid-settings tbody tr").all_inner_texts()
    assert len(shown) == len(found) > 3
    assert any("--parallel" in one and "32" in one and "64" in one for one in shown)
    assert page.locator("#laid .lead").inner_text().startswith(f"{len(found)} settings are known to differ")


def test_how_floors_are_counted_stands_apart_from_what_was_run(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE) + "#base=round-1&head=round-2").page
    shown = page.locator("#laid-floors tbody tr").all_inner_texts()
    # All parameters on the one side; 7,070,619,136 of two bytes, those of matrix products, on the other.
    assert "15.23\u202fGB" in shown[0]
    assert "14.14\u202fGB" in shown[0]


def test_swapping_mirrors_the_differences_and_the_address(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE) + "#base=round-1&head=round-2").page
    page.locator("button[name=swap]").click()
    page.locator("#laid h2", has_text="round-1 compared with round-2").wait_for()
    row = page.locator("#laid-rows tbody tr", has_text="vLLM BF16 C=8").filter(has_text="ITL p50")
    assert row.locator("td").last.inner_text() == "+0.11"
    assert "base=round-2&head=round-1" in page.url


def test_other_models_are_not_comparable_and_say_so(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE) + "#base=round-2&head=cpu-engines").page
    lead = page.locator("#laid .lead")
    lead.wait_for()
    assert lead.inner_text().startswith("Not comparable: the models differ (Qwen2.5-7B-Instruct, ")
    assert page.locator("#laid code").first.inner_text() == "rounds diff runs/round-2 runs/cpu-engines"


def test_a_reader_says_which_series_stands_against_which(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE) + "#base=cpu-llamacpp&head=cpu-engines").page
    select = page.locator(".pairing select").first
    select.select_option("llamacpp-bf16")
    page.locator("#laid-rows, #laid-one_sided").first.wait_for()
    assert "pair=llamacpp-q4_k_m%3Allamacpp-bf16" in page.url
    assert "llama.cpp Q4_K_M → llama.cpp BF16" in page.locator("#laid").inner_text()


def test_one_round_twice_and_hostile_addresses_show_nothing_wrong(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE) + "#base=round-2&head=round-2").page
    assert "the same round" in page.locator("#laid").inner_text()
    page = open_page(address(site, PAGE) + "#base=../../x&head=<img src=x>&pair=a:b:c&pair=%22:%22").page
    page.locator("#laid h2").wait_for()


def test_without_scripts_the_pairs_that_have_verdicts_are_listed(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, PAGE), java_script_enabled=False).page
    assert not page.locator(".side-by-side > .filters").is_visible()
    assert page.locator(".built a", has_text="round-2 compared with round-1").is_visible()
