"""Does a token take as much of the KV pool as the model's shape says?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import MEMORY
from generator.told.findings import Finding
from generator.told.quoting import series_value
from generator.told.sentence import Part, Sentence, SeriesName, say
from generator.units import half_a_digit
from generator.values import Address, Value

SLACK: Final = 0.01
"""What is forgiven where it is not known how the pool's bytes were rounded."""
NOISE: Final = 1e-9
"""Of a rounding: what floating-point arithmetic adds to it."""
EVIDENCE: Final = ("kv_pool_bytes", "kv_pool_tokens", "kv_bytes_per_token")


@check(
    theme=MEMORY,
    title=Text(zh="KV 核对", en="KV accounting"),
    question=Text(
        zh="KV 池的字节数除以 token 数，是否等于按模型形状算出的数？",
        en="Do KV bytes per token match the model's shape?",
    ),
    rule=Text(
        zh="KV 池的字节数 ÷ token 数，与按模型形状算出的每 token 字节数相比，超出记录的舍入就警告；舍入未知时容许 {slack}。",
        en="A warning where bytes ÷ tokens of the KV pool differ from the bytes per token of the model's shape by more than their rounding, or by more than {slack} where that is unknown.",
    ).format(slack=f"{SLACK:.0%}"),
    stage="conclusions",
)
def kv_accounting(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    pool, found, expected = (
        analysis.frame.of_series(key, series.id)
        for key in ("kv_pool_bytes", "kv_pool_bytes_per_token", "kv_bytes_per_token")
    )
    if _keeps_unevenly(analysis, series):
        return _unknown(series, UNEVEN)
    if found.value is None or expected.value is None or _is_computed(pool):
        tokens = analysis.frame.of_series("kv_pool_tokens", series.id)
        return _unknown(series, _why_unknown(pool, tokens, found, expected))
    excess = found.value - expected.value
    allowed = _rounding(pool) * expected.value * (1 + NOISE)
    return _agrees(series) if abs(excess) <= allowed else _differs(series, excess)


def _keeps_unevenly(analysis: Analysis, series: Series) -> bool:
    """Say whether some layers keep a window or a state: then engines count the tokens of a pool each in its own way."""
    return analysis.frame.of_series("state_bytes", series.id).value is not None


def _is_computed(pool: Value) -> bool:
    """Say whether the bytes come from the very shape that they would be compared with."""
    return any(one.address.metric == "kv_bytes_per_token" for one in pool.inputs)


def _rounding(pool: Value) -> float:
    """Return how far the pool may be from what it was rounded from, as a fraction; its tokens are a count."""
    if pool.decimals is None or not pool.value:
        return SLACK
    return half_a_digit(pool.decimals, "GiB") / pool.value


def _parts(series: Series) -> dict[str, Part]:
    return {
        "series": SeriesName(series.id),
        "found": series_value("kv_pool_bytes_per_token", series.id),
        "expected": series_value("kv_bytes_per_token", series.id),
    }


def _evidence(series: Series) -> tuple[Address, ...]:
    return tuple(Address(key, "series", series.id) for key in EVIDENCE)


def _agrees(series: Series) -> Finding:
    return Finding(
        check="kv_accounting",
        status="pass",
        series=series.id,
        evidence=_evidence(series),
        message=say(
            zh="{series} 的 KV 池每 token 占 {found}，与按模型形状算出的 {expected} 相符，差别在舍入之内。",
            en="The KV pool of {series} comes to {found} per token, which matches the {expected} of the model's "
            "shape to within rounding.",
            **_parts(series),
        ),
    )


MORE: Final = Text(
    zh="每步要读的 KV 若真有这么多，{series} 的下限就算低了，显得离硬件极限更远。",
    en="If a step really reads that much KV, the floor of {series} is too low, and it looks further from the hardware's limit "
    "than it is.",
)
LESS: Final = Text(
    zh="每步要读的 KV 若真只有这么多，{series} 的下限就算高了，显得离硬件极限更近。",
    en="If a step really reads that little KV, the floor of {series} is too high, and it looks closer to the hardware's limit "
    "than it is.",
)


def _differs(series: Series, excess: float) -> Finding:
    return Finding(
        check="kv_accounting",
        status="warn",
        series=series.id,
        evidence=_evidence(series),
        doubts=tuple(Address(key, "series", series.id) for key in ("kv_pool_bytes_per_token", "kv_bytes_per_token")),
        message=say(
            zh="{series} 的 KV 池每 token 占 {found}，按模型形状算出的却是 {expected}：KV 的精度、带 KV 的层数或块的划分与声明的不同。",
            en="The KV pool of {series} comes to {found} per token, but {expected} by the model's shape: the "
            "precision of the KV, the layers that keep one, or the blocks it is cut into are not as declared.",
            **_parts(series),
        ),
        bias=Sentence(MORE if excess > 0 else LESS, {"series": SeriesName(series.id)}),
        looks="worse" if excess > 0 else "better",
        remedy=say(
            zh="核对启动日志里的 KV 类型、层数与块大小，改正 round.toml 的 [model] 或 KV 池的两个数。",
            en="Look up type, layers and block size of the KV in the start-up log, and correct [model] of round.toml or the two "
            "numbers of the pool.",
        ),
    )


UNEVEN: Final = Text(
    zh="这个模型有的层只保留一个窗口或一个状态，池里每 token 的字节不是一个常数",
    en="some layers of the model keep a window or a state only, so bytes per token of the pool are not constant",
)
DERIVED: Final = Text(
    zh="池的字节数没有记录，是由同一个公式算出来的", en="its bytes are not on record but computed by the same formula"
)


def _why_unknown(pool: Value, *needed: Value) -> Text:
    if _is_computed(pool):
        return DERIVED
    return next((value.reason for value in needed if value.reason is not None), DERIVED)


def _unknown(series: Series, reason: Text) -> Finding:
    return Finding(
        check="kv_accounting",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 的 KV 池无从检查：{reason}。",
            en="The KV pool of {series} cannot be checked: {reason}.",
            series=SeriesName(series.id),
            reason=reason,
        ),
        remedy=say(
            zh="从启动日志里抄下 KV 池的字节数与 token 数（kv_pool_gib、kv_pool_tokens）。",
            en="Copy bytes and tokens of the KV pool from the start-up log (kv_pool_gib, kv_pool_tokens).",
        ),
    )
