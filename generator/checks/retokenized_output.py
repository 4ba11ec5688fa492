"""Does the text that the client received have the tokens that the server counted?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import at_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import TOKENS
from generator.told.findings import Finding
from generator.told.quoting import level_value
from generator.told.sentence import LevelName, Quantity, SeriesName, say
from generator.values import Value

MOST: Final = 0.02
"""By how much two tokenizations of one text may differ: where words are cut, not how much text there is."""

NOISE: Final = 9
"""Decimals of a share that floating-point arithmetic leaves right."""


@check(
    theme=TOKENS,
    title=Text(zh="重新分词的 token 数", en="Re-tokenized output"),
    question=Text(
        zh="客户端把收到的文本重新分词，数出来的与服务端的计数一致吗？",
        en="Where the client tokenizes again the text that it received, does it count what the server counted?",
    ),
    rule=Text(
        zh="重新分词数出的 token 数与服务端计数相差超过 {most}，就警告。",
        en="A warning where the tokens counted again are off by more than {most} from those that the server counted.",
    ).format(most=f"{MOST:.0%}"),
)
def retokenized_output(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose client counted twice."""
    known = {series: _departures(analysis, series) for series in analysis.round.series}
    counted = {series: values for series, values in known.items() if values}
    return [_examine(series, values) for series, values in counted.items()] or [_none()]


def _departures(analysis: Analysis, series: Series) -> list[Value]:
    return analysis.frame.known([at_level("retokenized_departure", series, level) for level in series.levels])


def _examine(series: Series, values: list[Value]) -> Finding:
    off = [value for value in values if _size(value) > MOST]
    evidence = tuple(value.address for value in values)
    if not off:
        agree = say(
            zh="{series} 的两种计数相符。", en="The two counts of {series} agree.", series=SeriesName(series.id)
        )
        return Finding("retokenized_output", "pass", agree, series.id, evidence=evidence)
    worst = max(off, key=_size).address
    level = worst.level or ""
    return Finding(
        check="retokenized_output",
        status="warn",
        series=series.id,
        levels=tuple(value.address.level or "" for value in off),
        evidence=evidence,
        message=say(
            zh="{series} 在 {level}：服务端计到输出 {counted}，客户端把收到的文本重新分词，计到 {again}，相差 {off}。",
            en="{series} at {level}: the server counted {counted} of output, and the client {again} in the text that it "
            "received, a difference of {off}.",
            series=SeriesName(series.id),
            level=LevelName(series.id, level),
            counted=level_value("output_tokens_counted", series.id, level),
            again=level_value("output_tokens_retokenized", series.id, level),
            off=Quantity(worst),
        ),
        bias=say(
            zh="少得多，是客户端没有读到全部文本，时延可能只是其中一部分的；吞吐用的是服务端的计数，不受影响。",
            en="Where it counts far fewer, the client did not read all of the text, and latencies may be those of a part of it; "
            "the throughput is of the server's count and stays right.",
        ),
        remedy=say(
            zh="核对客户端用的 tokenizer，以及它是否读推理内容（reasoning）的流。",
            en="Look whether the client uses the model's tokenizer, and whether it reads the stream of reasoning.",
        ),
    )  # fmt: skip


def _size(value: Value) -> float:
    return round(abs(value.value or 0.0), NOISE)


def _none() -> Finding:
    message = say(zh="没有客户端把收到的文本重新分词。", en="No client tokenized again the text that it received.")
    return Finding("retokenized_output", "pass", message, is_empty=True)
