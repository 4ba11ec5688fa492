"""Style sheets and scripts as pages load them: without comments, and without the room that makes them readable.

Names stay as they are, so that an error in a reader's browser can be found in the sources.
"""

from __future__ import annotations

import re
from typing import Final

STRING: Final = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
CSS_TOKENS: Final = re.compile(STRING + r"|/\*.*?\*/|\s*([{};,>])\s*|(?<=[\w-]):\s+|\s+|(?<![\w.])0(?=\.\d)", re.DOTALL)
LINE_OF_COMMENT: Final = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
INDENTATION: Final = re.compile(r"^[ \t]+|^\n", re.MULTILINE)


def stripped_css(text: str) -> str:
    """Return a style sheet without comments and needless room; strings stay as they are."""
    packed = CSS_TOKENS.sub(_css_token, text).strip()
    return CSS_TOKENS.sub(_css_token, packed).replace(";}", "}")


def _css_token(found: re.Match[str]) -> str:
    """Return what is left of a piece: a string, a sign without the room around it, or the room between two words."""
    if found[1] or found[2]:
        return found[1] or found[2]
    if found[0].startswith("/*") or found[0] == "0":
        return ""
    return ":" if found[0].startswith(":") else " "


def stripped_js(text: str) -> str:
    """Return a script without the lines that are comments, and without indentation.

    Line breaks stay: statements may end with them. No string of ours holds a line break whose indentation matters.
    """
    return INDENTATION.sub("", LINE_OF_COMMENT.sub("", text))
