"""Device memory: what each series spends it on."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, FigureBlock, Paragraph
from generator.told.quoting import pair_value, passage, series_value
from generator.told.sentence import Part, Sentence, SeriesName, say


@section(checks=("memory_account", "kv_accounting", "kv_pressure", "preemptions", "truncated_requests"))
def memory(analysis: Analysis) -> Chapter:
    """Show how the memory is divided, what is left unexplained, and whose KV pool holds more."""
    blocks: list[Block] = [FigureBlock("memory")]
    residuals = [s for series in analysis.round.series if (s := _residual(analysis, series)) is not None]
    pools = [s for compared in analysis.round.compared if (s := _pool(analysis, compared)) is not None]
    if any(sentence.text is EXPLAINED for sentence in residuals):
        residuals.append(_about_residuals())
    if residuals:
        blocks.append(Paragraph(passage(*residuals)))
    if pools:
        is_told = analysis.round.prose_of("memory", "en") is not None
        blocks.append(Paragraph(passage(*pools, *(() if is_told else (_about_pools(),)))))
    lacking = None if residuals or pools else Text(zh="内存的去向", en="memory")
    return Chapter(HEADING, tuple(blocks), lacking)


HEADING: Final = say(zh="显存：权重与 KV 池各占多少", en="Memory: what weights and KV pool take")
EXPLAINED = Text(
    zh="{series} 占用 {used}，权重 {weights} 与 KV 池 {pool} 之外，还有占用的 {rest} 无法归类。",
    en="{series} uses {used}, of which weights of {weights} and a KV pool of {pool} leave {rest} unexplained.",
)
CONTRADICTED = Text(
    zh="{series} 占用 {used}，权重 {weights} 与 KV 池 {pool} 加起来却比它还多：三个数不可能都对。",
    en="{series} uses {used}, and weights of {weights} with a KV pool of {pool} come to more than that: they cannot all hold.",
)


def _residual(analysis: Analysis, series: Series) -> Sentence | None:
    rest = analysis.frame.of_series("device_memory_residual", series.id).value
    if rest is None:
        return None
    parts: dict[str, Part] = {
        "series": SeriesName(series.id),
        "used": series_value("device_memory_used", series.id),
        "weights": series_value("weights_loaded", series.id),
        "pool": series_value("kv_pool_bytes", series.id),
    }
    if rest < 0:
        return Sentence(CONTRADICTED, parts)
    return Sentence(EXPLAINED, {**parts, "rest": series_value("device_memory_residual", series.id)})


def _about_residuals() -> Sentence:
    return say(
        zh="无法归类的部分里有 CUDA context 与计算缓冲区，不是误差。",
        en="What is unexplained includes the CUDA context and the compute buffers; it is not an error.",
    )


def _pool(analysis: Analysis, compared: Series) -> Sentence | None:
    baseline = analysis.round.baseline
    if baseline is None or analysis.frame.of_pair("kv_pool_ratio", compared.id).value is None:
        return None
    return say(
        zh="{compared} 的 KV 池能装 {own}，{baseline} 的能装 {other}，前者的 token 数是后者的 {ratio}。",
        en="The KV pool of {compared} holds {own}, {ratio} the {other} of {baseline}.",
        compared=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        own=series_value("kv_pool_tokens", compared.id),
        other=series_value("kv_pool_tokens", baseline.id),
        ratio=pair_value("kv_pool_ratio", compared.id),
    )


def _about_pools() -> Sentence:
    return say(
        zh="池子多大由启动参数决定，不是引擎的性质。",
        en="The size of a pool is set at start-up and is not a property of the engine.",
    )
