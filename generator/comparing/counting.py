"""What floors are computed from, as both rounds declare it: where it differs, floors do, and no engine changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from generator.comparing.records import COUNTING, Setting
from generator.declared.floor_words import BANDWIDTH_SOURCES, WEIGHTS_COUNTED
from generator.declared.round_tables import ModelTable, RoundFile, SeriesTable
from generator.text import Text, same

AFFECTS: Final = Text(
    zh="下限与由它算出的数（MBU、字节账预测的加速），与引擎无关",
    en="floors and what rests on them (MBU, the speed-up that bytes predict), not the engine",
)
TITLES: Final[Mapping[str, Text]] = {
    "weights": Text(zh="每步读的权重", en="weights that a step reads"),
    "embedding": Text(zh="其中的输入 embedding", en="input embedding among them"),
    "kv": Text(zh="每 token 的 KV", en="KV of a token"),
    "bandwidth": Text(zh="内存带宽", en="memory bandwidth"),
}
NOT_GIVEN: Final = ""
WITH: Final = Text(zh="{what}（{how}）", en="{what} ({how})")
Said = tuple[str, Text]
"""What a side declares: as it is compared, and as a reader is shown it."""


def counting(base: RoundFile, one: SeriesTable | None, head: RoundFile, other: SeriesTable | None) -> Iterator[Setting]:
    """Yield what either side declares for the floors of a series; both are compared by what it comes to."""
    before, after = dict(_declared(base, one)), dict(_declared(head, other))
    for key, title in TITLES.items():
        if key in before or key in after:
            (text, shown), (text2, shown2) = (side.get(key, (NOT_GIVEN, None)) for side in (before, after))
            yield Setting(COUNTING + key, title, text, text2, None, shown, shown2)


def _declared(file: RoundFile, series: SeriesTable | None) -> Iterator[tuple[str, Said]]:
    if series is not None:
        yield from _weights(file, series)
    yield from _kv(file.model)
    bandwidth, source = file.hardware.memory_bandwidth_gb_s, file.hardware.bandwidth_source
    if bandwidth is not None:
        shown = WITH.format(what=f"{bandwidth:,.6g}\u202fGB/s", how=BANDWIDTH_SOURCES[source])
        yield "bandwidth", (f"{_plain(bandwidth)} {source}", shown)


def _weights(file: RoundFile, series: SeriesTable) -> Iterator[tuple[str, Said]]:
    params, bytes_each = series.weight_params or file.model.matmul_params, series.weight_dtype_bytes
    if series.weight_bytes is not None:
        yield "weights", _counted(series, series.weight_bytes, _gigabytes(series.weight_bytes))
    elif params is not None and bytes_each is not None:
        shown = f"{params:,.12g} × {bytes_each:.6g}\u202fB = {_gigabytes(params * bytes_each)}"
        yield "weights", _counted(series, params * bytes_each, shown)
    if series.embedding_bytes is not None:
        yield "embedding", (_plain(series.embedding_bytes), same(_gigabytes(series.embedding_bytes)))


def _counted(series: SeriesTable, weights: float, shown: str) -> Said:
    basis = series.weights_basis
    if basis is None:
        return _plain(weights), same(shown)
    return f"{_plain(weights)} {basis}", WITH.format(what=shown, how=WEIGHTS_COUNTED[basis])


def _kv(model: ModelTable) -> Iterator[tuple[str, Said]]:
    """Yield the KV of a token as the shape of the model gives it."""
    layers, heads, dim, bytes_each = model.layers, model.kv_heads, model.head_dim, model.kv_dtype_bytes
    if layers is not None and heads is not None and dim is not None and bytes_each is not None:
        product = 2 * layers * heads * dim * bytes_each
        shown = f"2 × {layers:g} × {heads:g} × {dim:g} × {bytes_each:g}\u202fB = {product / 1024:,.4g}\u202fKiB"
        yield "kv", (_plain(product), same(shown))


def _plain(number: float) -> str:
    return f"{number:.12g}"


def _gigabytes(number: float) -> str:
    return f"{number / 1e9:,.4g}\u202fGB"
