"""References in an author's text: calls in double braces that name the datum they quote.

{{ value("itl_p50", series="vllm-bf16", level="c64") }}       a number with its unit
{{ value("crossover_concurrency", series="b", decimals=1) }}  the same, rounded otherwise than usual
{{ level("c32", series="llamacpp-q4_k_m") }}                  the name of a level
{{ series("vllm-bf16") }}                                     the name of a series
{{ typed("28 layers") }}                                      digits or number words meant as they stand
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

from generator.errors import nearest, quote
from generator.told.sentence import Style
from generator.units import FACTORS

SIGN: Final = "\ue000"
"""Stands for a reference while Markdown is parsed: a private-use character that no author types."""
OPEN, CLOSE = "{{", "}}"

QUOTED: Final = r'"[^"]{1,200}"'
KEYWORD: Final = rf",\s*[a-z]+\s*=\s*(?:{QUOTED}|[0-9]{{1,9}})\s*"
CALL: Final = re.compile(rf"\s*([a-z]+)\(\s*({QUOTED})\s*((?:{KEYWORD})*)\)\s*")
ASSIGNMENT: Final = re.compile(rf"([a-z]+)\s*=\s*({QUOTED}|[0-9]+)")
FUNCTIONS: Final[Mapping[str, frozenset[str]]] = {
    "value": frozenset({"series", "level", "basis", "decimals", "unit", "style"}),
    "level": frozenset({"series"}),
    "series": frozenset(),
    "typed": frozenset(),
}
"""What may be called, and the keywords that each takes besides its one text."""
STYLES: Final[Mapping[str, Style]] = {style: style for style in get_args(Style)}
MOST_DECIMALS: Final = 9


class ProseError(ValueError):
    """A text that cannot be printed: where (line) and why."""

    def __init__(self, line: int, problem: str, remedy: str) -> None:
        """Keep the parts for the line that the user is shown."""
        super().__init__(problem)
        self.line, self.problem, self.remedy = line, problem, remedy


@dataclass(frozen=True, slots=True)
class Reference:
    """One quote: the function, its text and keywords, how it is written, and the line that it stands on."""

    function: str
    name: str
    keywords: Mapping[str, str | int]
    written: str
    line: int

    def text(self, keyword: str) -> str | None:
        """Return the text of a keyword; None where it is not given."""
        found = self.keywords.get(keyword)
        return found if isinstance(found, str) else None

    @property
    def decimals(self) -> int | None:
        """Return how many decimals are asked for; None for as many as usual."""
        found = self.keywords.get("decimals")
        return found if isinstance(found, int) else None

    @property
    def style(self) -> Style | None:
        """Return the style asked for; None for the metric's own."""
        return STYLES.get(self.text("style") or "")


def split(text: str) -> tuple[str, tuple[Reference, ...]]:
    """Return a text with a private sign for each of its references, and the references in order.

    Raises:
        ProseError: a reference is not of the form above, or does not end on the line that it begins on.
    """
    pieces: list[str] = []
    references: list[Reference] = []
    at, line = 0, 1
    while (start := text.find(OPEN, at)) != -1:
        line += text.count("\n", at, start)
        end = text.find(CLOSE, start)
        if end == -1 or text.find("\n", start, end) != -1:
            raise ProseError(line, f"{OPEN} is not closed on its line", f"close it with {CLOSE}")
        references.append(_reference(text[start + len(OPEN) : end], line))
        pieces.append(text[at:start])
        at = end + len(CLOSE)
    return SIGN.join([*pieces, text[at:]]), tuple(references)


def _reference(written: str, line: int) -> Reference:
    call = CALL.fullmatch(written)
    if call is None:
        remedy = 'write {{ value("itl_p50", series="…", level="…") }}'
        raise ProseError(line, f"{quote(written.strip())} is not a reference", remedy)
    function, name, keywords = call.groups()
    if function not in FUNCTIONS:
        raise ProseError(line, f"there is no {quote(function)}", nearest(function, FUNCTIONS))
    if not written.isprintable():
        raise ProseError(line, "a reference holds a control character", "remove it")
    given = _keywords(function, keywords, line)
    if function == "value" and "level" in given and "series" not in given:
        raise ProseError(line, "a level without its series", 'add series="…"')
    return Reference(function, name[1:-1], given, written.strip(), line)


def _keywords(function: str, written: str, line: int) -> dict[str, str | int]:
    given: dict[str, str | int] = {}
    for keyword, raw in ASSIGNMENT.findall(written):
        if keyword not in FUNCTIONS[function]:
            allowed = ", ".join(sorted(FUNCTIONS[function])) or "none"
            raise ProseError(line, f"{function} takes no {quote(keyword)}", f"its keywords: {allowed}")
        if keyword in given:
            raise ProseError(line, f"{keyword} is given twice", "keep one")
        given[keyword] = _argument(keyword, raw, line)
    return given


def _argument(keyword: str, raw: str, line: int) -> str | int:
    is_text = raw.startswith('"')
    if is_text == (keyword == "decimals"):
        raise ProseError(line, f"{keyword}={raw}", "write a whole number" if is_text else f'write {keyword}="{raw}"')
    if not is_text:
        if int(raw) > MOST_DECIMALS:
            raise ProseError(line, f"{raw} decimals", f"ask for {MOST_DECIMALS} at most")
        return int(raw)
    known = {"unit": FACTORS, "style": STYLES}.get(keyword)
    if known is not None and raw[1:-1] not in known:
        raise ProseError(line, f"there is no {keyword} {quote(raw[1:-1])}", nearest(raw[1:-1], known))
    return raw[1:-1]
