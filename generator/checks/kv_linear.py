"""Does a token in flight take as many bytes of the KV pool as the model's shape says?"""

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
from generator.values import Address

TOLERANCE: Final = 0.05
"""How far the measured bytes may be from the formula's: samples lag behind, and blocks are only rounded on average."""
ERRORS: Final = 3
"""Standard errors of the slope that are chance as well; neighbouring samples depend on each other, so two are too few."""
LOG_STEP: Final = 0.01 * 2**30
"""Bytes: vLLM's log gives the size of the pool in GiB with two decimals."""
EVIDENCE: Final = ("kv_bytes_measured", "kv_bytes_per_token_here", "kv_fit_r2", "kv_fit_samples_total")
KEYS: Final = {
    "measured": "kv_bytes_measured",
    "formula": "kv_bytes_per_token_here",
    "ratio": "kv_bytes_over_formula",
    "r2": "kv_fit_r2",
    "n": "kv_fit_samples_total",
}


@check(
    theme=MEMORY,
    title=Text(zh="KV 线性", en="KV linearity"),
    question=Text(
        zh="运行中每个在途 token 占的 KV 字节，是否等于按模型形状算出的？",
        en="Does each token in flight take the KV bytes of the model's shape while a run goes on?",
    ),
    rule=Text(
        zh="池占用对在途 token 数的最小二乘斜率 × 池的字节数，与按模型形状算出的每 token 字节相差超过 {tolerance}（或斜率的 {errors} 倍标准误差，取大者；池大小读自日志的，再加上日志的舍入），就警告。没有采样的，不适用。",
        en="A warning where the least-squares slope of pool use against tokens in flight, times the bytes of the pool, is off the bytes per token of the model's shape by more than {tolerance}, or {errors} standard errors of the slope if that is more; where the size of the pool was read from the log, what the log rounds off is allowed as well. Series without samples of them are not examined.",
    ).format(tolerance=f"{TOLERANCE:.0%}", errors=str(ERRORS)),
    stage="conclusions",
)
def kv_linear(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose pool was sampled."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    ratio = analysis.frame.of_series("kv_bytes_over_formula", series.id)
    if ratio.value is None:
        return _not_examined(analysis, series, ratio.reason)
    return _agrees(series) if abs(ratio.value - 1) <= _allowed(analysis, series) else _differs(analysis, series)


def _allowed(analysis: Analysis, series: Series) -> float:
    """Return how far the ratio may be from 1: chance, or the tolerance, and what the log rounds off the pool."""
    slope, error, pool, in_log = (
        analysis.frame.of_series(key, series.id).value
        for key in ("kv_slope", "kv_slope_error", "kv_pool_bytes", "log_kv_pool_bytes_of_series")
    )
    chance = ERRORS * error / slope if error and slope else 0.0
    rounded = LOG_STEP / 2 / pool if pool and pool == in_log else 0.0
    return max(TOLERANCE, chance) + rounded


def _parts(series: Series) -> dict[str, Part]:
    return {"s": SeriesName(series.id), **{name: series_value(key, series.id) for name, key in KEYS.items()}}


def _evidence(series: Series) -> tuple[Address, ...]:
    return tuple(Address(key, "series", series.id) for key in EVIDENCE)


def _agrees(series: Series) -> Finding:
    message = say(
        zh="{s} 每个在途 token 占 {measured}，公式给出 {formula}，是它的 {ratio}（{n} 个采样，R² = {r2}）。",
        en="With {s} a token in flight takes {measured}, {ratio} of the formula's {formula} ({n} {n:sample|samples}, R² = {r2}).",
        **_parts(series),
    )
    return Finding("kv_linear", "pass", message, series.id, evidence=_evidence(series))


MEASURED: Final = Text(
    zh="{s} 每个在途 token 占 {measured}，是公式 {formula} 的 {ratio}（{n} 个采样，R² = {r2}）",
    en="With {s} a token in flight takes {measured}, {ratio} of the formula's {formula} ({n} {n:sample|samples}, R² = {r2})",
)
WHY: Final = {
    "bytes": Text(
        zh="{told}。引擎给它的位置数没错，是池的字节 ÷ token 数与公式不同：KV 精度或带 KV 的层数与声明的不同，或日志里的池大小经过舍入。",
        en="{told}. The places that the engine counts for it are right; bytes ÷ tokens of the pool are not the formula's: precision or layers of the KV are not as declared, or the log rounds the size of the pool.",
    ),
    "more": Text(
        zh="{told}：按块取整多占了位置，或引擎为序列预留了位置。",
        en="{told}: rounding to blocks takes more places than is taken off here, or the engine keeps places for sequences.",
    ),
    "fewer": Text(
        zh="{told}：相同的前缀共用块，或滑动窗口的层只留窗口内的 token。",
        en="{told}: equal prefixes share blocks, or layers with a sliding window keep no more than it.",
    ),
}


def _differs(analysis: Analysis, series: Series) -> Finding:
    """Say which of the two factors is off: places for each token, or bytes of a place."""
    places = analysis.frame.of_series("kv_places_per_token", series.id).value
    why = "bytes" if places is None or abs(places - 1) <= TOLERANCE else "more" if places > 1 else "fewer"
    return Finding(
        "kv_linear",
        "warn",
        Sentence(WHY[why], {"told": Sentence(MEASURED, _parts(series))}),
        series.id,
        evidence=_evidence(series),
        remedy=say(
            zh="对照启动日志里的 KV 精度、层数与块大小，核对 round.toml 的 [model]；确认 prompt cache 是否关着。",
            en="Compare [model] of round.toml with precision, layers and blocks of the KV in the start-up log, and see whether "
            "the prompt cache was off.",
        ),
    )


def _not_examined(analysis: Analysis, series: Series, reason: Text | None) -> Finding:
    """Say why; nothing is to be examined where no run of the series was sampled at all."""
    is_empty = not _was_sampled(analysis, series)
    message = say(
        zh="{s} 的 KV 是否随在途 token 线性增长，无从检查：{why}。",
        en="Whether the KV of {s} grows in line with the tokens in flight cannot be checked: {why}.",
        s=SeriesName(series.id),
        why=reason or NOT_SAMPLED,
    )
    if is_empty:
        return Finding("kv_linear", "pass", message, series.id, is_empty=True)
    remedy = SHORTER if analysis.frame.of_series("kv_beyond_window", series.id).value else REMEDY
    return Finding("kv_linear", "unknown", message, series.id, remedy=remedy)


def _was_sampled(analysis: Analysis, series: Series) -> bool:
    sampled = (run for run, requests in analysis.round.requests.items() if requests.gauges is not None)
    return any(of == series.id for of, _, _ in sampled)


NOT_SAMPLED: Final = Text(zh="运行期间没有采样引擎", en="the engine was not sampled during the runs")
SHORTER: Final = say(
    zh="要与公式对照，就测一组总长不超过注意力窗口的请求。",
    en="To compare it with the formula, measure requests that are no longer than the attention window.",
)
REMEDY: Final = say(
    zh="让引擎报告 KV 池占用（vLLM 与 SGLang 的 /metrics），或打开 llama-server 的 /slots，再用 rounds collect 测量。",
    en="Have the engine give the use of its KV pool (/metrics of vLLM and SGLang), or switch on /slots of llama-server, and "
    "measure with rounds collect.",
)
