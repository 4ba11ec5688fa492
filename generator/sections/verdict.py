"""The verdict: who leads where, in one paragraph and a few numbers."""

from __future__ import annotations

from collections import Counter

from generator.blocks import Block, Card, Cards, Paragraph
from generator.findings import SEVERITY
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.quoting import level_value, pair_level_value, pair_value, series_value
from generator.sentence import Count, LevelName, Listing, Part, Sentence, SeriesName, say
from generator.text import Text

STATUS_COUNTS = {
    "fail": Text(zh="{n} 项不通过", en="{n} failed"),
    "warn": Text(zh="{n} 项警告", en="{n} warned"),
    "unknown": Text(zh="{n} 项无从检查", en="{n} could not be checked"),
    "note": Text(zh="{n} 项提示", en="{n} noted"),
    "pass": Text(zh="{n} 项通过", en="{n} passed"),
}


@section(order=10)
def verdict(analysis: Analysis) -> Chapter:
    """Say who leads where; what the checks found; and the key numbers."""
    paragraphs = [Paragraph(_pair(analysis, compared), "lead") for compared in analysis.round.compared]
    if not paragraphs:
        paragraphs = [Paragraph(_alone(analysis, series), "lead") for series in analysis.round.series]
    blocks: list[Block] = [*paragraphs]
    for series in analysis.round.series:
        if cards := _cards(analysis, series):
            blocks.append(Cards(say(zh="{series}", en="{series}", series=SeriesName(series.id)), tuple(cards)))
    blocks.append(Paragraph(_checks(analysis), "note"))
    return Chapter(say(zh="结论", en="Verdict"), tuple(blocks))


def _pair(analysis: Analysis, compared: Series) -> Sentence:
    baseline = analysis.round.baseline
    if baseline is None:
        return _alone(analysis, compared)
    names = {"compared": SeriesName(compared.id), "baseline": SeriesName(baseline.id)}
    crossing = analysis.frame.of_pair("crossover_concurrency", compared.id)
    ratios = _usable_ratios(analysis, compared)
    if not ratios:
        reason = crossing.reason or Text(zh="吞吐没有记录", en="throughput was not recorded")
        return _join(_single_stream(analysis, compared, names), _no_ratio(reason))
    first, last = ratios[0], ratios[-1]
    ends: dict[str, Part] = {
        "first": LevelName(compared.id, first.id),
        "last": LevelName(compared.id, last.id),
        "low": pair_level_value("throughput_ratio", compared.id, first.id),
        "high": pair_level_value("throughput_ratio", compared.id, last.id),
    }
    if crossing.value is None:
        return _join(_single_stream(analysis, compared, names), say(NEVER.zh, NEVER.en, **names, **ends))
    cross = pair_value("crossover_concurrency", compared.id, decimals=1)
    return _join(_single_stream(analysis, compared, names), say(CROSS.zh, CROSS.en, **names, **ends, cross=cross))


CROSS = Text(
    zh="吞吐在 C ≈ {cross} 处换位：{compared} 是 {baseline} 的 {low}（{first}）到 {high}（{last}）。",
    en=" Throughput changes hands at C ≈ {cross}: {compared} delivers {low} of {baseline} at {first} and {high} at "
    "{last}.",
)
NEVER = Text(
    zh="在共有的可用档位上吞吐没有换位：{compared} 是 {baseline} 的 {low}（{first}）到 {high}（{last}）。",
    en=" Throughput does not change hands over the usable levels that both have: {compared} delivers {low} of "
    "{baseline} at {first} and {high} at {last}.",
)


def _usable_ratios(analysis: Analysis, compared: Series) -> list[Level]:
    baseline = analysis.round.baseline
    if baseline is None:
        return []
    usable = {level.id for level in analysis.usable(baseline.id)} & {level.id for level in analysis.usable(compared.id)}
    return [
        level
        for level in analysis.shared(compared.id)
        if level.id in usable
        and analysis.frame.of_pair_level("throughput_ratio", compared.id, level.id).value is not None
    ]


def _single_stream(analysis: Analysis, compared: Series, names: dict[str, SeriesName]) -> Sentence:
    speedup = analysis.frame.of_pair("measured_speedup", compared.id)
    if speedup.value is None or not speedup.inputs:
        return say(zh="", en="")
    level = speedup.inputs[0].address.level or ""
    return say(
        zh="在 {level}，{compared} 的解码步长是 {own}，{baseline} 是 {other}，实测加速 {speedup}，字节账预测 {predicted}。",
        en="At {level} a decode step takes {own} on {compared} and {other} on {baseline}: a measured speed-up of "
        "{speedup}, where the bytes predict {predicted}.",
        **names,
        level=LevelName(compared.id, level),
        own=level_value("itl_p50", compared.id, level),
        other=level_value("itl_p50", names["baseline"].series, level),
        speedup=pair_value("measured_speedup", compared.id),
        predicted=pair_value("predicted_speedup", compared.id),
    )


def _no_ratio(reason: Text) -> Sentence:
    return say(
        zh="吞吐在哪里换位无从得知：{reason}。",
        en=" Where throughput changes hands cannot be said: {reason}.",
        reason=reason,
    )


def _join(first: Sentence, second: Sentence) -> Sentence:
    text = Text(zh=first.text.zh + second.text.zh, en=(first.text.en + second.text.en).strip())
    return Sentence(text, {**first.parts, **second.parts})


def _alone(analysis: Analysis, series: Series) -> Sentence:
    usable = analysis.usable(series.id)
    known = [x for x in usable if analysis.frame.of_level("output_throughput", series.id, x.id).value is not None]
    if not known:
        return say(
            zh="{series} 没有可用的吞吐数据。",
            en="{series} has no usable throughput.",
            series=SeriesName(series.id),
        )
    best = max(known, key=lambda x: analysis.frame.of_level("output_throughput", series.id, x.id).value or 0.0)
    return say(
        zh="{series} 的输出吞吐在 {level} 最高，为 {peak}；此时解码步长 {step}，达到地板的 {ratio}。",
        en="{series} delivers most at {level}, {peak}; a decode step then takes {step} and reaches {ratio} of its floor.",
        series=SeriesName(series.id),
        level=LevelName(series.id, best.id),
        peak=level_value("output_throughput", series.id, best.id),
        step=level_value("itl_p50", series.id, best.id),
        ratio=level_value("floor_ratio", series.id, best.id),
    )


def _cards(analysis: Analysis, series: Series) -> list[Card]:
    cards = []
    known = [x for x in analysis.usable(series.id) if analysis.frame.of_level("itl_p50", series.id, x.id).value]
    if known:
        cards += [_step(series, known[0]), _efficiency(series, known[-1])]
    if analysis.frame.of_series("marginal_step_cost", series.id).value is not None:
        cards.append(_marginal(series))
    cards += [_spoilt(series, level) for level in series.levels if (series.id, level.id) in analysis.spoilt]
    return cards


def _step(series: Series, level: Level) -> Card:
    return Card(
        label=_label(series, Text(zh="{level} 的解码步长", en="Decode step at {level}"), level),
        number=level_value("itl_p50", series.id, level.id),
        context=say(zh="地板 {floor}", en="floor {floor}", floor=level_value("decode_floor", series.id, level.id)),
    )


def _efficiency(series: Series, level: Level) -> Card:
    return Card(
        label=_label(series, Text(zh="{level} 达到地板的比例", en="Share of the floor at {level}"), level),
        number=level_value("floor_ratio", series.id, level.id),
        context=say(
            zh="算上停顿为 {ratio}",
            en="{ratio} with stalls",
            ratio=level_value("throughput_floor_ratio", series.id, level.id),
        ),
    )


def _marginal(series: Series) -> Card:
    return Card(
        label=say(zh="每多一条并发的代价", en="Cost of one more in flight"),
        number=series_value("marginal_step_cost", series.id),
        context=say(
            zh="地板 {floor}，是它的 {times}",
            en="floor {floor}, {times} of it",
            floor=series_value("marginal_floor", series.id),
            times=series_value("marginal_cost_over_floor", series.id),
        ),
    )


def _spoilt(series: Series, level: Level) -> Card:
    return Card(
        label=_label(series, Text(zh="{level} 不进入结论", en="{level}, left out"), level),
        number=level_value("output_throughput", series.id, level.id),
        context=say(zh="自检判为失效", en="found spoilt by a check"),
    )


def _label(series: Series, text: Text, level: Level) -> Sentence:
    return Sentence(text, {"level": LevelName(series.id, level.id)})


def _checks(analysis: Analysis) -> Sentence:
    counts = Counter(finding.status for finding in analysis.findings)
    parts = tuple(STATUS_COUNTS[status].format(n=counts[status]) for status in SEVERITY if counts[status])
    return say(
        zh="自检共 {all} 项：{parts}。",
        en="Of {all} conclusions of the self-checks, {parts}.",
        all=Count(sum(counts.values())),
        parts=Listing(parts),
    )
