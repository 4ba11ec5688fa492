"""The answer: what a token in flight takes of the KV pool, against what the model's shape says."""

from __future__ import annotations

from typing import Final

from generator.across.levels import at_runs, level_names, seen_usable
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Card, Cards, FigureBlock, Paragraph
from generator.told.quoting import filled, passage, series_value
from generator.told.sentence import Part, Sentence, SeriesName, say

CLOSE: Final = 0.05
"""Off the formula by less than this, the two agree."""
STRAIGHT: Final = 0.98
"""Coefficient of determination from which on the samples lie on a line."""

FEW_LEVELS: Final = 3
"""Levels of one load up to which their samples lie in as many clusters, through which a line goes easily."""


@section(checks=("kv_linear",))
def kv_linearity(analysis: Analysis) -> Chapter:
    """State the bytes of a token by series, or why they are not known; then show the samples."""
    known = [series for series in analysis.round.series if _number(analysis, series, "kv_slope") is not None]
    told = [_told(analysis, series) for series in known]
    told += [_unknown(analysis, series) for series in analysis.round.series if series not in known]
    blocks: list[Block] = [Paragraph(one, "lead") for one in told]
    blocks += [_cards(analysis, series) for series in known]
    if known:
        blocks.append(FigureBlock("kv_linearity"))
    return Chapter(_heading(analysis, known), tuple(blocks))


def _number(analysis: Analysis, series: Series, key: str) -> float | None:
    return analysis.frame.of_series(key, series.id).value


def _heading(analysis: Analysis, known: list[Series]) -> Sentence:
    ratios = [ratio for series in known if (ratio := _number(analysis, series, "kv_bytes_over_formula")) is not None]
    if not ratios:
        return say(
            zh="结论：每 token 的 KV 无从与公式对照",
            en="Verdict: the KV of a token cannot be compared with the formula",
        )
    if all(abs(ratio - 1) <= CLOSE for ratio in ratios):
        return say(zh="结论：KV 与公式相符", en="Verdict: KV is what the formula says")
    return say(zh="结论：KV 与公式不符", en="Verdict: KV is not what the formula says")


def _parts(series: Series) -> dict[str, Part]:
    keys = {
        "each": "kv_bytes_measured", "formula": "kv_bytes_per_token_here", "ratio": "kv_bytes_over_formula", "r2": "kv_fit_r2",
        "n": "kv_fit_samples_total", "slope": "kv_slope", "places": "kv_places_per_token",
    }  # fmt: skip
    return {"s": SeriesName(series.id), **{name: series_value(key, series.id) for name, key in keys.items()}}


def _told(analysis: Analysis, series: Series) -> Sentence:
    r2 = _number(analysis, series, "kv_fit_r2") or 0.0
    told = [
        filled(_text(analysis, series), {**_parts(series), "why": _why_no_formula(analysis, series)}),
        filled(LINE if r2 >= STRAIGHT else SCATTERED, _parts(series)),
    ]
    told += _of_few_levels(analysis, series)
    if _number(analysis, series, "kv_places_per_token") is not None:
        told += [filled(PLACES, _parts(series)), *_of_windows(analysis, series)]
    if _is_of_shape(analysis, series):
        told.append(IN_TOKENS)
    elif _is_of_slots(analysis, series):
        told.append(OF_SLOTS)
    return passage(*told)


def _text(analysis: Analysis, series: Series) -> Text:
    if _number(analysis, series, "kv_bytes_over_formula") is not None:
        return AGAINST_FORMULA
    return MEASURED if _number(analysis, series, "kv_bytes_measured") is not None else SLOPE


def _of_few_levels(analysis: Analysis, series: Series) -> list[Sentence]:
    levels = [level for _, level in seen_usable(analysis, "kv_fit_samples", series)]
    if len(levels) > FEW_LEVELS or len({level.order for level in levels}) != 1:
        return []
    return [Sentence(OF_LEVELS, {"l": level_names(series, levels)})]


def _of_windows(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say why a token does not take one place, where the model has windows that no request outgrows."""
    places, windows, beyond = (
        _number(analysis, series, key) for key in ("kv_places_per_token", "kv_window_elements", "kv_beyond_window")
    )
    return [WINDOWS] if windows and not beyond and places is not None and abs(places - 1) > CLOSE else []


def _is_of_shape(analysis: Analysis, series: Series) -> bool:
    """Say whether the bytes of the pool come from the very formula that they are compared with."""
    return _number(analysis, series, "kv_bytes_measured") is not None and _pool_is_of_shape(analysis, series)


def _pool_is_of_shape(analysis: Analysis, series: Series) -> bool:
    pool = analysis.frame.of_series("kv_pool_bytes", series.id)
    return any(one.address.metric == "kv_bytes_per_token" for one in pool.inputs)


def _is_of_slots(analysis: Analysis, series: Series) -> bool:
    """Say whether the use of the pool was computed from the tokens in slots."""
    runs = analysis.frame.known(at_runs("kv_fit_usage_mean", series))
    return any("settled_slot_tokens" in (value.formula or "") for value in runs)


def _why_no_formula(analysis: Analysis, series: Series) -> Text:
    return analysis.frame.of_series("kv_bytes_per_token_here", series.id).reason or NO_SHAPE


NO_SHAPE: Final = Text(zh="没有记录模型形状", en="no shape of the model is on record")
AGAINST_FORMULA: Final = Text(
    zh="{s} 每个在途 token 在 KV 池里占 {each}，公式给出 {formula}，实测是它的 {ratio}。",
    en="With {s} each token in flight takes {each} of the KV pool; the formula gives {formula}, so it is {ratio} of that.",
)
MEASURED: Final = Text(
    zh="{s} 每个在途 token 在 KV 池里平均占 {each}；没有可以对照的公式（{why}）。",
    en="With {s} each token in flight takes {each} of the KV pool on average; there is no formula to compare it with ({why}).",
)
SLOPE: Final = Text(
    zh="{s} 的池占用随在途 token 数上升，斜率 {slope}；池有多少字节没有记录，换算不成字节。",
    en="The pool use of {s} rises with the tokens in flight by {slope}; the bytes of the pool are not on record, so it is no number "
    "of bytes.",
)
LINE: Final = Text(
    zh="{n} 个采样落在一条直线上（R² = {r2}）。",
    en="Its {n} {n:sample lies|samples lie} on a line (R² = {r2}).",
)
SCATTERED: Final = Text(
    zh="{n} 个采样没有落在一条直线上（R² = {r2}），这个数只是平均。",
    en="Its {n} {n:sample does|samples do} not lie on a line (R² = {r2}): the number is no more than an average.",
)
WINDOWS: Final = say(
    zh="模型带注意力窗口：引擎按最长的请求折算池的 token 数，所以一个位置不正好是这里的一个 token。",
    en="The model has attention windows: the engine states the tokens of its pool by its longest request, so a place is not quite "
    "a token of these.",
)
OF_LEVELS: Final = Text(
    zh="采样只来自 {l}，在途 token 数聚成这么几处，线性说明不了多少。",
    en="The samples are of {l} alone, with their tokens in flight close together at each: a line through them says little.",
)
PLACES: Final = Text(
    zh="按引擎自己的记账，一个 token 占 {places} 个位置。",
    en="By the engine's own account a token takes {places} {places:place|places}.",
)
IN_TOKENS: Final = say(
    zh="池的字节是由同一个公式按 token 数算出的，所以这里核对的是 token 的计数，不是字节。",
    en="The bytes of the pool come from its tokens by the same formula: what is checked here is the count of tokens, not bytes.",
)
OF_SLOTS: Final = say(
    zh="占用由各槽位的 token 数换算，所以这里核对的是 token 的计数，不是显存。",
    en="The use is computed from the tokens in the slots: what is checked here is the count of tokens, not memory.",
)


def _unknown(analysis: Analysis, series: Series) -> Sentence:
    reason = analysis.frame.of_series("kv_slope", series.id).reason
    told = say(
        zh="{s} 的 KV 是否随在途 token 线性增长，无从得知：{why}。",
        en="Whether the KV of {s} grows in line with the tokens in flight is not known: {why}.",
        s=SeriesName(series.id),
        why=reason or NOT_SAMPLED,
    )
    return passage(told, *_of_pool(analysis, series))


def _of_pool(analysis: Analysis, series: Series) -> list[Sentence]:
    """Hold the bytes of the pool ÷ its tokens against the formula: neither needs a load."""
    pool, formula = (_number(analysis, series, key) for key in ("kv_pool_bytes_per_token", "kv_bytes_per_token_here"))
    if pool is None or formula is None or _pool_is_of_shape(analysis, series):
        return []
    keys = {"pool": "kv_pool_bytes_per_token", "formula": "kv_bytes_per_token_here"}
    text = POOL_AGREES if abs(pool / formula - 1) <= CLOSE else POOL_DIFFERS
    return [Sentence(text, {name: series_value(key, series.id) for name, key in keys.items()})]


POOL_AGREES: Final = Text(
    zh="不看负载，池的字节 ÷ 池的 token 数是每 token {pool}，与公式的 {formula} 相符。",
    en="Without a load, bytes ÷ tokens of the pool are {pool} a token, which agrees with the formula's {formula}.",
)
POOL_DIFFERS: Final = Text(
    zh="不看负载，池的字节 ÷ 池的 token 数是每 token {pool}，公式给出 {formula}。",
    en="Without a load, bytes ÷ tokens of the pool are {pool} a token, against the formula's {formula}.",
)


NOT_SAMPLED: Final = Text(zh="没有采样", en="it was not sampled")
LABELS: Final = (
    ("kv_bytes_measured", say(zh="每 token，实测", en="per token, measured"), say(zh="斜率 × 池的字节", en="slope × bytes of the pool")),
    ("kv_bytes_per_token_here", say(zh="每 token，公式", en="per token, formula"), say(zh="按模型形状", en="by the model's shape")),
    ("kv_bytes_over_formula", say(zh="实测 ÷ 公式", en="measured ÷ formula"), say(zh="越接近 100% 越相符", en="a hundred per cent where they agree")),
    ("kv_places_per_token", say(zh="每 token 占的位置", en="places per token"), say(zh="按引擎的记账，恰好占一个位置为宜", en="by the engine's account, one is exact")),
    ("kv_fit_r2", say(zh="R²", en="R²"), say(zh="全部落在直线上为一", en="one where all lie on the line")),
)  # fmt: skip


def _cards(analysis: Analysis, series: Series) -> Cards:
    cards = (
        Card(label, series_value(key, series.id), context)
        for key, label, context in LABELS
        if _number(analysis, series, key) is not None
    )
    return Cards(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(cards))
