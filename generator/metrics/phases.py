"""Prompt processing and generation taken by themselves: what programs give that time the two apart."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import column
from generator.text import Text
from generator.themes import FIRST_TOKEN

THEME: Final = FIRST_TOKEN

prompt_throughput = observed(
    "prompt_throughput",
    scope="level",
    unit="tok/s",
    symbol="X_pp",
    better="higher",
    digits=5,
    places=[column("prompt_throughput", "tok/s")],
    title=Text(zh="prefill 吞吐", en="prompt throughput"),
    meaning=Text(
        zh="只算处理 prompt 的时间：prompt 的 token 数 ÷ 处理它们所用的时间，不含生成。",
        en="Tokens of prompts ÷ the time of processing them; no generation is in that time.",
    ),
)
generation_throughput = observed(
    "generation_throughput",
    scope="level",
    unit="tok/s",
    symbol="X_tg",
    better="higher",
    digits=5,
    places=[column("generation_throughput", "tok/s")],
    title=Text(zh="生成吞吐", en="generation throughput"),
    meaning=Text(
        zh="只算生成的时间：生成的 token 数 ÷ 生成它们所用的时间，不含 prefill。",
        en="Tokens generated ÷ the time of generating them; no prefill is in that time.",
    ),
)
mixed_throughput = observed(
    "mixed_throughput",
    scope="level",
    unit="tok/s",
    symbol="X_pp+tg",
    better="higher",
    digits=5,
    places=[column("mixed_throughput", "tok/s")],
    title=Text(zh="prefill 与生成合计的吞吐", en="throughput of prompt and generation together"),
    meaning=Text(
        zh="先处理 prompt 再生成：两者的 token 数之和 ÷ 合计时间。它取决于两者的比例，不能与只测其一的速率比较。",
        en="A prompt and then its generation: tokens of both ÷ the time of both. It depends on their proportion, and has no "
        "place beside the rate of either.",
    ),
)


@metric(
    "1 ÷ generation_throughput",
    scope="level",
    unit="ms",
    symbol="t_tg",
    better="lower",
    digits=4,
    title=Text(zh="每个生成 token 的时间", en="time per generated token"),
    meaning=Text(
        zh="生成吞吐的倒数；几条请求同时生成时，是整台引擎每产出一个 token 的时间，不是一步。",
        en="The inverse of the generation throughput; where several requests generate at once, the time in which the engine "
        "puts out one token, not a step.",
    ),
)
def time_per_generated_token(generation_throughput: float) -> float:
    """Return the seconds of one token. Tokens a second in."""
    return 1 / generation_throughput
