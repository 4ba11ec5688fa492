"""Built sites, and what a test reads off their pages."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

import html5lib

from generator.render.site import build_site
from generator.render.wording.anchors import anchors
from generator.values import Address

RUNS: Final = Path(__file__).parents[2] / "runs"
PUBLISHED: Final = (
    "cpu-cliff", "cpu-engines", "cpu-formats", "cpu-input-sweep", "cpu-llamacpp", "keepalive", "round-1", "round-2",
)  # fmt: skip
"""The rounds that the repository publishes: beside them may lie what somebody collected, as ``make demo`` does."""
SVG: Final = "{http://www.w3.org/2000/svg}"
SCRIPTS: Final[tuple[list[str], ...]] = (
    [], ["pick.js"], ["site.js"], ["site.js", "guide.js"], ["site.js", "home.js"], ["site.js", "side-by-side.js", ""],
    ["site.js", "", "calculator.js"],
)  # fmt: skip
"""What pages load: most of them one script; a calculator brings its data, which no browser runs, and its own."""
IN_FRONT: Final = ("index.html", "mechanism.html", "measurement.html")
"""The front page of a round, and the pages that go on where it ends."""
NOT_TEXT: Final = frozenset({"script", "style"})
INLINE: Final = frozenset({"a", "b", "em", "i", "s", "small", "span", "strong", "sub"})
"""Elements that do not end a word."""

NUMBER_LINK: Final = "how.html#"
"""How a link from a number to its derivation begins."""

NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_.-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![A-Za-z0-9_])")
"""A number in running text; digits of names (Q4_K_M, p50, round-2) are none."""

Json = dict[str, Any]


def build(runs: Path, out: Path, base_url: str | None = None) -> Path:
    """Build a site of which every round must be readable, and return its folder."""
    built = build_site(runs, out, base_url)
    assert built.unreadable == ()
    return out


def published(folder: Path) -> Path:
    """Return the site of the published rounds, built in a folder by whoever comes first; the others wait for it."""
    with (folder / "published.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        site = folder / "published" / "site"
        if not site.is_dir():
            for name in PUBLISHED:
                shutil.copytree(RUNS / name, site.with_name("runs") / name)
            build(site.with_name("runs"), site)
        return site


def ids_of(report: Json) -> dict[str, Json]:
    """Return the values of report.json by their ids on the page of derivations."""
    values = {address_of(value): value for value in report["values"]}
    return {id_: values[address] for address, id_ in anchors(values).items()}


def link_to(site: Path, round_id: str, *what: str | None) -> str:
    """Return the link from a number to its derivation; ``what`` is metric, scope, series and level of its address."""
    values = {address_of(value) for value in report_of(site, round_id)["values"]}
    metric, scope, series, level = (*what, None, None)[:4]
    return NUMBER_LINK + next(
        id_
        for address, id_ in anchors(values).items()
        if (address.metric, address.scope, address.series, address.level, address.basis)
        == (metric, scope, series, level, None)
    )


def address_of(value: Json) -> Address:
    """Return what a value of report.json, or an input of one, is the value of."""
    return Address(value["metric"], value["scope"], value["series"], value["level"], value["basis"], value["trial"])


def report_of(site: Path, round_id: str) -> Json:
    """Return report.json of a round."""
    report: Json = json.loads((site / "data" / round_id / "report.json").read_text(encoding="utf-8"))
    return report


def script_data(path: Path, receiver: str) -> Json:
    """Return what a data script hands to the page."""
    found = re.fullmatch(rf"Rounds\.{receiver}\((.*)\);\n", path.read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"{path} does not call Rounds.{receiver} once"
    data: Json = json.loads(found[1])
    return data


class Tags(HTMLParser):
    """What stands in the opening tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an opening tag, a closed one too."""
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@dataclass(frozen=True)
class Page:
    """A page, parsed by a parser that takes no mistake."""

    path: Path

    @cached_property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> Element:
        parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
        root: Element = parser.parse(self.source)
        return root

    @cached_property
    def tags(self) -> list[tuple[str, dict[str, str]]]:
        """Every element's name and attributes; read tag by tag, in a quarter of the time that the tree takes."""
        tags = Tags()
        tags.feed(self.source)
        tags.close()
        return tags.found

    def named(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of the elements of a kind, without parsing the page."""
        return [attributes for name, attributes in self.tags if name == tag]

    def all(self, tag: str, class_: str | None = None) -> list[Element]:
        """Return the elements of a kind, of those with a class."""
        return [e for e in self.tree.iter(tag) if class_ is None or class_ in e.get("class", "").split()]

    @cached_property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def links(self) -> Iterator[str]:
        """Every address that the page refers to."""
        for _, attributes in self.tags:
            yield from (attributes[name] for name in ("href", "src") if name in attributes)

    @cached_property
    def text(self) -> str:
        return text_of(self.tree)

    @cached_property
    def numbers(self) -> Counter[str]:
        """The numbers of the text, without thousands separators, and how often each is there."""
        return Counter(found.replace(",", "") for found in NUMBER.findall(self.text))

    @cached_property
    def quantities(self) -> list[tuple[str, str]]:
        """The numbers that lead to a derivation: its id, and what is printed."""
        links = [(link.get("href", ""), text_of(link)) for link in self.all("a")]
        return [(href.removeprefix(NUMBER_LINK), text) for href, text in links if href.startswith(NUMBER_LINK)]


def pages(site: Path) -> list[Page]:
    """Return all pages of a site."""
    return [page_at(path) for path in sorted(site.rglob("*.html"))]


def page_at(path: Path) -> Page:
    """Return a page; it is parsed once however many tests look at it."""
    return _page_as_of(path, path.stat().st_mtime_ns)


@cache
def _page_as_of(path: Path, changed: int) -> Page:  # a page written anew is another page
    return Page(path)


def text_of(element: Element) -> str:
    """Return the text that a reader of the page can come to see."""
    return "".join(_texts(element))


def fragment(html: str, within: str = "div") -> Element:
    """Parse a piece of HTML that stands in an element."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root: Element = parser.parseFragment(html, container=within)
    return root


def broken_links(site: Path) -> list[str]:
    """Return the links of a site's pages that lead nowhere, or out of the site."""
    ids = {page.path.resolve(): set(page.ids) for page in pages(site)}
    return [
        f"{page.path.relative_to(site)} -> {link}"
        for page in pages(site)
        for link in page.links
        if not _leads_somewhere(link, page.path.resolve(), site, ids)
    ]


def _leads_somewhere(link: str, page: Path, site: Path, ids: Mapping[Path, set[str]]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return link == "data:,"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return False
    return not parts.fragment or unquote(parts.fragment) in ids[target]


def _texts(element: Element) -> Iterator[str]:
    if not _is_element(element) or element.tag in NOT_TEXT:
        return
    edge = "" if element.tag in INLINE else "\n"
    yield edge + (element.text or "")
    for child in element:
        yield from _texts(child)
        yield child.tail or ""
    yield edge


def _is_element(node: Element) -> bool:
    """Tell elements from comments, whose tag is the function that made them."""
    return not callable(node.tag)
