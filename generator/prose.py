"""An author's prose: text that quotes data through references and types no digits of its own.

References stand in double braces and name what they quote:

    {{ value("itl_p50", series="vllm-bf16", level="c64") }}      a number with its unit
    {{ value("crossover_concurrency", series="b", decimals=1) }}  rounded otherwise than usual
    {{ level("c32", series="llamacpp-q4_k_m") }}                  the name of a level
    {{ series("vllm-bf16") }}                                     the name of a series
    {{ typed("28 layers") }}                                      digits or number words meant as they stand
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.errors import quote
from generator.text import Lang

REFERENCE: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
CODE: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINK_TARGET: Final = re.compile(r"\]\([^)\s]*\)")
DIGITS: Final = re.compile(r"[0-9\uff10-\uff19]+")
TERMS: Final = re.compile(
    r"\b(?:p50|p90|p95|p99|BF16|FP16|FP8|INT8|INT4|Q[0-9]_[A-Z0-9_]+|UTF-8|[0-9]+/C|1 ?Hz|T[123])\b"
)
"""Terms of art that hold a digit and count nothing here."""
NUMBER_WORDS: Final[Mapping[Lang, re.Pattern[str]]] = {
    "en": re.compile(
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundreds?|thousands?|millions?|half|"
        r"halves|twice|thrice|double[sd]?|triple[sd]?|quarters?|thirds?|tenfold|percent|per cent)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[二两三四五六七八九十百千万亿]+(?=[个条倍次档成分轮种项点张台份秒批波者方]|分之)|一半|半数|翻倍|翻番|减半|加倍|百分之"
    ),
}
"""Words that count. "one" and 一 are left out: they are articles as often as numbers."""

FUNCTIONS: Final[Mapping[str, frozenset[str]]] = {
    "value": frozenset({"series", "level", "basis", "decimals", "unit", "style"}),
    "level": frozenset({"series"}),
    "series": frozenset(),
    "typed": frozenset(),
}
"""What may be called, and the keywords that each takes besides its one text."""


class ProseError(ValueError):
    """A text that cannot be printed: where (line) and why."""

    def __init__(self, line: int, problem: str, remedy: str) -> None:
        """Keep the parts for the line that the user is shown."""
        super().__init__(problem)
        self.line, self.problem, self.remedy = line, problem, remedy


@dataclass(frozen=True, slots=True)
class Reference:
    """One quote: the function, its text, its keywords, and the line that it stands on."""

    function: str
    name: str
    keywords: Mapping[str, str | int]
    line: int

    @property
    def place(self) -> tuple[str | None, str | None, str | None]:
        """Return series, level and basis, as far as they are named."""
        series, level, basis = (self.keywords.get(key) for key in ("series", "level", "basis"))
        return _text(series), _text(level), _text(basis)

    @property
    def source(self) -> str:
        """Return the quote as it is written, without its braces."""
        keywords = "".join(f", {name}={value!r}" for name, value in self.keywords.items())
        return f"{self.function}({self.name!r}{keywords})"


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Prose:
    """A text in one language and its references, in order; ``source`` has a private sign for each of them."""

    section: str
    lang: Lang
    source: str
    references: tuple[Reference, ...]


SIGN: Final = "\ue000"
"""Stands for a reference while Markdown is rendered: a private-use character that no author types."""


def parse_prose(text: str, section: str, lang: Lang) -> Prose:
    """Read a text.

    Raises:
        ProseError: a reference is not of the form above, or something is counted without a reference.
    """
    if SIGN in text:
        raise ProseError(1, "a private-use character", "remove it")
    references = tuple(_reference(found, _line(text, found.start())) for found in REFERENCE.finditer(text))
    source = REFERENCE.sub(SIGN, text)
    _refuse_braces(source)
    slip = next(slips(source, lang), None)
    if slip is not None:
        line, word = slip
        raise ProseError(
            line, f"{quote(word)} is typed", 'quote the number with {{ value(…) }}, or mark it {{ typed("…") }}'
        )
    return Prose(section, lang, source, references)


def slips(source: str, lang: Lang) -> Iterator[tuple[int, str]]:
    """Return the digits and number words that stand in a text, with their lines; code and links are left out."""
    bare = source
    for pattern in (CODE, LINK_TARGET, TERMS):
        bare = pattern.sub(lambda found: "\n" * found[0].count("\n"), bare)
    found = [*DIGITS.finditer(_without_list_numbers(bare)), *NUMBER_WORDS[lang].finditer(bare)]
    for match in sorted(found, key=lambda one: one.start()):
        yield _line(bare, match.start()), match[0]


def _without_list_numbers(text: str) -> str:
    return re.sub(r"(?m)^(\s*)([0-9]+)(?=\. )", lambda found: found[1] + " " * len(found[2]), text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _refuse_braces(source: str) -> None:
    for sign in ("{{", "}}"):
        if sign in source:
            raise ProseError(_line(source, source.index(sign)), f"a lone {sign}", "close the reference on both sides")


def _reference(found: re.Match[str], line: int) -> Reference:
    call = _call(found[1].strip(), line)
    function = call.func.id if isinstance(call.func, ast.Name) else ""
    if function not in FUNCTIONS:
        raise ProseError(line, f"{quote(found[0])} calls nothing known", f"use one of {', '.join(sorted(FUNCTIONS))}")
    keywords = {keyword.arg or "**": _literal(keyword.value, line) for keyword in call.keywords}
    strange = set(keywords) - FUNCTIONS[function]
    if strange or len(call.args) != 1:
        known = ", ".join(sorted(FUNCTIONS[function])) or "none"
        raise ProseError(
            line, f"{quote(found[0])} is not understood", f"{function} takes one text and of keywords: {known}"
        )
    return Reference(function, str(_literal(call.args[0], line)), keywords, line)


def _call(source: str, line: int) -> ast.Call:
    try:
        tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Call):
        raise ProseError(
            line, f"{quote(source)} is not a reference", 'write {{ value("itl_p50", series="…", level="…") }}'
        )
    return tree


def _literal(node: ast.expr, line: int) -> str | int:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int) and not isinstance(node.value, bool):
        return node.value
    raise ProseError(line, "a reference takes texts and whole numbers only", "write them out")
