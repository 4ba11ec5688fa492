"""Answers that are shorter than was asked for, or that bring nothing at all."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric
from generator.numeric.statistics import count_below
from generator.text import Text
from generator.themes import TOKENS

THEME: Final = TOKENS

SHORT: Final = 0.95
"""Below this share of the length asked an answer is short; counts of one text by two tokenizers lie closer together."""


@metric(
    "count_below(request_output_tokens, 0.95 × asked_output_tokens)",
    scope="level",
    unit="1",
    symbol="N_short",
    better="lower",
    digits=9,
    title=Text(zh="偏短的回答数", en="short answers"),
    meaning=Text(
        zh="输出不到要求长度 95% 的回答有多少条。", en="Answers with less than 95% of the tokens that were requested."
    ),
)
def short_answers(request_output_tokens: Column, asked_output_tokens: float) -> float:
    """Count the answers well below the length asked."""
    return float(count_below(request_output_tokens, SHORT * asked_output_tokens))


@metric(
    "count_below(request_output_tokens, 0.95 × asked_output_tokens) ÷ count(request_output_tokens)",
    scope="level",
    unit="ratio",
    symbol="N_short ÷ N_ok",
    better="lower",
    style="percent",
    digits=2,
    title=Text(zh="偏短回答的份额", en="share of short answers"),
    meaning=Text(
        zh="输出不到要求长度 95% 的回答占多少。",
        en="Share of the answers that have less than 95% of the tokens that were requested.",
    ),
)
def short_answer_share(request_output_tokens: Column, asked_output_tokens: float) -> float:
    """Return short answers ÷ answers whose tokens were counted."""
    return count_below(request_output_tokens, SHORT * asked_output_tokens) / len(request_output_tokens)


@metric(
    "sum(short_answers)",
    scope="series",
    unit="1",
    symbol="ΣN_short",
    over="trials",
    better="lower",
    digits=9,
    title=Text(zh="偏短的回答总数", en="short answers in all"),
    meaning=Text(zh="该系列全部档位的偏短回答数之和。", en="Short answers over all levels of the series."),
)
def short_answers_total(short_answers: Column) -> float:
    """Add up the short answers of all levels and trials."""
    return float(short_answers.sum())


@metric(
    "short_answers_total ÷ completed_total",
    scope="series",
    unit="ratio",
    symbol="ΣN_short ÷ ΣN_ok",
    better="lower",
    style="percent",
    digits=2,
    title=Text(zh="全部档位的偏短份额", en="share of short answers over all levels"),
    meaning=Text(
        zh="该系列全部档位的偏短回答数之和 ÷ 完成数之和。",
        en="Short answers ÷ completed requests, over all levels of the series.",
    ),
)
def short_answer_share_total(short_answers_total: float, completed_total: float) -> float:
    """Return short ÷ completed over all levels and trials."""
    return short_answers_total / completed_total


@metric(
    "count(silent)",
    scope="level",
    unit="1",
    symbol="N_silent",
    better="lower",
    digits=9,
    title=Text(zh="没有 token 的回答数", en="answers without a token"),
    meaning=Text(
        zh="没有报错、却一个 token 也没有产出的回答；它们没有时延可言。",
        en="Answers that came back without an error and without a token; they have no latency.",
    ),
)
def silent_answers(silent: Column) -> float:
    """Count the answers that brought nothing."""
    return float(len(silent))
