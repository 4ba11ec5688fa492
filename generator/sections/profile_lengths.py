"""How long the requests of the load are, and how their two lengths go together."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, FigureBlock, Heading, Paragraph, Row, Table
from generator.told.quoting import passage, round_value
from generator.told.sentence import Sentence, say

SIDES: Final = {"input": Text(zh="输入", en="input"), "output": Text(zh="输出", en="output")}
STATISTICS: Final = {
    "mean": Text(zh="均值", en="mean"),
    **{name: same(name) for name in ("p5", "p25", "p50", "p75", "p90", "p95", "p99")},
    "max": Text(zh="最大", en="longest"),
}


@section()
def profile_lengths(analysis: Analysis) -> Chapter | None:
    """Print the percentiles of both lengths, and say which of them is not known and why."""
    if analysis.round.profile is None:
        return None
    known = [side for side in SIDES if _number(analysis, f"traffic_{side}_mean") is not None]
    blocks: list[Block] = [Paragraph(sentence) for side in SIDES if (sentence := _why_not(analysis, side)) is not None]
    if _number(analysis, "traffic_characters_p50") is not None:
        blocks.append(Paragraph(_characters()))
    if known:
        blocks += [FigureBlock("profile_lengths"), _table(known)]
    together = _together(analysis)
    if together:
        blocks.append(Paragraph(passage(*together)))
    return Chapter(say(zh="请求长度", en="Lengths of requests"), tuple(blocks))


def _number(analysis: Analysis, key: str) -> float | None:
    return analysis.frame.of_round(key).value


def _why_not(analysis: Analysis, side: str) -> Sentence | None:
    value = analysis.frame.of_round(f"traffic_{side}_mean")
    if value.value is not None or value.reason is None:
        return None
    return say(
        zh="{side}长度无从得知：{why}。",
        en="The {side} length cannot be known: {why}.",
        side=SIDES[side],
        why=value.reason,
    )


def _characters() -> Sentence:
    return say(
        zh="prompt 的字符数 p50 为 {a}，p95 为 {b}；多少 token 要看模型的 tokenizer，这里不换算。",
        en="Prompts have {a} characters at p50 and {b} at p95; how many tokens that is depends on the tokenizer of the model, and is not "
        "guessed here.",
        a=round_value("traffic_characters_p50"),
        b=round_value("traffic_characters_p95"),
    )


def _table(known: list[str]) -> Table:
    headings = (
        Heading(say(zh="长度", en="length")),
        *(Heading(say(zh="{name}", en="{name}", name=name), "tok") for name in STATISTICS.values()),
    )
    rows = tuple(
        Row((SIDES[side], *(round_value(f"traffic_{side}_{name}", bare=True) for name in STATISTICS))) for side in known
    )
    return Table("profile-lengths-table", say(zh="请求长度的分布", en="How long requests are"), headings, rows)


def _together(analysis: Analysis) -> list[Sentence]:
    """Say how much of all tokens is output, and whether long requests have long answers."""
    told = []
    if _number(analysis, "traffic_output_share") is not None:
        told.append(
            say(
                zh="全部 token 里 {x} 是输出。",
                en="Of all tokens {x} are output.",
                x=round_value("traffic_output_share"),
            )
        )
    if _number(analysis, "traffic_correlation_log") is not None:
        told.append(
            say(
                zh="输入与输出长度的相关系数为 {r}，取对数后为 {l}：离零越近，长输入与长输出越是各不相干。",
                en="Input and output length correlate by {r}, their logarithms by {l}: the nearer to zero, the less the length of a prompt says about "
                "that of its answer.",
                r=round_value("traffic_correlation"),
                l=round_value("traffic_correlation_log"),
            )
        )
    return told
