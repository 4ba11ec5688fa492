"""The search in a real browser: from a disk, by keyboard alone, in both languages, on a phone, without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.gates import OPTIONS
from tests.support.hostile import SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPORT = "rounds/round-2/index.html"
FIELD: Final = "input[role=combobox]"
OPTION: Final = "#found a[role=option]"
"""Of the search; filters of a page are comboboxes with options, too."""
FOLDED: Final = "#found button[role=option]"
"""What stands for further rounds that say the same."""
COMPARABLE: Final = "diff/round-1...round-2/index.html"
"""The one comparison whose rounds can be compared, as far as they can."""
NEWEST_CITE: Final = "rounds/cpu-input-sweep/index.html#cite"
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}


@pytest.fixture(params=["zh", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def ask(page: Page, query: str) -> Locator:
    """Open the search with its key, type, and return what was found."""
    page.keyboard.press("/")
    page.wait_for_selector(".finder[open]")
    page.keyboard.type(query)
    expect(page.locator(".finder [role=status]")).not_to_be_empty()
    return page.locator(OPTION)


def ask_again(page: Page, query: str) -> list[str]:
    """Put another query, and return the texts of what was found."""
    page.locator(FIELD).fill(query)
    return page.locator(OPTION).all_inner_texts()


def chosen(page: Page) -> str:
    """Return what the option says that the field names as the active one."""
    active = page.locator(FIELD).get_attribute("aria-activedescendant")
    option = page.locator(f"#{active}")
    assert option.get_attribute("aria-selected") == "true"
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    return option.inner_text()


def test_by_keyboard_alone_a_reader_gets_to_a_section(site: Path, open_page: OpenPage, lang: str) -> None:
    shown = open_page(address(site, f"{lang}/{REPORT}"))
    page = shown.page
    found = ask(page, {"zh": "vLLM 交叉", "en": "vllm crossover"}[lang])

    assert page.locator(FIELD).get_attribute("aria-expanded") == "true"
    first = chosen(page)
    page.keyboard.press("ArrowDown")
    second = chosen(page)
    assert second != first
    page.keyboard.press("ArrowUp")
    assert chosen(page) == first
    page.keyboard.press("ArrowUp")  # before the first comes the last
    assert chosen(page) == page.locator("#found [role=option]").last.inner_text()
    page.keyboard.press("ArrowDown")
    goal = found.first.get_attribute("href") or ""
    page.keyboard.press("Enter")
    page.wait_for_url(goal)
    assert "#" in goal
    expect(page.locator(":target")).to_be_in_viewport()
    expect(page.locator(".finder[open]")).to_have_count(0)
    assert shown.outside("file://") == []


def test_escape_and_the_button_close_it_and_the_focus_goes_back(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    link = page.locator("a.find")
    link.focus()
    for key in ("Escape", "Enter"):
        page.keyboard.press("Enter")  # on the link
        page.wait_for_selector(".finder[open]")
        if key == "Enter":
            page.locator(".finder button").focus()
        page.keyboard.press(key)
        expect(page.locator(".finder[open]")).to_have_count(0)
        expect(link).to_be_focused()


def test_a_slash_in_a_field_is_a_slash(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/rounds/round-2/guide.html")).page
    page.locator(".calculator input[type=number]").first.focus()
    page.keyboard.press("/")
    page.wait_for_timeout(200)
    assert page.locator(".finder").count() == 0


def test_chinese_is_found_by_any_part_of_a_text_and_latin_by_the_beginning_of_a_word(
    site: Path, open_page: OpenPage
) -> None:
    page = open_page(address(site, "zh/index.html")).page
    ask(page, "叉点")  # inside of 交叉点
    assert page.locator(f"{OPTION} mark").first.inner_text() == "叉点"
    assert (
        ask_again(page, "vLLM吞吐") == ask_again(page, "vLLM 吞吐") == ask_again(page, "吞吐 \uff36LLM") != []
    )  # full-width V
    assert ask_again(page, "efill") == []  # the end of prefill
    assert all("prefill" in one.lower() for one in ask_again(page, "prefil"))
    assert ask_again(page, "prefil") != []


@pytest.mark.parametrize("name", ["Q4_K_M", "q4_k_m", "llama.cpp", "C=32", "failed_requests", "round-2", "--cache-ram"])
def test_names_are_found_as_they_are_typed(site: Path, open_page: OpenPage, name: str) -> None:
    page = open_page(address(site, "en/index.html")).page
    found = ask(page, name)
    assert found.count() > 0
    addresses = [found.nth(at).get_attribute("href") or "" for at in range(found.count())]
    texts = [f"{text} {link}" for text, link in zip(found.all_inner_texts(), addresses, strict=True)]
    literal = [name.strip("-").lower() in text.lower() for text in texts]
    assert literal[0]
    assert literal == sorted(literal, reverse=True)  # behind these: where a metric of that name is printed


def test_a_title_goes_before_a_heading_and_that_before_a_text(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    word = {"zh": "悬崖", "en": "cliff"}[lang]
    ask(page, word)
    anchors, headings = (
        "els => els.map((e) => Boolean(e.hash))",
        "els => els.map((e) => e.querySelector('.what').textContent)",
    )
    options = page.locator(OPTION)
    has_anchor, said = options.evaluate_all(anchors), [word in one.lower() for one in options.evaluate_all(headings)]
    exact = [one.strip().lower() == word for one in options.evaluate_all(headings)]
    titles = [not anchor and heading for anchor, heading in zip(has_anchor, said, strict=True)]
    assert titles[0]
    assert exact == sorted(exact, reverse=True)  # the very word, be it a page or a term of the glossary
    assert titles[sum(exact) :] == sorted(titles[sum(exact) :], reverse=True)
    assert said == sorted(said, reverse=True)


def test_among_equals_the_newest_round_comes_first(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    listed = page.locator(".rounds .id").all_inner_texts()
    found = ask(page, {"zh": "TTFT 构成", "en": "ttft anatomy"}[lang])
    names = found.locator("code").all_inner_texts()
    order = [next(at for at, one in enumerate(listed) if one.split(" ")[0] == name) for name in names[:4]]
    assert order == sorted(order)
    assert len(set(order)) > 1


@pytest.mark.parametrize(
    ("language", "typed", "first"),
    [
        ("zh", "延迟", "时延"),
        ("zh", "吞吐量", "吞吐"),
        ("zh", "首字延迟", "TTFT"),
        ("zh", "首token", "token"),
        ("zh", "预填充", "prefill"),
        ("zh", "解码", "解码"),
        ("zh", "吞吐塌陷", "吞吐有无塌陷"),
        ("zh", "下载", "引用与下载"),
        ("zh", "引用", "引用与下载"),
        ("zh", "zip", "引用与下载"),
        ("zh", "显卡", "显卡"),
        ("en", "delay", "lag"),
        ("en", "throughput dip", "Dips in throughput"),
        ("en", "time to first token", "first token"),
        ("en", "download", "Cite, download"),
        ("en", "citation", "Cite, download"),
        ("en", "context window", ""),
    ],
)
def test_words_of_one_meaning_are_found(site: Path, open_page: OpenPage, language: str, typed: str, first: str) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    assert first in found.first.locator(".what").inner_text()


@pytest.mark.parametrize(
    ("language", "typed", "first"),
    [
        ("en", "p99 few requests", "Sample size behind tail percentiles"),
        ("en", "p99 sample size", "Sample size behind tail percentiles"),
        ("en", "why prefix caching", "rompt cach"),
        ("zh", "p99 样本量", "尾部分位数的样本量"),
        ("zh", "为什么 吞吐塌陷", "吞吐有无塌陷"),
        ("zh", "差距从哪里来", "时间花在哪里"),
    ],
)
def test_a_question_is_found_by_what_it_is_about(
    site: Path, open_page: OpenPage, language: str, typed: str, first: str
) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    assert first in found.first.locator(".what").inner_text()


def test_an_ending_of_an_english_word_does_not_matter(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    ask(page, "prompt caching")
    assert any("prompt cache" in one.lower() for one in page.locator(f"{OPTION} .what").all_inner_texts())


def test_a_load_is_found_by_what_it_is_called(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "zh/index.html")).page
    ask(page, "并发 32")
    assert any("C=32" in one for one in page.locator(OPTION).all_inner_texts())


def told_loads(site: Path) -> dict[str, list[tuple[float, float]]]:
    """Return the ways to what the guides tell of loads, and which: from and to, the same twice for a level."""
    return {
        f"{path.relative_to(site / 'en').as_posix()}#{anchor}": [
            (float(one.split("-")[0]), float(one.split("-")[-1])) for one in loads.split(" ")
        ]
        for path in (site / "en" / "rounds").glob("*/guide.html")
        for anchor, loads in re.findall(r' id="([^"]+)"[^>]* data-loads="([^"]+)"', path.read_text(encoding="utf-8"))
    }


def way_of(option: Locator, lang: str) -> str:
    """Return the way to what an option leads to, below the folder of the language."""
    return (option.get_attribute("href") or "").split(f"/{lang}/")[1]


def test_any_load_leads_first_to_what_a_guide_says_of_it(site: Path, open_page: OpenPage, lang: str) -> None:
    told = told_loads(site)
    loads = range(1, 64)
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "v")
    for load in loads:
        at = {way for way, ranges in told.items() if (load, load) in ranges}
        between = {way for way, ranges in told.items() if any(low < load < high for low, high in ranges)} - at
        rounds = [len({way.split("/")[1] for way in ways}) for ways in (at, between)]
        ask_again(page, {"zh": f"并发 {load}", "en": f"concurrency {load}"}[lang])
        assert way_of(found.first, lang) in (at if rounds[0] >= rounds[1] else between), load


@pytest.mark.parametrize(
    ("language", "queries"),
    [
        ("zh", ("并发 {n}", "并发{n}", "并发数 {n}", "{n} 并发", "{n}并发", "C={n}", "c = {n}", "在途 {n}",
                "{n} 个并发用户", "并发 {n} 选谁", "{n} 并发用哪个引擎", "并发 {n} 哪个更快", "vLLM 并发 {n}")),
        ("en", ("concurrency {n}", "C={n}", "c{n}", "{n} concurrent", "{n} concurrent requests", "concurrency of {n}",
                "{n} requests in flight", "{n} users", "which engine at concurrency {n}", "best engine for {n} users",
                "which is faster at concurrency {n}?", "vllm at concurrency {n}")),
    ],
)  # fmt: skip
def test_a_load_may_be_asked_for_in_many_words(
    site: Path, open_page: OpenPage, language: str, queries: tuple[str, ...]
) -> None:
    page = open_page(address(site, f"{language}/index.html")).page
    found = ask(page, "v")
    # 12 lies between C=8 and C=16 of round-2; no round measured 3, 20 or 40; 40 is where round-2 leaves out C=32.
    expected = {3: "rounds/cpu-engines/guide.html#guide-gap-leads-llamacpp-q4_k_m-c2-c8",
                12: "rounds/round-2/guide.html#guide-gap-turns-llamacpp-q4_k_m-c8-c16",
                20: "rounds/round-2/guide.html#guide-gap-open-llamacpp-q4_k_m-c16-c64",
                40: "rounds/round-2/guide.html#guide-gap-open-llamacpp-q4_k_m-c16-c64"}  # fmt: skip
    for load, way in expected.items():
        for query in queries:
            ask_again(page, query.format(n=load))
            assert way_of(found.first, language) == way, query.format(n=load)


def test_the_round_that_is_named_tells_of_the_load_and_the_loads_are_said(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "v")
    for query, way, said in (
        ("round-1 C=3", "rounds/round-1/guide.html#guide-gap-leads-llamacpp-q4_k_m-c1-c8", "C=1 – C=8"),
        ("round-2 C=3", "rounds/round-2/guide.html#guide-gap-leads-llamacpp-q4_k_m-c1-c4", "C=2 – C=4"),
        ("round-2 C=16", "rounds/round-2/guide.html#guide-leads-llamacpp-q4_k_m", "C=16"),
        ("C=500", "rounds/round-2/guide.html#guide-leads-llamacpp-q4_k_m", "C=64"),  # beyond: the nearest level
    ):
        ask_again(page, query)
        assert way_of(found.first, lang) == way, query
        assert found.first.locator(".excerpt").inner_text() == said


def test_a_load_is_not_the_beginning_of_another(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    ask(page, "C=1 ttft")
    after = "(all) => all.filter((it) => it.textContent === 'C=1').map((it) => it.nextSibling?.textContent?.[0] ?? '')"
    following = page.locator(f"{OPTION} mark").evaluate_all(after)
    assert following
    assert not any(one.isdigit() for one in following)


DEFINED: Final = ("decode_floor", "mbu", "output_throughput", "scaling_efficiency", "kv_bytes_per_token", "ttft_p99",
                  "failure_ratio", "ttft_prefill_share", "floor_ratio", "kv_pool_bytes",
                  "client_stamp_error_p99")  # fmt: skip
ASKED: Final = {
    "zh": ("{x} 公式", "{x}公式", "{x}的公式", "{x} 定义", "{x} 怎么算", "{x} 如何计算", "{x}是怎么计算的"),
    "en": ("{x} formula", "{x} definition", "formula of {x}", "definition of the {x}", "how is {x} computed",
           "how is the {x} calculated?"),
}  # fmt: skip


def test_a_metric_and_a_word_for_its_definition_lead_to_its_entry(site: Path, open_page: OpenPage, lang: str) -> None:
    glossary = open_page(address(site, f"{lang}/glossary.html")).page
    bare = "(it) => { it.querySelector('.symbol')?.remove(); return it.textContent.trim(); }"
    titles = {key: str(glossary.locator(f"#{key} h4").evaluate(bare)) for key in DEFINED}
    found = ask(glossary, "v")
    for key, name in titles.items():
        for query in ASKED[lang]:
            ask_again(glossary, query.format(x=name))
            assert way_of(found.first, lang) == f"glossary.html#{key}", query.format(x=name)


@pytest.mark.parametrize(
    ("language", "name", "key"),
    [
        ("zh", "下限", "decode_floor"), ("zh", "解码下限", "decode_floor"), ("zh", "MBU", "mbu"),
        ("zh", "停顿", "stall_share"), ("zh", "每 token 的 KV 字节", "kv_bytes_per_token"),
        ("zh", "TTFT p99", "ttft_p99"),
        ("en", "floor", "decode_floor"), ("en", "decode floor", "decode_floor"), ("en", "MBU", "mbu"),
        ("en", "stall", "stall_share"), ("en", "scaling", "scaling_efficiency"), ("en", "ttft_p99", "ttft_p99"),
    ],
)  # fmt: skip
def test_a_part_of_a_title_and_a_word_become_the_metric(
    site: Path, open_page: OpenPage, language: str, name: str, key: str
) -> None:
    page = open_page(address(site, f"{language}/index.html")).page
    found = ask(page, {"zh": f"{name} 公式", "en": f"{name} formula"}[language])
    assert way_of(found.first, language) == f"glossary.html#{key}"


@pytest.mark.parametrize(
    ("language", "typed", "way"),
    [
        ("zh", "最优引擎", "guide.html"), ("zh", "哪个引擎更快", "guide.html"), ("zh", "选哪个引擎", "guide.html"),
        ("en", "best engine", "guide.html"), ("en", "which engine is faster", "guide.html"),
        ("zh", "怎么复现", "about.html#again"), ("en", "how to reproduce", "about.html#again"),
        ("zh", "为什么 C=1 被排除", "glossary.html#term-excluded_level"),
        ("en", "why is a level left out", "glossary.html#term-excluded_level"),
        ("en", "prefix caching", "glossary.html#term-prefix_cache"),
        ("zh", "prefix caching", "glossary.html#term-prefix_cache"),
        ("en", "level left out", "glossary.html#term-excluded_level"),
        ("en", "why was a level dropped", "glossary.html#term-excluded_level"),
        ("en", "C=32 llama.cpp collapse", "rounds/round-2/mechanism.html#anomaly"),
        ("zh", "为什么 C=32 不计", "rounds/round-2/mechanism.html#anomaly"),
        ("zh", "round 2 缺一档", "rounds/round-2/mechanism.html#anomaly"),
        ("en", "difference between round 1 and round 2", "diff/round-1...round-2/index.html"),
        ("en", "rounds 1 and 2 compared", "diff/round-1...round-2/index.html"),
        ("zh", "第一轮与第二轮的区别", "diff/round-1...round-2/index.html"),
        ("en", "what changed", COMPARABLE), ("en", "what changed between the rounds", COMPARABLE),
        ("zh", "两轮有什么变化", COMPARABLE),
        ("en", "where does it break", "rounds/cpu-engines/cliff.html"),
        ("en", "what binds", "rounds/cpu-engines/concurrency-curve.html#curve_walls"),
        ("en", "bottleneck", "rounds/cpu-engines/concurrency-curve.html#curve_walls"),
        ("en", "wall", "rounds/cpu-engines/concurrency-curve.html#curve_walls"),
        ("en", "memory wall", "glossary.html#wall_memory"), ("en", "wall clock", "checks.html#clock_steps"),
        ("zh", "在哪里崩溃", "rounds/cpu-engines/cliff.html"),
        ("zh", "瓶颈", "rounds/cpu-engines/concurrency-curve.html#curve_walls"),
        ("en", "cite round 2", "rounds/round-2/index.html#cite"),
        ("zh", "引用 round-2", "rounds/round-2/index.html#cite"),
        ("en", "permanent link", NEWEST_CITE), ("en", "download data", NEWEST_CITE),
        ("zh", "永久链接", NEWEST_CITE), ("zh", "下载数据", NEWEST_CITE),
        ("zh", "客户端误差", "glossary.html#client_stamp_error_p50"),
        ("en", "client error", "glossary.html#client_stamp_error_p50"),
        ("en", "bandwidth utilization", "glossary.html#mbu"),
    ],
)  # fmt: skip
def test_what_engineers_ask_leads_to_its_answer(
    site: Path, open_page: OpenPage, language: str, typed: str, way: str
) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    assert way_of(found.first, language) == way


FLOOR: Final = "glossary.html#decode_floor"
FLOOR_OF_ROUND: Final = "rounds/round-2/mechanism.html#batching"
EXCLUDED: Final = "glossary.html#term-excluded_level"
ANOMALY: Final = "rounds/round-2/mechanism.html#anomaly"
GAP: Final = "rounds/round-2/guide.html#guide-gap-turns-llamacpp-q4_k_m-c8-c16"
WALLS: Final = "rounds/cpu-engines/concurrency-curve.html#curve_walls"


@pytest.mark.parametrize(
    ("language", "typed", "way"),
    [
        # the floor: what it is, and for a round that is named where it stands beside the step
        ("en", "decode floor of vLLM at C=1", FLOOR), ("en", "minimum time per token", FLOOR),
        ("en", "how is the decode floor of vLLM at C=1 computed", FLOOR), ("zh", "硬件下限", FLOOR),
        ("zh", "理论最小 单步时间", FLOOR), ("zh", "decode 下限 vLLM C=1 round-2", FLOOR_OF_ROUND),
        ("en", "hardware floor round 2", FLOOR_OF_ROUND), ("en", "prefill floor", "glossary.html#prefill_floor"),
        ("en", "formula and inputs of the decode floor", FLOOR), ("zh", "解码下限的公式和输入", FLOOR),
        # a level that is left out, in other words
        ("en", "outlier", EXCLUDED), ("zh", "离群点", EXCLUDED), ("zh", "哪一档没算进去", EXCLUDED),
        ("zh", "吞吐下降 异常 为什么不算", EXCLUDED), ("en", "bad data point in round 2", ANOMALY),
        ("en", "why one level of round 2 is left out", ANOMALY), ("zh", "异常值 round-2", ANOMALY),
        ("en", "outlier in round 1", EXCLUDED),  # nothing was left out there
        ("en", "why is C=32 hollow", ANOMALY), ("zh", "llama.cpp C=32 出了什么问题", ANOMALY),
        # what changed, by the words of the titles and by what it was that changed
        ("zh", "初探 复测 差别", COMPARABLE), ("en", "first look vs whole curve difference", COMPARABLE),
        ("en", "driver changed round-2", f"{COMPARABLE}#fingerprint"),
        ("zh", "驱动 变了 round-2", f"{COMPARABLE}#fingerprint"),
        ("zh", "两轮的驱动一样吗", f"{COMPARABLE}#fingerprint"), ("zh", "改了哪些参数", COMPARABLE),
        # whether it was the engine
        ("zh", "能归因于引擎吗", COMPARABLE), ("zh", "差别是不是引擎引起的", COMPARABLE),
        ("en", "which differences are due to the engine", COMPARABLE), ("en", "attribution", COMPARABLE),
        ("en", "confounded", "glossary.html#term-confounded"),
        # how sure, which engine, and on what
        ("en", "which engine at concurrency 12 and how sure", GAP), ("zh", "并发 12 选哪个引擎 有多大把握", GAP),
        ("en", "is llama.cpp or vllm better at 12 concurrent requests", GAP),
        ("en", "winner at 12 concurrent users round 2", GAP), ("en", "confidence of the result at C=12", GAP),
        ("zh", "把握有多大", "glossary.html#term-certainty"),
        ("en", "when does vllm overtake llama.cpp", "rounds/round-2/index.html#crossover"),
        ("zh", "带宽 瓶颈 cpu-engines", WALLS), ("en", "bandwidth bottleneck cpu-engines", WALLS),
        ("zh", "峰值吞吐 round-2", "rounds/round-2/concurrency-curve.html#fig-throughput_latency"),
        ("en", "values.csv", NEWEST_CITE), ("en", "license", NEWEST_CITE),
        ("en", "hardware used in round 2", "rounds/round-2/index.html#overview"),
        # whoever asks for one user wants a round with a ladder of loads, rather than the newest, which has one
        ("en", "best engine for a single user", "rounds/cpu-engines/guide.html#guide-leads-llamacpp-q4_k_m"),
        ("zh", "单用户 用哪个引擎", "rounds/cpu-engines/guide.html#guide-leads-llamacpp-q4_k_m"),
        ("en", "startup time", "rounds/cpu-input-sweep/cold-start.html"),
        ("en", "inter-token latency", "meanings.html#itl"),
        ("en", "vllm vs llama.cpp on a gpu", "rounds/round-2/index.html"),
    ],
)  # fmt: skip
def test_readers_own_words_lead_to_the_place_first(
    site: Path, open_page: OpenPage, language: str, typed: str, way: str
) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    assert way_of(found.first, language) == way


def test_comparisons_that_can_be_made_come_before_those_that_cannot_and_each_pair_once(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    ways = [way_of(one, lang) for one in ask(page, {"zh": "两轮之间 变了什么", "en": "what changed"}[lang]).all()]
    pairs = [way.split("/")[1].split("...") for way in ways if re.fullmatch(r"diff/[^/]+/index\.html", way)]
    assert {"zh": "部分可比", "en": "Partly comparable"}[lang] in (site / lang / ways[0]).read_text(encoding="utf-8")
    assert len({frozenset(pair) for pair in pairs[:4]}) == 4  # there are four pairs, each built both ways


ON_GPU: Final = ("round-1", "round-2")
"""The rounds that ran on a GPU: all others did on a CPU."""


@pytest.mark.parametrize(
    ("language", "typed", "device"),
    [
        ("en", "is llama.cpp or vllm better at 12 concurrent requests on a gpu", "gpu"),
        ("en", "gpu throughput", "gpu"), ("en", "best engine on gpu", "gpu"), ("en", "throughput on a 4090", "gpu"),
        ("zh", "显卡 吞吐", "gpu"),
        ("zh", "显卡上 12 并发 用 llama.cpp 还是 vLLM", "gpu"), ("zh", "4090 上并发 12 选谁", "gpu"),
        ("en", "concurrency 8 on cpu", "cpu"), ("en", "throughput without a gpu", "cpu"),
        ("zh", "CPU 上哪个引擎快", "cpu"),
        ("zh", "没有显卡 吞吐", "cpu"), ("zh", "CPU 并发 8", "cpu"),
    ],
)  # fmt: skip
def test_a_kind_of_device_puts_the_rounds_first_that_ran_on_one(
    site: Path, open_page: OpenPage, language: str, typed: str, device: str
) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    rounds = [way.split("/")[1] for one in found.all() if (way := way_of(one, language)).startswith("rounds/")]
    is_of = [(one in ON_GPU) == (device == "gpu") for one in rounds]
    assert way_of(found.first, language).startswith("rounds/")
    assert is_of[0]
    assert is_of == sorted(is_of, reverse=True)


def test_a_round_that_is_named_comes_before_all_others(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "v")
    for query in ("round 2 C=16", "round-2 waves", "round 2 ttft", "TTFT round2", "cite round 2"):
        ask_again(page, query)
        ways = [way_of(found.nth(at), lang) for at in range(found.count())]
        of_others = [way.startswith("rounds/") and not way.startswith("rounds/round-2/") for way in ways]
        assert ways[0].startswith("rounds/round-2/"), query
        assert of_others == sorted(of_others), query


def test_a_line_of_the_guide_is_whole_with_its_advice(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "round-2 C=12")
    advice, end = {
        "zh": ("需要先补测", "TTFT p99 由谁领先，两侧的档位分不出。"),
        "en": ("measure before choosing", "The levels on either side leave open who leads in TTFT p99."),
    }[lang]
    told = found.first.locator(".what").inner_text()
    assert advice in told
    assert told.endswith(end)


@pytest.mark.parametrize("number", ["14.09", "14.09 ms", "≈1.234", "98.7 tok/s", "14.09 ms round-2"])
def test_a_number_alone_leads_to_how_one_is_traced_and_it_is_said_where_to_look(
    site: Path, open_page: OpenPage, lang: str, number: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, number)
    ways = [way_of(found.nth(at), lang) for at in range(found.count())]
    assert ways[0] == "reading.html#numbers"
    assert {way.split("#")[1] for way in ways[1:]} == {"cite"}  # where values.csv can be had
    assert (ways[1] == "rounds/round-2/index.html#cite") == ("round-2" in number)
    said = page.locator(".finder [role=status]").inner_text()
    assert {"zh": "不在索引里", "en": "No number like this is indexed"}[lang] in said
    assert "values.csv" in said


def test_a_number_that_a_heading_or_a_text_says_is_found(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    assert "443.7" in ask(page, "443.7 tok/s").first.inner_text()
    assert "1,387.8" in ask_again(page, "1387.8")[0]  # with the comma that the site prints


def test_a_load_that_a_round_measured_is_one_of_all_that_tells_of_its_levels(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "TTFT p50 C=16 round-2")
    assert way_of(found.first, lang) == "rounds/round-2/concurrency-curve.html#fig-ttft_by_load"
    assert {"zh": "没有一处", "en": "No place"}[lang] not in page.locator(".finder [role=status]").inner_text()


def test_where_nothing_has_all_words_what_has_some_is_listed_and_said_to_be_so(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "goodput qqzz")
    assert found.count() > 0
    assert "goodput" in found.first.inner_text().lower()
    said = {"zh": "没有一处包含全部这些词", "en": "No place contains all of these words"}[lang]
    assert said in page.locator(".finder [role=status]").inner_text()


def test_of_words_in_part_the_rare_ones_count_a_heading_before_a_text_and_a_named_round_before_all(
    site: Path, open_page: OpenPage
) -> None:
    page = open_page(address(site, "en/index.html")).page
    found = ask(page, "goodput throughput qqzz")
    assert "goodput" in found.first.locator(".what").inner_text().lower()  # many places say throughput, few goodput
    ask_again(page, "anomaly qqzz latency zzqq throughput round-2")
    rounds = [way_of(one, "en") for one in found.all()]
    is_named = ["round-2" in way for way in rounds]
    assert is_named[0]
    assert is_named == sorted(is_named, reverse=True)


SAME: Final = {"zh": "定义与陷阱", "en": "definitions and traps"}
"""The heading of sections that say the same in many rounds."""


def said_by(option: Locator) -> tuple[str, str, str]:
    """Return the kind and heading of a result, and its text."""
    kind, heading, text = (option.locator(at).all_inner_texts() for at in (".what small", ".what bdi", ".excerpt"))
    return "".join(kind), heading[0], text[0]


def test_places_that_say_the_same_are_folded_and_the_fold_says_in_how_many_rounds(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, SAME[lang])
    told = [said_by(one) for one in found.all()]
    assert max(told.count(one) for one in told if one[2]) <= 2  # a fold would take as much room as a second one
    number = {"zh": r"另外 (\d+) 轮", "en": r"in (\d+) more rounds"}[lang]
    folds = page.locator(FOLDED).all_inner_texts()
    counted = [int(found) for one in folds for found in re.findall(number, one)]
    assert len(counted) == len(folds) > 0
    assert min(counted) > 1


def test_a_fold_is_opened_by_keyboard_and_what_it_held_can_be_gone_to(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, SAME[lang])
    ways, held = [way_of(one, lang) for one in found.all()], page.locator(FOLDED).first
    number = int(re.search(r"\d+", held.inner_text()).group())  # type: ignore[union-attr]
    while chosen(page) != held.inner_text():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    assert page.locator(FIELD).evaluate("(it) => it === document.activeElement")
    new = [way for one in found.all() if (way := way_of(one, lang)) not in ways]
    assert len(new) == len(set(new)) == number
    ids = page.locator("#found [role=option]").evaluate_all("(all) => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))
    assert chosen(page) == next(one for one in found.all() if way_of(one, lang) == new[0]).inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{lang}/{new[0]}")


def test_a_fold_is_opened_by_a_press_and_the_field_keeps_the_focus(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, SAME[lang])
    before, folds = found.count(), page.locator(FOLDED).count()
    page.locator(FOLDED).first.click()
    assert found.count() > before
    assert page.locator(FOLDED).count() == folds - 1
    expect(page.locator(FIELD)).to_be_focused()
    expect(page.locator(".finder[open]")).to_have_count(1)


def test_a_round_that_is_named_is_not_folded_into_another(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, {"zh": "round-1 round-2 结论", "en": "rounds 1 and 2 verdict"}[lang])
    ways = [way_of(one, lang) for one in found.all()]
    assert {f"rounds/round-{one}/index.html#verdict" for one in (1, 2)} <= set(ways[:6])


def test_the_dialog_says_which_keys_choose(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    ask(page, "v")
    assert "Enter" in page.locator(".finder .keys").inner_text()


def test_what_says_the_word_itself_comes_before_what_says_another_of_its_meaning(
    site: Path, open_page: OpenPage
) -> None:
    page = open_page(address(site, "en/index.html")).page
    texts = ask(page, "collapse").all_inner_texts()  # a few places say it; those that dip come behind
    said = ["collapse" in one.lower() for one in texts]
    assert said == sorted(said, reverse=True)
    assert any("dip" in one.lower() for one, literal in zip(texts, said, strict=True) if not literal)


def test_a_metric_by_its_key_leads_to_the_glossary_and_then_to_where_it_is_printed(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    found = ask(open_page(address(site, f"{lang}/index.html")).page, "ttft_p99")
    ways = [(found.nth(at).get_attribute("href") or "").split(f"/{lang}/")[1] for at in range(found.count())]
    assert ways[0] == "glossary.html#ttft_p99"
    of_rounds = [at for at, way in enumerate(ways) if way.startswith("rounds/")]
    of_glossary = [at for at, way in enumerate(ways) if way.startswith("glossary.html")]
    assert len(of_rounds) > 3
    assert max(of_glossary) < min(of_rounds)


def test_a_round_is_found_first_by_its_id_its_title_or_what_it_ran_on(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    title = {
        "zh": "vLLM 与 llama.cpp：同卡复测整条并发曲线",
        "en": "vLLM and llama.cpp: the whole concurrency curve, on one card",
    }[lang]
    found = ask(page, "v")
    for query in ("round-2", title, "vllm 4090"):
        ask_again(page, query)
        assert (found.first.get_attribute("href") or "").endswith("/rounds/round-2/index.html")


def test_what_is_found_nowhere_is_said(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "nowhere-to-be-found qqzz")
    assert found.count() == 0
    field = page.locator(FIELD)
    assert (field.get_attribute("aria-expanded"), field.get_attribute("aria-activedescendant")) == ("false", None)
    expected = {"zh": "没有同时包含", "en": "Nothing contains"}[lang]
    assert expected in page.locator(".finder [role=status]").inner_text()
    page.keyboard.press("Enter")
    assert page.url.endswith(f"/{lang}/index.html")


def test_a_word_being_composed_is_not_looked_for(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "zh/index.html")).page
    ask(page, "吞吐")
    field, before = page.locator(FIELD), page.locator(OPTION).count()
    field.evaluate("(it) => { it.value = 'zzz'; it.dispatchEvent(new InputEvent('input', { isComposing: true })); }")
    assert page.locator(OPTION).count() == before > 0
    field.evaluate("(it) => it.dispatchEvent(new CompositionEvent('compositionend'))")
    assert page.locator(OPTION).count() == 0


def test_hostile_titles_are_text(hostile_site: Path, open_page: OpenPage, lang: str) -> None:
    shown = open_page(address(hostile_site, f"{lang}/index.html"))
    found = ask(shown.page, "alert")
    assert any(SCRIPT in one for one in found.all_inner_texts())
    tags = shown.page.eval_on_selector_all(".finder *", "all => [...new Set(all.map((one) => one.localName))].sort()")
    assert set(tags) <= {"a", "bdi", "button", "code", "div", "input", "mark", "p", "small", "span"}
    shown.page.set_viewport_size(PHONE)
    assert shown.page.evaluate("document.querySelector('.finder').scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_it_fits_and_is_accessible(site: Path, open_page: OpenPage, lang: str, scheme: str) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}"), viewport=PHONE, color_scheme=scheme).page
    ask(page, "Q4_K_M")
    sizes = "[document.documentElement.scrollWidth, document.querySelector('.finder').scrollWidth]"
    assert page.evaluate(sizes) == [360, 360]
    name = {"zh": "搜索", "en": "Search"}[lang]
    expect(page.get_by_role("combobox", name=name)).to_be_focused()
    expect(page.get_by_role("listbox", name=name)).to_be_visible()
    expect(page.get_by_role("dialog", name=name)).to_be_visible()
    found = Axe().run(page, options=OPTIONS)
    assert found.violations_count == 0, found.generate_report()


def test_the_page_of_the_search_answers_an_address_with_a_query(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(f"{address(site, f'{lang}/search.html')}?q=Q4_K_M").page
    expect(page.locator(OPTION).first).to_be_visible()
    assert not page.locator(".needs-script").is_visible()
    assert page.locator(FIELD).input_value() == "Q4_K_M"
    page.keyboard.press("Escape")
    assert page.locator(OPTION).count() == 0


def test_without_scripts_the_link_leads_to_every_section(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}"), java_script_enabled=False).page
    page.locator("a.find").click()
    expect(page.locator(".needs-script")).to_be_visible()
    assert page.locator(FIELD).count() == 0
    page.locator("main a").click()
    page.wait_for_url(f"**/{lang}/contents.html")
    page.locator("a[href='rounds/round-2/index.html#crossover']").click()
    page.wait_for_url(f"**/{lang}/rounds/round-2/index.html#crossover")


def test_where_the_index_cannot_be_loaded_the_link_leads_to_its_page(site: Path, open_page: OpenPage) -> None:
    shown = open_page(
        address(site, f"en/{REPORT}"), lambda page: page.route("**/en/search.js", lambda route: route.abort())
    )
    shown.page.locator("a.find").click()
    shown.page.wait_for_url("**/en/search.html")
    expect(shown.page.locator(".needs-script")).to_be_visible()
    shown.complaints.clear()  # the browser complains of what was kept from it
