"""Questions lead to the place that answers them: loads, definitions, and what engineers ask in their own words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.searching import OPTION, ask, ask_again, way_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COMPARABLE: Final = "diff/round-1...round-2/index.html"
"""The one comparison whose rounds can be compared, as far as they can."""
NEWEST_CITE: Final = "rounds/cpu-input-sweep/index.html#cite"


@pytest.mark.parametrize(
    ("language", "typed", "first"),
    [
        ("en", "p99 few requests", "Sample size behind tail percentiles"),
        ("en", "p99 sample size", "Sample size behind tail percentiles"),
        ("en", "why prefix caching", "rompt cach"),
        ("zh", "p99 样本量", "尾部分位数的样本量"),
        ("zh", "为什么 吞吐塌陷", "异常"),
        ("zh", "差距从哪里来", "时间花在哪里"),
    ],
)
def test_a_question_is_found_by_what_it_is_about(
    site: Path, open_page: OpenPage, language: str, typed: str, first: str
) -> None:
    found = ask(open_page(address(site, f"{language}/index.html")).page, typed)
    assert first in found.first.locator(".what").inner_text()


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


def test_a_line_of_the_guide_is_whole_with_its_advice(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "round-2 C=12")
    advice, end = {
        "zh": ("先补测再选", "TTFT p99 谁领先，两侧的档位分不出。"),
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


def test_a_load_that_a_round_measured_is_one_of_all_that_tells_of_its_levels(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "TTFT p50 C=16 round-2")
    assert way_of(found.first, lang) == "rounds/round-2/concurrency-curve.html#fig-ttft_by_load"
    assert {"zh": "没有一处", "en": "No place"}[lang] not in page.locator(".finder [role=status]").inner_text()


CERTAINTY: Final = "glossary.html#term-certainty"
NUMBERS: Final = "reading.html#numbers"
SLOPPY: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    # a level that is left out: the term, with a round its anomaly, whatever else is said
    EXCLUDED: {
        "en": ("which levels dont count", "which levels don\u2019t count", "excluded level", "skipped level",
               "ignored level", "level that failed its check", "why was one level thrown out"),
        "zh": ("异常点", "被排除的那一档", "哪一档没过自检", "为什么有一档作废", "哪档不要了", "那一档作废了"),
    },
    ANOMALY: {
        "en": ("why was one level thrown out in round 2", "round 2 missing concurrency level conclusions",
               "why is a level of round 2 not used", "level 32 thrown out", "why exclude c=32", "dips in throughput",
               "llama.cpp dip"),
        "zh": ("第二轮 哪一档没过自检", "round-2 为什么有一档作废", "吞吐塌陷"),
    },
    # what changed between rounds; two that are named are compared without a word of it
    COMPARABLE: {
        "en": ("round 1 to round 2 differences in setup", "is round 2 faster than round 1", "old vs new", "changelog",
               "did the engine get slower", "vllm version upgraded?", "what differs between first look and whole curve",
               "regression between round 1 and round 2", "r1 r2", "R1 vs R2"),
        "zh": ("两轮差在哪", "改了啥", "前后两次有何不同", "R1 R2 对比", "R1 和 R2", "复测和初探有什么不同",
               "变慢了吗", "初探跟复测差别", "引擎版本升级了吗", "第二轮比第一轮快吗", "能怪引擎吗"),
    },
    "guide.html": {
        "en": ("which is faster", "vllm or llama.cpp faster", "is vllm faster than llama.cpp", "medium load",
               "moderate concurrency"),
        "zh": ("两个引擎哪个快", "llama.cpp 比 vLLM 快吗", "中等并发", "中等负载"),
    },
    # where something comes from: what is named, else how to trace any number
    "glossary.html#memory_bandwidth": {
        "en": ("where does memory bandwidth come from", "source of memory bandwidth"),
        "zh": ("显存带宽从哪来",),
    },
    FLOOR: {"en": ("inputs of the floor",), "zh": ("下限的来源",)},
    "glossary.html#weight_bytes_per_step": {"en": (), "zh": ("权重字节 从哪读的",)},
    "glossary.html#wall_bandwidth": {"en": (), "zh": ("带宽是测的还是抄的",)},
    NUMBERS: {
        "en": ("source of the inputs", "provenance of a number", "where do the numbers come from", "7,070,619,136",
               "how did you compute 14.09", "where does 14.09 ms come from", "why 63 MiB", "1008 GB/s"),
        "zh": ("数字从哪来", "输入的来源", "14.09 ms 怎么算的", "14.09 从哪来", "为什么是 63 MiB"),
    },
    CERTAINTY: {
        "en": ("how certain is the recommendation", "how sure", "trust the crossover"),
        "zh": ("结论靠谱吗", "结论能信吗", "交叉点有多准", "推荐有多靠谱"),
    },
    "rounds/round-2/guide.html#guide_verdict": {"en": ("how sure is round 2",), "zh": ("round-2 结论靠谱吗",)},
}  # fmt: skip


@pytest.mark.parametrize("way", SLOPPY)
def test_what_is_asked_sloppily_leads_to_the_place_first(site: Path, open_page: OpenPage, lang: str, way: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "v")
    for query in SLOPPY[way][lang]:
        ask_again(page, query)
        assert way_of(found.first, lang) == way, query


def test_a_question_with_words_that_stand_nowhere_leads_to_its_place_and_is_said_to_lack_them(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    query = {"zh": "qqzz 为什么有一档作废", "en": "why was a qqzz level thrown out"}[lang]
    assert way_of(ask(page, query).first, lang) == EXCLUDED
    assert {"zh": "没有一处", "en": "No place"}[lang] in page.locator(".finder [role=status]").inner_text()
    ask_again(page, f"{query} round-2")
    assert way_of(page.locator(OPTION).first, lang) == ANOMALY


def test_r2_alone_is_how_well_a_line_fits(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    assert way_of(ask(page, "r²").first, lang).endswith("_r2")
    ask_again(page, "R1")
    assert way_of(page.locator(OPTION).first, lang) == "rounds/round-1/index.html"
