"""Reasoning: tokens of an answer that its reader may never see, and that are output all the same."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import column, record
from generator.text import Text
from generator.themes import TOKENS

THEME: Final = TOKENS

reasoning_tokens = observed(
    "reasoning_tokens",
    scope="level",
    unit="tok",
    symbol="Σn_reason",
    digits=12,
    places=[record("level.json", "summary.reasoning_tokens", "tok"), column("reasoning_tokens", "tok")],
    title=Text(zh="reasoning token（思考 token）计数", en="reasoning tokens counted"),
    meaning=Text(
        zh="完成的请求的 reasoning token 之和，由给输出 token 计数的一方来数；它们是输出的一部分。",
        en="Reasoning tokens of the completed requests, added up, by whoever counts those of the output: they are part of it.",
    ),
)
reasoning_above_output = observed(
    "reasoning_above_output",
    scope="level",
    unit="1",
    symbol="N_reason>out",
    better="lower",
    digits=9,
    places=[record("level.json", "summary.reasoning_above_output", "1")],
    title=Text(zh="reasoning 多于输出的回答数", en="answers with more reasoning than output"),
    meaning=Text(
        zh="服务端计的 reasoning token 比输出 token 还多的回答有多少条。",
        en="Answers of which the server counts more tokens of reasoning than of output.",
    ),
)


@metric(
    "reasoning_tokens ÷ output_tokens_counted",
    scope="level",
    unit="ratio",
    symbol="f_reason",
    style="percent",
    title=Text(zh="reasoning 占输出的份额", en="share of reasoning in the output"),
    meaning=Text(zh="reasoning token ÷ 输出 token。", en="Tokens of reasoning ÷ tokens of output."),
)
def reasoning_share(reasoning_tokens: float, output_tokens_counted: float) -> float:
    """Return reasoning ÷ output."""
    return reasoning_tokens / output_tokens_counted
