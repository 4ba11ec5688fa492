"""The account of bytes per token: what the model's shape gives, what the pool holds, what was measured."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.told.blocks import Block, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.told.quoting import series_value
from generator.told.sentence import Quantity, Sentence, SeriesName, say
from generator.values import Address

OF_SHAPE: Final = ("layers", "kv_heads", "head_dim", "kv_dtype_bytes")
OF_SERIES: Final = ("kv_pool_bytes", "kv_pool_tokens", "kv_pool_bytes_per_token")
MEASURED: Final = ("kv_slope", "kv_slope_error", "kv_intercept", "kv_places_per_token", "kv_bytes_measured")


@section()
def kv_account(analysis: Analysis) -> Chapter | None:
    """Set out the three ways to the bytes of a token, as far as each is known."""
    groups = [_shape(analysis), *(_of_series(analysis, series) for series in analysis.round.series)]
    known = tuple(group for group in groups if group.lines)
    if not known:
        return None
    caption = say(zh="每个 token 的 KV 字节", en="KV bytes per token")
    blocks: list[Block] = [Paragraph(_intro()), Ledger("kv-account", caption, known)]
    return Chapter(say(zh="每 token 字节的账", en="The account of bytes per token"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="同一个数有三条来路：模型形状（K 与 V 两份 × 层数 × KV 头数 × 头维度 × 每个元素的字节）、池的字节 ÷ 池的 token 数、运行中的斜率 × 池的字节。前两条不需要负载，第三条只有跑起来才知道。",
        en="There are three ways to one number: the model's shape (K and V × layers × KV heads × head dimension × bytes of an "
        "element), bytes of the pool ÷ tokens of the pool, and the slope during the runs × bytes of the pool. The first two need no "
        "load; the third shows only under one.",
    )


def _shape(analysis: Analysis) -> LedgerGroup:
    lines = [LedgerLine(Quantity(found)) for key in OF_SHAPE if (found := _anywhere(analysis, key)) is not None]
    each = _anywhere(analysis, "kv_bytes_per_token")
    total = [LedgerLine(Quantity(each), is_sum=True)] if each is not None else []
    return LedgerGroup(say(zh="按模型形状", en="By the model's shape"), (*lines, *total))


def _anywhere(analysis: Analysis, key: str) -> Address | None:
    """Return where a number of the model stands: of the round, or where it is one of the series, of the first."""
    places = [Address(key, "round"), *(Address(key, "series", series.id) for series in analysis.round.series)]
    return next((value.address for value in analysis.frame.known(places)), None)


def _of_series(analysis: Analysis, series: Series) -> LedgerGroup:
    keys = [key for key in (*OF_SERIES, *MEASURED) if analysis.frame.of_series(key, series.id).value is not None]
    lines = [LedgerLine(series_value(key, series.id)) for key in keys]
    if analysis.frame.of_series("kv_bytes_over_formula", series.id).value is not None:
        lines.append(LedgerLine(series_value("kv_bytes_over_formula", series.id), is_sum=True))
    return LedgerGroup(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(lines))
