"""How large the search of a hundred rounds is, and how soon it answers in Chromium: ``make bench``.

The rounds are the published ones over and over, under other ids. What only one of them says counts anew each time, as
the numbers of another round would.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from generator.render.files.printed import PRINTED
from generator.render.front.search import index_script
from generator.render.search.joined import Printed
from generator.render.search.outline import Place
from generator.render.search.parts import Page, Part, part_file, read_part, site_part
from generator.render.site import build_site
from generator.text import LANGS, Lang
from tests.support.browsing import CHROMIUM_ARGS, address
from tests.support.sites import RUNS

ROUNDS: Final = 100
MOST_BYTES: Final = 1_000_000
MOST_MS: Final = 50
TURNS: Final = 5
"""Each query is put so often, and its best time counts: what else runs on the machine is not of the search."""
QUERIES: Final[dict[Lang, str]] = {
    "en": "t, th, throughput, ttft, ttft p99, ttft_p99, Q4_K_M, llama.cpp, vllm, vllm ttft, C=32, c, crossover, floor, "
    "kv pool, cold start, prefill, rtx 4090, qwen, round-57, excluded, memory wall, goodput, p, coordinated omission, "
    "verdict, cost per million tokens, cache-ram, weights, p99 few requests, decode floor formula, concurrency 12, "
    "which engine at concurrency 3, C=16, how is MBU computed, goodput banana, nowhere, "
    "is llama.cpp or vllm better at 12 concurrent requests on a gpu, driver changed round-2, throughput on a gpu, "
    "theoretical minimum step time, 14.09 ms, banana latency throughput of the server, "
    "llamacpp 10-15 users, why was a banana level thrown out, where does peak compute come from",
    "zh": "吞, 吞吐, vLLM 吞吐, vLLM吞吐, 交叉, 下限, 显存, 冷启动, 首个 token, 步长, ttft_p99, Q4_K_M, C=32, 自检, "
    "排队, 选型, 成本, 并发, c, llama.cpp 显存, 计算图复用, 尾部分位数, 槽位, 停顿, 权重, round-57, 定义, 结论, "
    "p99 时延, 下限 公式, 解码下限 公式, 并发 12, 并发 3 选谁, C=16, 抢占次数 公式, 无此词, "
    "显卡上 12 并发 用 llama.cpp 还是 vLLM, 驱动 变了 round-2, 显卡 吞吐, 理论最小 单步时间, 14.09 ms, "
    "香蕉 时延 吞吐 服务端, 十二个用户 llamacpp, 香蕉 那一档作废了, 复测和初探有什么不同, 权重字节 从哪读的",
}
ANSWER: Final = """(query) => {
  const field = document.querySelector("[role=combobox]");
  field.value = query;
  const start = performance.now();
  field.dispatchEvent(new InputEvent("input"));
  document.querySelector("#found").getBoundingClientRect();
  return [performance.now() - start, document.querySelectorAll("[role=option]").length];
}"""
"""From an input event to its results, laid out."""
FIRST: Final = """async (query) => {
  const start = performance.now();
  document.querySelector("a.find").click();
  while (!document.querySelector("[role=option]")) {
    await new Promise((done) => setTimeout(done, 1));
    const field = document.querySelector("[role=combobox]");
    if (field) field.value = query;
  }
  return performance.now() - start;
}"""
"""From the click on the link to a first result: the script, the index and the folding of its texts included."""


@dataclass(frozen=True)
class Answers:
    """Milliseconds until the index was there, and of each query; how many queries found something."""

    first: float
    times: Sequence[float]
    found: int


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "site"
        build_site(RUNS, site)
        named = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=named, args=CHROMIUM_ARGS)
        return max(report(browser, site, lang) for lang in LANGS)


def report(browser: Browser, site: Path, lang: Lang) -> int:
    """Put the index of many rounds into a site, print its size and how soon it answers; fail beyond either bound."""
    size = enlarge(site, lang)
    answers = asked(browser, site, lang)
    median, worst = statistics.median(answers.times), max(answers.times)
    print(f"search {lang}: {ROUNDS} rounds, {size:,} B of at most {MOST_BYTES:,}, opened in {answers.first:.0f} ms")
    print(
        f"{len(answers.times)} queries, {answers.found} found: median {median:.1f} ms, worst {worst:.1f} of {MOST_MS}"
    )
    return 0 if size <= MOST_BYTES and worst <= MOST_MS else 1


def asked(browser: Browser, site: Path, lang: Lang) -> Answers:
    """Put all queries on a page of a site."""
    page, queries = browser.new_page(), QUERIES[lang].split(", ")
    page.goto(address(site, f"{lang}/rounds/round-2/index.html"))
    first: float = page.evaluate(FIRST, queries[1])
    answers = [[page.evaluate(ANSWER, query) for _ in range(TURNS)] for query in queries]
    return Answers(
        first, [min(time for time, _ in turns) for turns in answers], sum(turns[0][1] > 0 for turns in answers)
    )


def enlarge(site: Path, lang: Lang) -> int:
    """Write the index as it would be with many rounds, and return its bytes."""
    rounds, pairs = parts_of(site, lang, ""), parts_of(site, lang, "diff/")
    own = {f"{lang}/{path.name}": path.read_bytes() for path in sorted((site / lang).glob("*.html"))}
    parts = [*many(rounds, ROUNDS), *many(pairs, 2 * (ROUNDS - 1)), site_part(lang, own)]
    text = index_script(lang, parts, printed_of(site, rounds))
    (site / lang / "search.js").write_text(text, encoding="utf-8")
    return len(text.encode())


def printed_of(site: Path, rounds: Sequence[Part]) -> dict[str, Printed]:
    """Return where so many rounds print their metrics, each as the one that it is a copy of."""
    known = [json.loads((site / "data" / one.name / PRINTED).read_bytes()) for one in rounds]
    return {part.name: known[at % len(known)] for at, part in enumerate(many(rounds, ROUNDS))}


def parts_of(site: Path, lang: Lang, above: str) -> list[Part]:
    """Return the parts of all rounds of a site, or of all pairs."""
    names = sorted(one.name for one in (site / lang / (above or "rounds")).iterdir())
    return [read_part((site / part_file(above + name, lang)).read_bytes()) for name in names]


def many(parts: Sequence[Part], number: int) -> Iterator[Part]:
    """Yield so many copies of parts: each says something of its own wherever one part alone says it."""
    said_by = Counter(text for part in parts for text in texts(part))
    for at in range(number):
        part = parts[at % len(parts)]
        yield altered(part, at, {text for text in texts(part) if said_by[text] == 1})


def texts(part: Part) -> set[str]:
    """Return all that a part says, each once."""
    places = (place for page in part.pages for place in page.places)
    return {part.title, part.about, *(text for one in places for text in (one.heading, one.text, one.names))}


def altered(part: Part, number: int, own: set[str]) -> Part:
    """Return a part whose own texts end in another number."""

    def new(text: str) -> str:
        return f"{text[:-3]}{number:03}" if text in own and text else text

    def place_of(one: Place) -> Place:
        return replace(one, heading=new(one.heading), text=new(one.text), names=new(one.names))

    pages = tuple(Page(page.path, tuple(map(place_of, page.places))) for page in part.pages)
    name = re.sub(r"\d+|$", str(number), part.name, count=1)
    return replace(part, name=name, title=new(part.title), about=f"{name} · {part.about}", pages=pages)


if __name__ == "__main__":
    sys.exit(main())
