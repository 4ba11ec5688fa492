"""What comes first among the places that have the words that were typed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.searching import OPTION, ask, ask_again, way_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
        ("zh", "吞吐塌陷", "异常"),
        ("zh", "下载", "引用与下载"),
        ("zh", "引用", "引用与下载"),
        ("zh", "zip", "引用与下载"),
        ("zh", "显卡", "显卡"),
        ("en", "delay", "lag"),
        ("en", "throughput dip", "Anomaly"),
        ("en", "time to first token", "first token"),
        ("en", "download", "Cite, download"),
        ("en", "citation", "Cite, download"),
        ("en", "context window", ""),
    ],
)
def test_words_of_one_meaning_are_found(site: Path, open_page: OpenPage, language: str, typed: str, first: str) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    assert first in found.first.locator(".what").inner_text()


def test_an_ending_of_an_english_word_does_not_matter(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    ask(page, "prompt caching")
    assert any("prompt cache" in one.lower() for one in page.locator(f"{OPTION} .what").all_inner_texts())


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


def test_a_number_that_a_heading_or_a_text_says_is_found(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    assert "443.7" in ask(page, "443.7 tok/s").first.inner_text()
    assert "1,387.8" in ask_again(page, "1387.8")[0]  # with the comma that the site prints


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


TWELVE: Final = "rounds/round-2/guide.html#guide-gap-turns-llamacpp-q4_k_m-c8-c16"
"""What lies between 8 and 16 requests, in the one round that has both engines on levels on either side."""


def test_names_of_engines_may_be_typed_without_their_marks(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    as_printed = ask(page, "llama.cpp q4_k_m").all_inner_texts()
    for query in ("llamacpp q4km", "llama cpp q4 k m", "Llama-cpp Q4-K-M"):
        assert ask_again(page, query) == as_printed != [], query
    for query in ("llamacpp c=12", "vllm vs llamacpp c=12", "llama cpp c12"):
        ask_again(page, query)
        assert way_of(page.locator(OPTION).first, lang) == TWELVE, query


LOADS: Final = {
    "en": ("12 requests", "12 users", "twelve concurrent requests", "a dozen users", "batch 12", "batch size 12",
           "between 8 and 16", "10-15 requests in flight", "from 9 to 15 users", "vllm vs llama.cpp at 12",
           "12 concurrency 4090", "4090 concurrency 12", "c=8 to c=16", "12 users at once", "12 concurrency on h100"),
    "zh": ("12 个请求", "12 个人同时用", "十二路并发", "12 路", "十二个用户", "12 并发 4090", "4090 并发 12",
           "8 到 16 之间", "9 到 15 条请求", "同时 12 个请求 vLLM 还是 llama.cpp", "batch 12"),
}  # fmt: skip


def test_a_load_may_be_counted_in_words_and_ranges_beside_the_number_of_a_model(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "v")
    for query in LOADS[lang]:
        ask_again(page, query)
        assert way_of(found.first, lang) == TWELVE, query


def test_what_has_all_of_a_range_between_two_levels_comes_first_unless_more_rounds_measured_its_middle(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "v")
    for low, high, way in (
        (9, 31, "rounds/round-1/guide.html#guide-gap-turns-llamacpp-q4_k_m-c8-c32"),
        (17, 63, "rounds/round-2/guide.html#guide-gap-open-llamacpp-q4_k_m-c16-c64"),
        (3, 5, "rounds/cpu-engines/guide.html#guide-leads-llamacpp-q4_k_m"),  # one round has it between two, three at 4
    ):
        ask_again(page, {"zh": f"{low} 到 {high} 条请求", "en": f"{low} to {high} requests"}[lang])
        assert way_of(found.first, lang) == way


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "12 requests per second"), ("en", "between 8 and 16 ms"), ("en", "32 to 1536 tokens"),
        ("en", "one request at a time"),
        ("zh", "每秒 12 个请求"), ("zh", "8 到 16 毫秒之间"), ("zh", "一次一条请求"),
        ("zh", "两个引擎"),
    ],
)  # fmt: skip
def test_a_rate_a_range_of_something_else_and_one_request_are_no_loads(
    site: Path, open_page: OpenPage, language: str, typed: str
) -> None:
    page = open_page(address(site, f"{language}/index.html")).page
    ask(page, typed)
    assert not [one for one in page.locator(f"{OPTION} .excerpt").all_inner_texts() if one.startswith("C=")]


def test_where_nothing_has_all_words_and_nothing_is_named_a_round_of_one_load_comes_behind(
    site: Path, open_page: OpenPage
) -> None:
    page = open_page(address(site, "en/index.html")).page
    found = ask(page, "tail latency spike 32 qqzz")
    first = way_of(found.first, "en")
    assert first.startswith("rounds/")
    assert first.split("/")[1] in {"round-1", "round-2", "cpu-engines", "cpu-cliff"}  # which have a ladder of loads


def test_of_a_run_of_han_characters_in_pieces_single_ones_tell_nothing(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "zh/index.html")).page
    ask(page, "能否叫吞吐稳态")
    marks = page.locator(f"{OPTION} mark").all_inner_texts()
    assert {"吞吐", "稳态"} <= set(marks)
    assert [one for one in marks if len(one) == 1] == []
