"""An author's prose: Markdown that quotes data through references and types no numbers of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from generator.errors import quote
from generator.text import Lang
from generator.told.references import CLOSE, SIGN, ProseError, Reference, split

LONGEST: Final = 2**20
"""Characters of the longest text that is read."""
ELSEWHERE: Final = "\0"
"""Stands for what is no running text, such as code: no author can type it, Markdown has none."""
BREAKS: Final = frozenset({"softbreak", "hardbreak"})
NOT_KEPT: Final = re.compile(rf"[^{SIGN}\n]+")

TOUCHING: Final = "A-Za-z0-9_"
TERMS: Final = re.compile(
    rf"(?<![{TOUCHING}])(?:p50|p90|p95|p99|BF16|FP16|FP8|INT8|INT4|Q[0-9]_[A-Z0-9_]{{1,12}}|UTF-8|1/C|1 ?Hz|T[123])"
    rf"(?![{TOUCHING}])"
)
"""Terms of art that hold a digit and count nothing here."""
DIGITS: Final = (
    r"[\d\xb2\xb3\xb9\xbc-\xbe\u2070\u2074-\u2079\u2080-\u2089\u2150-\u218b\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]+"
)
"""Digits of every script, superscripts, fractions, Roman and circled numerals."""
CARDINALS: Final = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    "nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|hundred|thousand|million|billion|trillion"
)
MEASURES: Final = "个条件倍次档成轮种项点张台份秒天年批波步组层者方"
NUMBERS: Final[Mapping[Lang, re.Pattern[str]]] = {
    "en": re.compile(
        rf"{DIGITS}|\b(?:(?:{CARDINALS})(?:s|fold)?|(?:thir|four|fif|six|seven|eigh|nin|ten)(?:d|th)s?|half|"
        r"halv(?:es?|ed|ing)|twice|thrice|(?:doubl|tripl|quadrupl)(?:e[sd]?|ing)|quarters?|percent|per\scent)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        rf"{DIGITS}|[二两三四五六七八九十百千万亿]{{1,20}}(?=\s?[{MEASURES}]|分之)|一半|半数|减半|一倍|加倍|翻了?一?[倍番]"
    ),
}
"""What counts as a number. "one" and 一 are left out: they are articles as often as numbers."""

OWN_HEADINGS: Final = frozenset({"h1", "h2"})
"""Ranks that the headings of the page itself have."""
INVISIBLE: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Characters that show nothing and turn, join or hide those around them: what one reads is not what is there."""
SCHEME: Final = re.compile(r"([^/?#:]*):")
SCHEMES: Final = frozenset({"http", "https", "mailto"})
"""What a link may lead to, besides its neighbours on the site."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text in one language and its references, in order; ``source`` has a private sign for each of them."""

    section: str
    lang: Lang
    source: str
    references: tuple[Reference, ...]


def parse_prose(text: str, section: str, lang: Lang) -> Prose:
    """Read a text.

    Raises:
        ProseError: a reference is malformed or stands where nothing can be printed, a number is typed without one,
            or there is an image, a heading of the page's own rank or a link that does not lead to a page.
    """
    if len(text) > LONGEST:
        raise ProseError(1, f"longer than {LONGEST} characters", "cut it")
    if SIGN in text:
        raise ProseError(1 + text.count("\n", 0, text.index(SIGN)), "a private-use character", "remove it")
    _refuse_invisible(1, text)
    source, references = split(text)
    signs = Counter(one.line for one in references)
    for block in _parser().parse(source):
        for line, run in _runs(block):
            _refuse_invisible(line, run)  # once more: an entity may have stood for one
            _refuse_numbers(line, run, lang)
            signs.subtract({line + at: part.count(SIGN) for at, part in enumerate(run.split("\n"))})
    if signs.total() != 0:
        line = min(line for line, left in signs.items() if left != 0)
        raise ProseError(line, "a reference stands where nothing can be printed", "move it into the text")
    return Prose(section, lang, source, references)


@cache
def _parser() -> MarkdownIt:
    """Return a parser that tells text from code and links as the page's own does."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _runs(block: Token) -> Iterator[tuple[int, str]]:
    """Yield what a reader is shown of a block, with its first line: of code, nothing but the references in it."""
    line = block.map[0] + 1 if block.map else 1
    if block.type == "heading_open" and block.tag in OWN_HEADINGS:
        raise ProseError(line, f"a heading of rank {block.tag[1]}", "begin it with ###")
    if block.type == "ordered_list_open" and "start" in block.attrs:
        yield line, str(block.attrs["start"])
    if block.type in ("fence", "code_block"):
        yield line + (block.type == "fence"), _signs_of(block.content)
    if block.type == "inline":
        _refuse_braces(line, block)
        yield line, "".join(_texts(block.children or [], line))
        yield from ((line, str(c.attrs["title"]).replace(SIGN, "")) for c in block.children or [] if "title" in c.attrs)


def _texts(children: list[Token], line: int) -> Iterator[str]:
    for child in _outside_autolinks(children):
        yield _text(child, line)
        line += child.type in BREAKS


def _text(child: Token, line: int) -> str:
    """Return what is shown of a part of a block; marks of emphasis show nothing."""
    if child.type in BREAKS:
        return "\n"
    if child.type == "code_inline":
        return _signs_of(child.content)
    if child.type == "image":
        raise ProseError(line, "an image", "leave it out: a page loads nothing from elsewhere")
    if child.type == "link_open":
        _refuse_target(str(child.attrs["href"]), line)
    return TERMS.sub(ELSEWHERE, child.content)


def _outside_autolinks(children: list[Token]) -> Iterator[Token]:
    """Leave out the text of ``<https://…>``, which is an address."""
    inside = False
    for child in children:
        if child.markup == "autolink":
            inside = child.type == "link_open"
            yield child
        elif not inside:
            yield child


def _signs_of(code: str) -> str:
    return NOT_KEPT.sub(ELSEWHERE, code)


def _refuse_invisible(line: int, run: str) -> None:
    found = INVISIBLE.search(run)
    if found is not None:
        line += run.count("\n", 0, found.start())
        raise ProseError(line, f"an invisible character {quote(found[0])}", "remove it")


MARKS: Final = re.compile(r"[*_]+")


def _refuse_numbers(line: int, run: str, lang: Lang) -> None:
    # Beside Han characters the page takes marks for emphasis that CommonMark leaves standing (render.markdown).
    found = NUMBERS[lang].search(run) or NUMBERS[lang].search(MARKS.sub("", run))
    if found is not None:
        remedy = 'quote the number with {{ value(…) }}, or mark it {{ typed("…") }}'
        raise ProseError(line + run.count("\n", 0, found.start()), f"{quote(found[0])} is typed", remedy)


def _refuse_braces(line: int, block: Token) -> None:
    in_code = sum(child.content.count(CLOSE) for child in block.children or [] if child.type == "code_inline")
    if block.content.count(CLOSE) > in_code:
        at = block.content.count("\n", 0, block.content.index(CLOSE))
        raise ProseError(line + at, f"a lone {CLOSE}", r"open the reference with {{, or write \}\}")


def _refuse_target(target: str, line: int) -> None:
    if target.startswith("//"):
        raise ProseError(line, f"a link to {quote(target)}", "write https: before it")
    scheme = SCHEME.match(target)
    if scheme is not None and scheme[1].lower() not in SCHEMES:
        raise ProseError(line, f"a link to {quote(target)}", "link to http, https or mailto, or within the site")
