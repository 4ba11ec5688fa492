"""Do the shape and the weights that round.toml declares agree with the model's own files?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.frame import Analysis
from generator.kinds import WITHOUT_EMBEDDING, check
from generator.model import Series
from generator.text import Text
from generator.themes import MACHINE
from generator.told.findings import Finding
from generator.told.sentence import Listing, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

SLACK: Final = 0.01
"""What declared numbers may differ by: some count norms and biases, others do not."""
HELD: Final = (
    ("kv_bytes_per_token", "model_kv_bytes_per_token"),
    ("weight_bytes_per_step", "model_weight_bytes"),
)
"""What is declared, and the same by the model's files."""


@check(
    theme=MACHINE,
    title=Text(zh="声明与模型文件", en="Declared and in the model's files"),
    question=Text(
        zh="round.toml 声明的 KV 与权重，和模型自己的文件相符吗？",
        en="Do the KV and the weights that round.toml declares agree with the model's own files?",
    ),
    rule=Text(
        zh="每 token 的 KV 字节或每步读的权重，声明的与按 architecture.json 算出的相差超过 {slack} 就警告；权重含输入 embedding 时先减去它。",
        en="A warning where the declared KV bytes of a token, or weight bytes of a step, differ by more than {slack} from those of architecture.json; an input embedding among the weights is taken out first.",
    ).format(slack=f"{SLACK:.0%}"),
    stage="conclusions",
)
def architecture_agrees(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    held = [pair for keys in HELD if (pair := _pair(analysis, series, *keys)) is not None]
    if not held:
        return _unknown(analysis, series)
    apart = [pair for pair in held if _differ(*pair)]
    return _differs(series, apart) if apart else _agrees(series, held)


def _pair(analysis: Analysis, series: Series, declared: str, by_files: str) -> tuple[Value, Value] | None:
    """Return both numbers where both are known and the first does not come from the second."""
    said, found = (analysis.frame.of_series(key, series.id) for key in (declared, by_files))
    if said.value is None or found.value is None or _comes_from_files(analysis, said):
        return None
    without = analysis.frame.values.get(said.address._replace(basis=WITHOUT_EMBEDDING), said)
    return (without if without.value is not None else said), found


def _comes_from_files(analysis: Analysis, value: Value) -> bool:
    """Say whether a number rests on nothing but the model's files."""
    if not value.inputs:
        return value.source is not None and value.source.file.endswith(".json")
    return all(_comes_from_files(analysis, analysis.frame.values[one.address]) for one in value.inputs)


def _differ(said: Value, found: Value) -> bool:
    declared, by_files = said.value or 0.0, found.value or 0.0
    return abs(declared - by_files) > SLACK * by_files


def _evidence(pairs: Sequence[tuple[Value, Value]]) -> tuple[Address, ...]:
    return tuple(value.address for pair in pairs for value in pair)


def _agrees(series: Series, held: Sequence[tuple[Value, Value]]) -> Finding:
    return Finding(
        check="architecture_agrees",
        status="pass",
        series=series.id,
        evidence=_evidence(held),
        message=say(
            zh="{series} 声明的数与模型自己的文件相符。",
            en="What is declared of {series} agrees with the model's own files.",
            series=SeriesName(series.id),
        ),
    )


def _differs(series: Series, apart: Sequence[tuple[Value, Value]]) -> Finding:
    parts: dict[str, Part] = {
        "series": SeriesName(series.id),
        "differences": Listing(tuple(_said(*pair) for pair in apart)),
    }
    return Finding(
        check="architecture_agrees",
        status="warn",
        series=series.id,
        evidence=_evidence(apart),
        doubts=tuple(said.address for said, _ in apart),
        message=Sentence(DIFFER, parts),
        remedy=say(
            zh="删去 round.toml 里的声明，让模型文件说了算；或换上这个系列真正用的模型的 architecture.json。",
            en="Leave what is declared out of round.toml, so that the model's files decide; or put the architecture.json of the "
            "model that this series really serves in its place.",
        ),
    )


DIFFER: Final = Text(
    zh="{series} 声明的数与模型自己的文件不符：{differences}。",
    en="What is declared of {series} does not agree with the model's own files: {differences}.",
)


def _said(said: Value, found: Value) -> Sentence:
    return say(
        zh="声明的是 {said}，按文件是 {found}",
        en="{said} declared, {found} by the files",
        said=Quantity(said.address),
        found=Quantity(found.address),
    )


NOTHING_DECLARED: Final = Text(
    zh="没有声明可以与模型文件相比的数", en="nothing is declared that could be compared with the model's files"
)


def _unknown(analysis: Analysis, series: Series) -> Finding:
    reasons = (analysis.frame.of_series(by_files, series.id).reason for _, by_files in HELD)
    return Finding(
        check="architecture_agrees",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 的声明无从核对：{reason}。",
            en="What is declared of {series} cannot be checked: {reason}.",
            series=SeriesName(series.id),
            reason=next((reason for reason in reasons if reason is not None), NOTHING_DECLARED),
        ),
        remedy=say(
            zh="用 rounds describe 把模型的 config.json 或 GGUF 文件记成 architecture.json，放进系列的文件夹。",
            en="Keep the model's config.json or GGUF file as architecture.json in the folder of the series, with rounds describe.",
        ),
    )
