"""The search of the site: its index in each language, its page, and for those without scripts a list of all pages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from typing import Final

from generator.render.files.drawn import script
from generator.render.front.gathered import Files, Gathered, Whole, in_each_language
from generator.render.kept.keeping import Kept
from generator.render.page import Location, render
from generator.render.search.joined import Printed, joined
from generator.render.search.leads import LEADS, TRACING, Lead
from generator.render.search.outline import Place, outline
from generator.render.search.parts import Page, Part, part_file, read_part, site_part
from generator.render.search.synonyms import DEVICES, SYNONYMS
from generator.render.views.printed_in import read_printed
from generator.store.names import pair_name
from generator.text import Lang, Text

WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="搜索", en="Search"),
    "lead": Text(
        zh="在各轮报告的小节、图、表，以及自检、术语与对比里查找，不必联网。中文匹配任意片段，英文从词首匹配；几个词用空格"
        "隔开，次序不限，须全部出现（一处也没有时，列出含其中一部分的）；"
        "说法不同而意思相同的词（如 latency 与时延）也找，排在后面。写一个负载（如“并发 12”），先列各轮指南对它怎么说；"
        "在指标名后加“公式”，先列它的定义。"
        "写上 GPU 或 CPU，在这类设备上测的轮次排在前面。表里的数（如 14.09 ms）不在索引里，请查它的指标与档位。",
        en="Finds sections, figures and tables of all rounds, checks, terms and comparisons, without a network. A "
        "Chinese term matches anywhere, a Latin one at the beginning of a word; all terms must be there, in any order; "
        "where no place has all of them, those with some are listed. "
        "Other words for the same (delay for latency) are found too, and listed behind. A load (concurrency 12) leads "
        "first to what the guides say of it, the name of a metric with “formula” to its definition. "
        "Add GPU or CPU to have the rounds first that ran on one. "
        "Numbers in tables (14.09 ms) are not indexed: look for the metric and level.",
    ),
    "keys": Text(
        zh="在任何页面上按 / 开始搜索；用 ↑ 与 ↓ 选择，Enter 前往，Esc 关闭。",
        en="Press / on any page to search; ↑ and ↓ choose, Enter goes there, Esc closes.",
    ),
    "needs_script": Text(zh="搜索要在支持脚本的浏览器里进行。", en="The search needs a browser that runs scripts."),
    "contents": Text(zh="全部页面与小节", en="All pages and sections"),
    "contents_lead": Text(zh="本站的每一页，以及页上的小节。", en="Every page of this site, and the sections on it."),
    "of_site": Text(zh="全站", en="The whole site"),
    "comparisons": Text(zh="轮次之间的对比", en="Comparisons of rounds"),
    "found": Text(zh="找到 {n} 处", en="{n} found"),
    "more": Text(
        zh="找到 {n} 处，列出最相关的 {m} 处；再加一个词，可以缩小范围",
        en="{n} found; the {m} that fit best are listed. Add a word to narrow the results",
    ),
    "nothing": Text(zh="没有同时包含这些词的结果", en="Nothing contains all of these words"),
    "part": Text(
        zh="没有一处包含全部这些词；列出 {m} 处，各含其中一部分，含得多的在前",
        en="No place contains all of these words; the {m} listed contain some of them, those with more first",
    ),
    "number": Text(
        zh="这个数不在索引里。页面上的数点一下，就看得到它的公式、输入与出处；要找一个数在哪里，请搜它的指标与档位"
        "（如“TTFT p50 C=8”），或者下载那一轮的 values.csv 来查（在页脚）",
        en="No number like this is indexed. Any number on a page, when clicked, shows its formula, inputs and source. "
        "To find where one stands, search for its metric and level (TTFT p50 C=8), or look into the values.csv of its "
        "round, which can be downloaded at the foot of the page",
    ),
    "same": Text(zh="展开另外 {n} 轮里措辞相同的：", en="show the same words in {n} more {n:round|rounds}:"),
    "choose": Text(zh="↑ ↓ 选择，Enter 前往", en="↑ ↓ choose, Enter goes there"),
    "figure": Text(zh="图", en="Figure"),
    "table": Text(zh="表", en="Table"),
}
PLACES: Final = "places.json"
"""What the places of a page are called where they are kept."""
SAID_BY_SCRIPT: Final = ("found", "more", "nothing", "part", "number", "same", "choose", "figure", "table")


@dataclass(frozen=True, slots=True)
class Listed:
    """A page in the list of all pages, and its sections: their ways from there, and their headings."""

    way: str
    title: str
    sections: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that tell of one thing; ``name`` is the id of the round, ``key`` the anchor."""

    key: str
    title: str
    name: str
    pages: tuple[Listed, ...]


def files(gathered: Gathered, made: Whole) -> Files:
    """Return the index, the page of the search and the list of all pages in each language; ``made`` is all else."""
    found = Files()
    told = read_printed([one.round.id for one in gathered.analyses], made)
    for where in in_each_language("search.html"):
        words = {key: text[where.lang] for key, text in WORDS.items()}
        parts = list(_parts(gathered, made, where.lang))
        listed = Location(where.lang, "contents.html")
        found[f"{where.lang}/search.js"] = index_script(where.lang, parts, told)
        found[where.in_language(where.lang)] = render(gathered.site, "search.html", where, words=words)
        found[listed.in_language(where.lang)] = render(
            gathered.site, "contents.html", listed, words=words, groups=list(_groups(parts, words))
        )
    return found


def index_script(lang: Lang, parts: Sequence[Part], told: Mapping[str, Printed]) -> str:
    """Return the index in one language: what its script says, words of one meaning, leads and places."""
    said = {key: WORDS[key][lang] for key in SAID_BY_SCRIPT}
    asking = {"synonyms": SYNONYMS, "devices": _devices(), "leads": [*map(_led, LEADS)], "numbers": TRACING}
    return script("index", {"words": said, **asking, **joined(parts, told)})


def _devices() -> list[tuple[str, str]]:
    """Return each word for a kind of device with that kind: the longest first, which hold the shorter ones."""
    words = [(word.lower(), device) for device, names in DEVICES.items() for word in names]
    return sorted(words, key=lambda one: -len(one[0]))


def _led(lead: Lead) -> dict[str, object]:
    """Return a lead as the script reads it: the longest words first, which hold the shorter ones."""
    asks, besides = (sorted(words, key=len, reverse=True) for words in (lead.asks, lead.besides))
    only = {"ofOne": lead.of_one, "ofTwo": lead.of_two, "ofAll": lead.of_all}
    return {"to": lead.to, "asks": asks, "besides": besides, **only}


def _parts(gathered: Gathered, made: Whole, lang: Lang) -> Iterator[Part]:
    """Yield all parts in the order in which places come that fit alike: the newest rounds first."""
    rounds = [one.round.id for one in gathered.analyses]
    pairs = [(gathered.against[head].base.round.id, head) for head in rounds if head in gathered.against]
    folders = [*rounds, *(f"diff/{pair_name(*way)}" for pair in pairs for way in (pair, pair[::-1]))]
    yield from (read_part(made[part_file(folder, lang)]) for folder in folders)
    yield site_part(lang, made, partial(_outlined, gathered))


def _outlined(gathered: Gathered, html: str) -> list[Place]:
    """Return the places of a page of the site, kept by its text: most changes alter only the hash of all data on it."""
    sha256 = gathered.site.data_sha256
    text = html.replace(sha256, "").replace(sha256[:12], "")  # as the foot prints it, too
    kept = Kept({"page": hashlib.sha256(text.encode()).hexdigest()}, (PLACES,))
    found = gathered.keeper.files(kept, lambda: {PLACES: json.dumps([*map(astuple, outline(text))]).encode()})
    return [Place(*row) for row in json.loads(found[PLACES])]


def _groups(parts: list[Part], words: Mapping[str, str]) -> Iterator[Group]:
    own = [part for part in parts if not part.folder]
    pairs = [part for part in parts if part.folder.startswith("diff/")]
    yield from (Group("of-site", words["of_site"], "", _listed(part)) for part in own)
    for part in parts:
        if part not in own and part not in pairs:
            yield Group(f"of-{part.name}", part.title, part.name, _listed(part))
    if pairs:
        yield Group("comparisons", words["comparisons"], "", tuple(one for part in pairs for one in _listed(part)))


def _listed(part: Part) -> tuple[Listed, ...]:
    return tuple(_page(part.folder + page.path, page) for page in part.pages)


def _page(way: str, page: Page) -> Listed:
    first, *others = page.places
    sections = tuple((f"{way}#{place.anchor}", place.heading) for place in others if not place.kind)
    return Listed(way, first.heading, sections)
