"""Markdown to HTML, with the two things CommonMark gets wrong in Chinese put right."""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from unicodedata import category

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType
from markupsafe import Markup

MARKS: Final = str.maketrans({"[": "(", "]": ")", "<": "(", ">": ")", "`": "'"})
"""Signs that make links, tags and code, and what stands for them in a text that is to make none."""
HAN: Final = r"[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
FULL: Final = "[，。；：？、（）“”]"
BETWEEN_HAN: Final = re.compile(f"(?<={HAN})\n(?={HAN})|(?<={FULL})\n|\n(?={FULL})")
IS_HAN: Final = re.compile(HAN)


def plain(text: str) -> str:
    """Return a text in one line in which nothing makes a link, a tag or code, and nothing is done to a terminal."""
    shown = "".join(letter for letter in text.translate(MARKS) if letter.isspace() or not is_control(letter))
    return " ".join(shown.split())


def is_control(letter: str) -> bool:
    """Say whether a character is none to be read, but tells a program something."""
    return category(letter) == "Cc"


class HanAwareInline(StateInline):
    """Inline state in which emphasis opens and closes beside Han characters and full-width punctuation.

    CommonMark asks for white space or punctuation outside a delimiter run, which Chinese text does not have.
    """

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803  # the library's name
        """Scan a run of delimiters; beside a Han character it may both open and close."""
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < len(self.src) else " "
        if not (IS_HAN.match(before) or IS_HAN.match(after)):
            return scanned
        return Scanned(
            can_open=scanned.can_open or not after.isspace(),
            can_close=scanned.can_close or not before.isspace(),
            length=scanned.length,
        )


class HanAwareParser(ParserInline):
    """The inline parser on such a state: it has no hook for another one."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Parse one run of text into tokens."""
        state = HanAwareInline(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _join_han_lines(state: StateCore) -> None:
    """Drop a line break between two Han characters, or beside full-width punctuation, where it would be a space."""
    for token in state.tokens:
        if token.type == "inline":
            token.content = BETWEEN_HAN.sub("", token.content)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt()
    parser.inline = HanAwareParser()
    parser.configure("commonmark", {"html": False}).enable("table")
    parser.core.ruler.before("inline", "join_han_lines", _join_han_lines)
    return parser


def render_markdown(source: str) -> Markup:
    """Return the HTML of a text; HTML in the text is shown, not obeyed."""
    return Markup(_parser().render(source))  # noqa: S704  # the parser escapes all but its own tags
