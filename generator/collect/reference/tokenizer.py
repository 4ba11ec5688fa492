"""A tokenizer of which the rule fits on a line: one token is one word of a closed list, or else one byte.

Ids 0 to 255 are the bytes; the words follow, each with the space in front of it. Text always comes back as it was. So
do ids that are all words: they begin with a space, hence none can merge with the next.
"""

from __future__ import annotations

import re
from typing import Final

from generator.collect.words import WORDS as COMMON

_LIST: Final = """
the of and to a in is it as on by at for with from that this each one two all no not or but so if then than
model token cache batch slot step queue server client request answer prompt stream chunk first last next time
clock rate load memory weight layer head key value read write send wait begin end measure 模型 显存 缓存 请求
"""
WORDS: Final = tuple(f" {word}" for word in dict.fromkeys([*_LIST.split(), *COMMON]))
"""The closed list, each word with the space in front of it. Four are Chinese, so that answers hold more than ASCII."""

FIRST_WORD: Final = 256
VOCABULARY: Final = FIRST_WORD + len(WORDS)
"""How many ids there are."""

_PIECES: Final = [bytes([byte]) for byte in range(FIRST_WORD)] + [word.encode() for word in WORDS]
_IDS: Final = {piece: number for number, piece in enumerate(_PIECES)}
_PIECE: Final = re.compile(
    b"|".join(re.escape(piece) for piece in sorted(_PIECES[FIRST_WORD:], key=len, reverse=True)) + b"|[\x00-\xff]",
    re.DOTALL,
)


def tokenize(text: str) -> list[int]:
    """Return the ids of a text, the longest word first; a lone surrogate, which is no text, counts as ``?``."""
    return [_IDS[piece] for piece in _PIECE.findall(text.encode("utf-8", "replace"))]


def detokenize(ids: list[int]) -> str:
    """Return the text of ids; bytes that are no UTF-8 become U+FFFD.

    Raises:
        IndexError: an id that there is not.
    """
    return b"".join(_PIECES[number] for number in ids).decode("utf-8", "replace")


def word(request: int, index: int) -> str:
    """Return the word that stands for a token of an answer: requests begin at different words."""
    return WORDS[(7 * request + index) % len(WORDS)]
