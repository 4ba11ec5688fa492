"""Prefill against the length of the prompt: both fits, their terms, and the speed at each length."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import is_curved, sweep
from generator.across.levels import Place, Shown, at_level, known_at, level_table, number_at, seen_usable
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, FigureBlock, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.told.quoting import passage, series_value
from generator.told.sentence import Part, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("asked_input_tokens", Text(zh="要求的输入", en="input requested"), "tok"),
    Shown("prefill_tokens", Text(zh="真正算的输入", en="input computed"), "tok"),
    Shown("prefill_alone", Text(zh="prefill", en="prefill"), "ms"),
    Shown("prefill_speed", Text(zh="速度", en="speed"), "tok/s"),
)
OF_HARDWARE: Final = (
    Shown("prefill_floor", Text(zh="硬件下限", en="floor"), "ms"),
    Shown("prefill_mfu", Text(zh="算力利用率 MFU", en="MFU"), "%"),
    Shown("prefill_over_fp32", Text(zh="算力 ÷ 实测 FP32", en="compute ÷ FP32 probe"), "%"),
)
"""What hardware and model give, where they are known."""
LINE: Final = ("prefill_fixed", "prefill_fixed_error", "prefill_per_token", "prefill_per_token_error", "prefill_fit_r2")
CURVE: Final = (
    "prefill_curve_fixed", "prefill_curve_fixed_error", "prefill_curve_per_token", "prefill_per_token_squared", "prefill_per_token_squared_error",
    "prefill_curve_r2",
)  # fmt: skip


@section(checks=("prefill_roofline", "asked_vs_input"))
def prefill_length(analysis: Analysis) -> Chapter | None:
    """Draw prefill against length and print the terms of both fits."""
    swept = [series for series in analysis.round.series if _alone(analysis, series)]
    if not swept:
        return None
    blocks: list[Block] = [Paragraph(_intro()), FigureBlock("prefill_by_length")]
    for series in swept:
        blocks += [Paragraph(told) for told in _terms(analysis, series)]
        blocks += [ledger] if (ledger := _ledger(analysis, series)) is not None else []
        blocks += [Paragraph(BY_CLIENT, "note")] if not _by_server(analysis, series) else []
    known = [place for series in swept for place in _alone(analysis, series)]
    caption = say(
        zh="一次只有一条请求在途时，各种长度的 prefill",
        en="Prefill at each length, with one request in flight at a time",
    )
    blocks.append(level_table(analysis, "prefill-length-table", caption, _columns(analysis, known), known))
    return Chapter(say(zh="prefill 随输入长度怎样变", en="How prefill grows with the input"), tuple(blocks))


def _alone(analysis: Analysis, series: Series) -> list[Place]:
    """Return the levels of a sweep of lengths at which the prefill of a request alone is known, by rising length."""
    return [(series, level) for _, level in known_at(analysis, "prefill_alone", series, sweep(analysis, series))]


def _columns(analysis: Analysis, places: list[Place]) -> tuple[Shown, ...]:
    told = [
        one
        for one in OF_HARDWARE
        if any(number_at(analysis, at_level(one.metric, series, level)) is not None for series, level in places)
    ]
    return (*COLUMNS, *told)


def _intro() -> Sentence:
    return say(
        zh="prefill 的矩阵乘对每个 token 都一样多，所以时间先随长度线性增长；注意力要把每个 token 与它之前的全部 token 配对，"
        "那部分随长度的平方增长。截距是与长度无关的开销：调度、kernel 启动、首次采样。",
        en="The matrix products of a prefill are the same for each token, so its time first grows in line with the length. Attention "
        "pairs each token with all before it, and grows with the square. The intercept is what does not depend on the length: "
        "scheduling, kernel launches, the first sampling.",
    )


def _line(analysis: Analysis, series: Series) -> Sentence:
    parts: dict[str, Part] = {
        "s": SeriesName(series.id),
        "a": series_value("prefill_fixed", series.id),
        "b": series_value("prefill_per_token", series.id),
    }
    if analysis.frame.of_series("prefill_fit_r2", series.id).value is None:
        return Sentence(SLOPE, parts)
    return Sentence(SLOPE_AND_FIT, {**parts, "r": series_value("prefill_fit_r2", series.id, style="percent")})


SLOPE: Final = Text(
    zh="{s}：直线的斜率是 {b}，截距是 {a}。", en="{s}: the line has a slope of {b} and an intercept of {a}."
)
SLOPE_AND_FIT: Final = Text(
    zh="{s}：直线的斜率是 {b}，截距是 {a}，解释了 {r} 的方差。",
    en="{s}: the line has a slope of {b} and an intercept of {a}, and accounts for {r} of the variance.",
)


def _terms(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say which terms can be told from zero; why there is no fit, where there is none."""
    name, line = SeriesName(series.id), analysis.frame.of_series("prefill_per_token", series.id)
    if line.value is None:
        why = line.reason or Text(zh="没有记录", en="there is no record of it")
        return [say(zh="{s} 没有拟合：{why}。", en="{s} has no fit: {why}.", s=name, why=why)]
    curve = analysis.frame.of_series("prefill_per_token_squared", series.id)
    told = [_line(analysis, series), _fixed(analysis, series)]
    if curve.value is None:
        why = curve.reason or Text(zh="没有记录", en="there is no record of it")
        told.append(Sentence(NO_CURVE, {"why": why}))
    else:
        told.append(_bend(analysis, series))
    return [passage(*told)]


NO_CURVE: Final = Text(
    zh="没有拟合抛物线：{why}；所以这条直线只是平均，不说明增长是线性的。",
    en="There is no parabola: {why}. The line is therefore an average, and no evidence that the growth is straight.",
)


def _fixed(analysis: Analysis, series: Series) -> Sentence:
    term, error = (
        analysis.frame.of_series(key, series.id).value or 0.0 for key in ("prefill_fixed", "prefill_fixed_error")
    )
    if abs(term) > 2 * error:
        return say(zh="截距显著不为零。", en="The intercept can be told from zero.")
    return say(
        zh="截距不显著：不到标准误 {e} 的两倍。",
        en="The intercept cannot be told from zero: it is less than twice its standard error, {e}.",
        e=series_value("prefill_fixed_error", series.id),
    )


def _bend(analysis: Analysis, series: Series) -> Sentence:
    parts = {
        "c": series_value("prefill_per_token_squared", series.id),
        "e": series_value("prefill_per_token_squared_error", series.id),
    }
    if is_curved(analysis, series.id):
        return say(
            zh="抛物线的二次项 {c}（标准误 {e}）显著不为零，结论以抛物线为准。",
            en="The quadratic term of the parabola, {c} (standard error {e}), can be told from zero: the parabola stands.",
            **parts,
        )
    return say(
        zh="抛物线的二次项 {c}（标准误 {e}）不显著，分辨不出弯曲，结论以直线为准。",
        en="The quadratic term of the parabola, {c} (standard error {e}), cannot be told from zero: the line stands.",
        **parts,
    )


def _ledger(analysis: Analysis, series: Series) -> Ledger | None:
    groups = []
    for heading, keys in ((LINE_HEADING, LINE), (CURVE_HEADING, CURVE)):
        known = [key for key in keys if analysis.frame.of_series(key, series.id).value is not None]
        if known:
            groups.append(LedgerGroup(heading, tuple(LedgerLine(series_value(key, series.id)) for key in known)))
    if not groups:
        return None
    caption = say(
        zh="{s} 的两种拟合；fit(n, t, d, p) 是 d 次最小二乘多项式里 n 的 p 次项",
        en="Both fits of {s}; fit(n, t, d, p) is the term of n to the power p in a least-squares polynomial of degree d",
        s=SeriesName(series.id),
    )
    return Ledger(f"prefill-fit-{series.id}", caption, tuple(groups))


LINE_HEADING: Final = say(zh="直线 t = a + b·n", en="Line t = a + b·n")
CURVE_HEADING: Final = say(zh="抛物线 t = a + b·n + c·n²", en="Parabola t = a + b·n + c·n²")


def _by_server(analysis: Analysis, series: Series) -> bool:
    return bool(seen_usable(analysis, "ttft_prefill", series))


BY_CLIENT: Final = say(
    zh="服务端没有说 prefill 用了多久，这里用并发为一时客户端看到的 TTFT p50 代替：截距里还有网络、HTTP 与分词。",
    en="The server does not tell how long its prefill takes. The TTFT p50 that the client sees with one request in flight stands in "
    "for it: network, HTTP and tokenizing are in the intercept.",
)
