"""Tokens that a client counts once more, in the text that it received: whether it read what the server sent."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import column
from generator.text import Text
from generator.themes import TOKENS

THEME: Final = TOKENS

output_tokens_retokenized = observed(
    "output_tokens_retokenized",
    scope="level",
    unit="tok",
    symbol="T_retok",
    places=[column("output_tokens_retokenized", "tok")],
    digits=9,
    title=Text(zh="重新分词数出的输出 token 数", en="output tokens, tokenized again"),
    meaning=Text(
        zh="客户端把收到的文本重新分词，再数 token：不是引擎产出的那些。",
        en="What the client counts when it tokenizes again the text that it received; the engine made others.",
    ),
)


@metric(
    "output_tokens_retokenized ÷ output_tokens_counted − 1",
    scope="level",
    unit="ratio",
    symbol="ε_retok",
    style="percent",
    digits=2,
    title=Text(zh="重新分词的偏差", en="difference once tokenized again"),
    meaning=Text(
        zh="重新分词数出的 token 数与服务端计数相差多少；收不到的文本不在前者之内。",
        en="How far the count of the text tokenized again is from the server's; text that did not arrive is not in the former.",
    ),
)
def retokenized_departure(output_tokens_retokenized: float, output_tokens_counted: float) -> float:
    """Return tokens counted again ÷ tokens counted − 1."""
    return output_tokens_retokenized / output_tokens_counted - 1
