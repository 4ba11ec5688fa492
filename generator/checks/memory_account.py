"""Is the device memory accounted for? What weights and KV pool leave over is never nothing, and seldom much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import MEMORY
from generator.told.findings import Finding, Status
from generator.told.quoting import series_value
from generator.told.sentence import Sentence, SeriesName, say
from generator.values import Address, Value

LEAST: Final = 0.01
"""Share of the memory that a CUDA context and compute buffers take at the very least."""
MOST: Final = 0.15
"""Share above which they no longer explain what is left."""
ACCOUNT: Final = ("device_memory_used", "weights_loaded", "kv_pool_bytes")


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What is said of a residual."""

    status: Status
    message: Text
    remedy: Text | None = None


OVERDRAWN: Final = Conclusion(
    # Not a matter of degree: whatever is wrong, no split of this memory can be right. No level rests on it.
    "fail",
    Text(
        zh="{series} 的显存核对不上，余量为 {rest}：已用显存、权重、KV 池三个数里至少有一个是错的。",
        en="The memory account of {series} is overdrawn, with a remainder of {rest}: at least one of memory used, weights and "
        "KV pool is wrong.",
    ),
    Text(
        zh="在同一时刻、负载之下重新读取已用显存，并以启动日志里载入的权重与 KV 池为准。",
        en="Read the memory used again under load, and take weights and KV pool from the same start-up's log.",
    ),
)
HARDLY_ANYTHING: Final = Conclusion(
    "warn",
    Text(
        zh="{series} 的显存余量只有 {rest}：CUDA context 与计算缓冲区从来不是免费的，权重或 KV 池多半算多了。",
        en="The memory account of {series} leaves a mere {rest}: a CUDA context and compute buffers are never free, so weights "
        "or KV pool are probably counted too large.",
    ),
    Text(
        zh="以启动日志里载入的权重与 KV 池为准，而不是文件大小或公式。",
        en="Take weights and KV pool as loaded, from the start-up log, and not from a file's size or a formula.",
    ),
)
IN_PLACE: Final = Conclusion(
    "pass",
    Text(
        zh="{series} 的显存余量为 {rest}，够放 CUDA context 与计算缓冲区，属正常余量。",
        en="The memory account of {series} leaves {rest}, room for a CUDA context and compute buffers: a normal "
        "remainder.",
    ),
)
A_LOT: Final = Conclusion(
    "note",
    Text(
        zh="{series} 的显存余量有 {rest}，比 CUDA context 与计算缓冲区通常占的多。",
        en="The memory account of {series} leaves {rest}, more than a CUDA context and compute buffers usually take.",
    ),
    Text(
        zh="查明余下的是什么：激活与 CUDA graph 的预留、别的进程，还是没有计入的权重。",
        en="Find out what the rest is: memory set aside for activations and CUDA graphs, other processes, or weights that "
        "were not counted.",
    ),
)


@check(
    theme=MEMORY,
    title=Text(zh="显存核对", en="Memory account"),
    question=Text(
        zh="已用显存减去权重与 KV 池，剩下的合乎情理吗？",
        en="Is what weights and KV pool leave of the memory used a sensible amount?",
    ),
    rule=Text(
        zh="已用显存减去权重与 KV 池，剩下的为负就不通过，少于 {least} 就警告，多于 {most} 就提示。",
        en="What weights and KV pool leave of the memory used: a failure where that is less than nothing, a warning below {least}, a note above {most}.",
    ).format(least=f"{LEAST:.0%}", most=f"{MOST:.0%}"),
    stage="conclusions",
)
def memory_account(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series with a GPU."""
    return [_examine(analysis, series) for series in analysis.round.with_gpu] or [_no_gpu()]


def _examine(analysis: Analysis, series: Series) -> Finding:
    residual = analysis.frame.of_series("device_memory_residual", series.id)
    if residual.value is None:
        return _unknown(series, residual)
    concluded = _conclude(residual.value)
    account = tuple(Address(key, "series", series.id) for key in ACCOUNT)
    return Finding(
        check="memory_account",
        status=concluded.status,
        series=series.id,
        evidence=(*account, residual.address),
        doubts=(*account, residual.address) if concluded is OVERDRAWN else (),
        message=Sentence(
            concluded.message,
            {"series": SeriesName(series.id), "rest": series_value("device_memory_residual", series.id)},
        ),
        remedy=None if concluded.remedy is None else Sentence(concluded.remedy),
    )


def _no_gpu() -> Finding:
    message = say(
        zh="没有 GPU，也就没有显存可核对，不适用。", en="There was no GPU, and so no memory of one: not applicable."
    )
    return Finding("memory_account", "pass", message, is_empty=True)


def _conclude(residual: float) -> Conclusion:
    if residual < 0:
        return OVERDRAWN
    if residual < LEAST:
        return HARDLY_ANYTHING
    return IN_PLACE if residual <= MOST else A_LOT


def _unknown(series: Series, residual: Value) -> Finding:
    return Finding(
        check="memory_account",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 的显存无从检查：{reason}。",
            en="The memory account of {series} cannot be checked: {reason}.",
            series=SeriesName(series.id),
            reason=residual.reason or Text(zh="没有记录", en="it is not on record"),
        ),
        remedy=say(
            zh="在负载之下读取已用显存，写进 published.toml 的 device_used_mib。",
            en="Read the memory used under load and enter it as device_used_mib in published.toml.",
        ),
    )
