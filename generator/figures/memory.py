"""How each series divides the device memory."""

from __future__ import annotations

from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.model import Series
from generator.text import Text, same
from generator.told.figure_model import Axis, Bar, BarPlot, FigureModel, Fill, Segment
from generator.told.quoting import round_value, series_value
from generator.told.sentence import Sentence, SeriesName, say
from generator.units import from_base
from generator.values import Value

WEIGHTS = Text(zh="权重", en="weights")
KV_POOL = Text(zh="KV 池", en="KV pool")
REST = Text(zh="其余已用", en="other, in use")
NO_GPU = Missing(say(zh="没有 GPU，也就没有显存分配可画。", en="There was no GPU, and so no memory of one to draw."))


@figure
def memory(analysis: Analysis) -> FigureModel | Missing:
    """Draw one bar a series: weights, KV pool, what else is in use; and the capacity."""
    bars = tuple(bar for series in analysis.round.series if (bar := _bar(analysis, series)) is not None)
    if not bars:
        return _missing() if analysis.round.with_gpu else NO_GPU
    capacity = analysis.frame.of_round("memory_capacity").value
    return FigureModel(
        key="memory",
        title=_title(analysis, [bar.series for bar in bars]),
        caption=say(
            zh="实心段是记录在案的数，斜纹段由其他数推算。单位 GiB。",
            en="Solid parts are numbers on record; hatched parts are computed from others. In GiB.",
        ),
        plot=BarPlot(
            x=Axis(Text(zh="显存", en="device memory"), "GiB", "linear"),
            bars=bars,
            limit=None if capacity is None else from_base(capacity, "GiB"),
            limit_name=Text(zh="容量", en="capacity"),
        ),
        accents=analysis.round.accents,
    )


def _bar(analysis: Analysis, series: Series) -> Bar | None:
    keys = ("weights_loaded", "kv_pool_bytes", "device_memory_used")
    weights, pool, used = (analysis.frame.of_series(key, series.id) for key in keys)
    if pool.value is None or weights.value is None:
        return None
    segments = [_segment(WEIGHTS, weights), _segment(KV_POOL, pool)]
    if used.value is not None and used.value > weights.value + pool.value:
        rest = used.value - weights.value - pool.value
        segments.append(Segment(REST, from_base(rest, "GiB"), "hatched", used.address))
    return Bar(same(analysis.round.label(series.id)), series.id, tuple(segments))


def _segment(name: Text, value: Value) -> Segment:
    fill: Fill = "hatched" if value.origin == "derived" else "solid"
    return Segment(name, from_base(value.value or 0.0, "GiB"), fill, value.address)


def _title(analysis: Analysis, drawn: list[str]) -> Sentence:
    largest = max(drawn, key=lambda series: analysis.frame.of_series("kv_pool_bytes", series).value or 0.0)
    if analysis.frame.of_round("memory_capacity").value is None:
        return say(
            zh="{series} 给 KV 池分了 {pool}",
            en="{series} gives {pool} to its KV pool",
            series=SeriesName(largest),
            pool=series_value("kv_pool_bytes", largest),
        )
    return say(
        zh="{capacity} 里，{series} 给 KV 池分了 {pool}",
        en="Of {capacity}, {series} gives {pool} to its KV pool",
        series=SeriesName(largest),
        capacity=round_value("memory_capacity"),
        pool=series_value("kv_pool_bytes", largest),
    )


def _missing() -> Missing:
    return Missing(
        say(
            zh="画不出显存分配：没有系列同时给出权重与 KV 池的大小。"
            "补上 published.toml 的 memory.weights_gib 与 memory.kv_pool_gib 即可；"
            "round.toml 的 kv_pool_tokens 与模型的 KV 形状（layers、kv_heads、head_dim、kv_dtype_bytes）一起，"
            "可以代替后者。",
            en="The memory cannot be drawn: no series gives both its weights and its KV pool. Fill in memory.weights_gib "
            "and memory.kv_pool_gib of published.toml; kv_pool_tokens of round.toml with the KV geometry of the model "
            "(layers, kv_heads, head_dim, kv_dtype_bytes) also gives the latter.",
        )
    )
