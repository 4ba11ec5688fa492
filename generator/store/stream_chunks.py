"""Chunks of a stream as clients save them, word for word: whether one carries content, and what it counts.

Nothing of a text is kept.
"""

from __future__ import annotations

import re
from typing import Final

CONTENT: Final = re.compile(
    r'"(?:content|reasoning_content|reasoning|text|text_output|generated_text|delta|token)"\s*:\s*"(?!")'
)
"""An entry of text that is not empty."""
COUNT: Final = re.compile(r'"completion_tokens"\s*:\s*([0-9]{1,8})\b')


def carries_content(chunk: str) -> bool:
    """Say whether a chunk carries text of the answer: one with the role alone, or with the usage, does not."""
    return CONTENT.search(chunk) is not None


def tokens_counted(chunk: str) -> int | None:
    """Return the tokens that a chunk counts for the answer so far; None where it counts none."""
    found = COUNT.findall(chunk)
    return int(found[-1]) if found else None
