"""Device memory: what each series spends it on."""

from __future__ import annotations

from generator.blocks import Block, FigureBlock, Paragraph
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Series
from generator.quoting import pair_value, series_value
from generator.sentence import Sentence, SeriesName, say


@section(order=60)
def memory(analysis: Analysis) -> Chapter:
    """Show how the memory is divided, what is left unexplained, and whose KV pool holds more."""
    blocks: list[Block] = [FigureBlock("memory")]
    told = [_residual(analysis, series) for series in analysis.round.series]
    told += [_pool(analysis, compared) for compared in analysis.round.compared]
    blocks += [Paragraph(sentence) for sentence in told if sentence is not None]
    return Chapter(say(zh="显存：权重与 KV 池各占多少", en="Memory: what weights and KV pool take"), tuple(blocks))


def _residual(analysis: Analysis, series: Series) -> Sentence | None:
    if analysis.frame.of_series("device_memory_residual", series.id).value is None:
        return None
    return say(
        zh="{series} 实测占用 {used}，权重 {weights} 加 KV 池 {pool} 之外还有 {rest} 没有说明。这是余项，不是误差："
        "CUDA context 与计算缓冲区都在里面。",
        en="{series} is seen to use {used}; beyond weights of {weights} and a KV pool of {pool}, {rest} is unexplained. "
        "That is a residual and no error: CUDA context and compute buffers are in it.",
        series=SeriesName(series.id),
        used=series_value("device_memory_used", series.id),
        weights=series_value("weights_loaded", series.id),
        pool=series_value("kv_pool_bytes", series.id),
        rest=series_value("device_memory_residual", series.id),
    )


def _pool(analysis: Analysis, compared: Series) -> Sentence | None:
    baseline = analysis.round.baseline
    if baseline is None or analysis.frame.of_pair("kv_pool_ratio", compared.id).value is None:
        return None
    return say(
        zh="KV 池能装的上下文：{compared} {own}，{baseline} {other}，前者是后者的 {ratio}。池子多大由启动参数决定，不是引擎的性质。",
        en="Context that the KV pool holds: {own} on {compared} and {other} on {baseline}, a ratio of {ratio}. The size "
        "is set at start-up and is no property of the engine.",
        compared=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        own=series_value("kv_pool_tokens", compared.id),
        other=series_value("kv_pool_tokens", baseline.id),
        ratio=pair_value("kv_pool_ratio", compared.id),
    )
