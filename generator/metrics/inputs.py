"""The prompts as they were counted, against those that were asked for."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric
from generator.text import Text
from generator.themes import TOKENS

THEME: Final = TOKENS


@metric(
    "input_tokens_counted ÷ completed",
    scope="level",
    unit="tok",
    symbol="n̄_in",
    digits=5,
    title=Text(zh="每条请求的实际输入 token", en="input tokens counted per request"),
    meaning=Text(zh="计到的输入 token ÷ 完成的请求数。", en="Input tokens counted ÷ requests completed."),
)
def input_tokens_mean(input_tokens_counted: float, completed: float) -> float:
    """Spread the counted prompts over the completed requests."""
    return input_tokens_counted / completed


@metric(
    "input_tokens_mean ÷ asked_input_tokens − 1",
    scope="level",
    unit="ratio",
    symbol="ε_in",
    style="percent",
    digits=2,
    title=Text(zh="实际输入与要求的之差", en="difference between the input counted and asked"),
    meaning=Text(
        zh="实际输入长度比要求的多出的部分；为负表示更短。",
        en="How far the counted input is above what was asked; negative where it is shorter.",
    ),
)
def input_departure(input_tokens_mean: float, asked_input_tokens: float) -> float:
    """Return counted ÷ asked − 1."""
    return input_tokens_mean / asked_input_tokens - 1
