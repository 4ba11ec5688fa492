"""The verdict: who leads where, in one paragraph and a few numbers."""

from __future__ import annotations

from collections import Counter

from generator.blocks import Block, Card, Cards, Paragraph
from generator.corrections import corrections
from generator.findings import SEVERITY
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.pairs import compared_levels, counted_alike, first_bracket
from generator.quoting import level_value, pair_level_value, pair_value, passage, series_value
from generator.sentence import Count, LevelName, Listing, Part, SectionLink, Sentence, SeriesName, say
from generator.text import Text

STATUS_COUNTS = {
    "fail": Text(zh="{n} 项不通过", en="{n} failed"),
    "warn": Text(zh="{n} 项警告", en="{n} gave a warning"),
    "unknown": Text(zh="{n} 项无从检查", en="{n} could not be run"),
    "note": Text(zh="{n} 项提示", en="{n} gave a note"),
    "pass": Text(zh="{n} 项通过", en="{n} passed"),
}


@section(order=10)
def verdict(analysis: Analysis) -> Chapter:
    """Say who leads where; what the checks found; and the key numbers."""
    baseline = analysis.round.baseline
    leads = [_pair(analysis, baseline, compared) for compared in analysis.round.compared if baseline is not None]
    leads = leads or [_alone(analysis, series) for series in analysis.round.series]
    blocks: list[Block] = [Paragraph(lead, "lead") for lead in leads]
    blocks += [
        Cards(say(zh="{series}", en="{series}", series=SeriesName(series.id)), tuple(cards))
        for series in analysis.round.series
        if (cards := _cards(analysis, series))
    ]
    blocks.append(Paragraph(passage(_checks(analysis), *_corrected(analysis)), "note"))
    return Chapter(say(zh="结论", en="Verdict"), tuple(blocks))


def _pair(analysis: Analysis, baseline: Series, compared: Series) -> Sentence:
    step = _step_of_one_stream(analysis, baseline, compared)
    throughput = _throughput(analysis, baseline, compared)
    return throughput if step is None else passage(step, throughput)


def _step_of_one_stream(analysis: Analysis, baseline: Series, compared: Series) -> Sentence | None:
    measured = analysis.frame.of_pair("measured_speedup", compared.id)
    if measured.value is None:
        return None
    predicted = analysis.frame.of_pair("predicted_speedup", compared.id)
    level = measured.inputs[0].address.level or ""
    steps = say(
        zh="在 {level}，{compared} 的解码步长是 {own}，{baseline} 是 {other}：前者的解码速度是后者的 {speedup}",
        en="At {level} a decode step takes {own} on {compared} and {other} on {baseline}: {speedup} the speed",
        compared=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        level=LevelName(compared.id, level),
        own=level_value("itl_p50", compared.id, level),
        other=level_value("itl_p50", baseline.id, level),
        speedup=pair_value("measured_speedup", compared.id),
    )
    if predicted.value is None or predicted.inputs[0].address.level != level:
        return say(zh="{steps}。", en="{steps}.", steps=steps)
    return say(
        zh="{steps}，{predicted}。",
        en="{steps}, where {predicted}.",
        steps=steps,
        predicted=_predicted(analysis, compared),
    )


def _predicted(analysis: Analysis, compared: Series) -> Sentence:
    predicted, alike = pair_value("predicted_speedup", compared.id), counted_alike(analysis, compared.id)
    if alike is None:
        return say(zh="字节账预测 {p}", en="the bytes predict {p}", p=predicted)
    return say(
        zh="字节账预测 {p}（双方权重同一口径时 {alike}）",
        en="the bytes predict {p} ({alike} with weights counted alike)",
        p=predicted,
        alike=alike,
    )


def _throughput(analysis: Analysis, baseline: Series, compared: Series) -> Sentence:
    levels = compared_levels(analysis, compared.id)
    if not levels:
        return _no_ratio(analysis, compared)
    if len(levels) == 1:
        return _one_ratio(baseline, compared, levels[0])
    ends = _ends(baseline, compared, levels[0], levels[-1])
    if not analysis.frame.of_pair("crossover_count", compared.id).value:
        return say(
            zh="在共有的可用档位上，吞吐没有换位：{ends}",
            en="Over the usable levels that both have, throughput does not change hands: {ends}",
            ends=ends,
        )
    return _crossed(analysis, baseline, compared, ends)


def _crossed(analysis: Analysis, baseline: Series, compared: Series, ends: Sentence) -> Sentence:
    """Say who leads below the first crossing and who above it, between which levels it lies, and the ratios."""
    low, high = first_bracket(analysis, compared.id) or (compared.levels[0], compared.levels[-1])
    before = analysis.frame.of_pair_level("throughput_ratio", compared.id, low.id).value or 0.0
    first, second = (compared, baseline) if before > 1 else (baseline, compared)
    parts: dict[str, Part] = {
        "low": LevelName(compared.id, low.id),
        "high": LevelName(compared.id, high.id),
        "first": SeriesName(first.id),
        "ends": ends,
    }
    by_load = analysis.frame.of_pair("crossover_concurrency", compared.id).value is None
    if not by_load:
        parts["cross"] = pair_value("crossover_concurrency", compared.id, decimals=1)
    if analysis.frame.of_pair("crossover_count", compared.id).value == 1:
        return Sentence(ONCE_BY_LOAD if by_load else ONCE, {**parts, "second": SeriesName(second.id)})
    times = pair_value("crossover_count", compared.id)
    return Sentence(OFTEN_BY_LOAD if by_load else OFTEN, {**parts, "times": times})


ONCE = Text(
    zh="C ≈ {cross} 以下 {first} 吞吐更高，以上 {second} 反超（换位处在 {low} 与 {high} 之间）：{ends}",
    en="Up to C ≈ {cross} {first} delivers more, beyond it {second} does (they change places between {low} and {high}): "
    "{ends}",
)
ONCE_BY_LOAD = Text(
    zh="到 {low} 为止 {first} 吞吐更高，从 {high} 起 {second} 反超：{ends}",
    en="Up to {low} {first} delivers more, from {high} on {second} does: {ends}",
)
OFTEN = Text(
    zh="C ≈ {cross} 以下 {first} 吞吐更高；吞吐共换位 {times} 次，第一次在 {low} 与 {high} 之间：{ends}",
    en="Up to C ≈ {cross} {first} delivers more; throughput changes hands {times} times, first between {low} and {high}: "
    "{ends}",
)
OFTEN_BY_LOAD = Text(
    zh="到 {low} 为止 {first} 吞吐更高；吞吐共换位 {times} 次，第一次在 {low} 与 {high} 之间：{ends}",
    en="Up to {low} {first} delivers more; throughput changes hands {times} times, first between {low} and {high}: {ends}",
)


def _ends(baseline: Series, compared: Series, first: Level, last: Level) -> Sentence:
    return say(
        zh="{compared} 的吞吐在 {first} 是 {baseline} 的 {low}，在 {last} 是 {high}。",
        en="{compared} delivers {low} what {baseline} does at {first}, and {high} at {last}.",
        compared=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        first=LevelName(compared.id, first.id),
        last=LevelName(compared.id, last.id),
        low=pair_level_value("throughput_ratio", compared.id, first.id),
        high=pair_level_value("throughput_ratio", compared.id, last.id),
    )


def _one_ratio(baseline: Series, compared: Series, level: Level) -> Sentence:
    return say(
        zh="能比吞吐的档位只有 {level}，看不出换位：{compared} 是 {baseline} 的 {ratio}。",
        en="Throughput can be compared at {level} only, which shows no crossover: {compared} delivers {ratio} what "
        "{baseline} does.",
        compared=SeriesName(compared.id),
        baseline=SeriesName(baseline.id),
        level=LevelName(compared.id, level.id),
        ratio=pair_level_value("throughput_ratio", compared.id, level.id),
    )


def _no_ratio(analysis: Analysis, compared: Series) -> Sentence:
    reason = analysis.frame.of_pair("crossover_count", compared.id).reason
    return say(
        zh="吞吐在哪里换位无从得知：{reason}。",
        en="Where throughput changes hands cannot be said: {reason}.",
        reason=reason or Text(zh="没有记录吞吐", en="throughput was not recorded"),
    )


def _alone(analysis: Analysis, series: Series) -> Sentence:
    usable = analysis.usable(series.id)
    known = [x for x in usable if analysis.frame.of_level("output_throughput", series.id, x.id).value is not None]
    name = SeriesName(series.id)
    if not known:
        return say(zh="{series} 没有可用的吞吐数据。", en="{series} has no usable throughput.", series=name)
    best = max(known, key=lambda x: analysis.frame.of_level("output_throughput", series.id, x.id).value or 0.0)
    most = say(
        zh="{series} 的输出吞吐在 {level} 最高，为 {peak}。",
        en="{series} delivers most at {level}: {peak}.",
        series=name,
        level=LevelName(series.id, best.id),
        peak=level_value("output_throughput", series.id, best.id),
    )
    if analysis.frame.of_level("floor_ratio", series.id, best.id).value is None:
        return most
    step = say(
        zh="此时解码步长 {step}，地板是它的 {ratio}。",
        en="A decode step then takes {step}, of which its floor is {ratio}.",
        step=level_value("itl_p50", series.id, best.id),
        ratio=level_value("floor_ratio", series.id, best.id),
    )
    return passage(most, step)


def _cards(analysis: Analysis, series: Series) -> list[Card]:
    usable = analysis.usable(series.id)
    stepping = [x for x in usable if analysis.frame.of_level("itl_p50", series.id, x.id).value is not None]
    efficient = [x for x in usable if analysis.frame.of_level("floor_ratio", series.id, x.id).value is not None]
    cards = [_step(series, level) for level in stepping[:1]]
    cards += [_efficiency(series, level) for level in efficient[-1:]]
    if analysis.frame.of_series("marginal_step_cost", series.id).value is not None:
        cards.append(_marginal(analysis, series))
    return cards + [_spoilt(series, level) for level in series.levels if (series.id, level.id) in analysis.spoilt]


def _step(series: Series, level: Level) -> Card:
    return Card(
        label=_label(series, Text(zh="{level} 的解码步长", en="Decode step at {level}"), level),
        number=level_value("itl_p50", series.id, level.id),
        context=say(zh="地板 {floor}", en="floor {floor}", floor=level_value("decode_floor", series.id, level.id)),
    )


def _efficiency(series: Series, level: Level) -> Card:
    return Card(
        label=_label(series, Text(zh="{level} 的地板 ÷ 步长", en="Floor ÷ step at {level}"), level),
        number=level_value("floor_ratio", series.id, level.id),
        context=say(
            zh="连停顿与首字一起算为 {ratio}",
            en="{ratio} with stalls and first tokens",
            ratio=level_value("throughput_floor_ratio", series.id, level.id),
        ),
    )


def _marginal(analysis: Analysis, series: Series) -> Card:
    floor, times = (series_value(key, series.id) for key in ("marginal_floor", "marginal_cost_over_floor"))
    known = analysis.frame.values[times.address].value is not None
    inputs = analysis.frame.of_series("marginal_step_cost", series.id).inputs
    first, last = (LevelName(series.id, i.address.level or "") for i in inputs if i.name == "itl_p50")
    return Card(
        label=say(
            zh="{first} 到 {last} 平均每多一条请求的代价",
            en="Cost of one more request, on average from {first} to {last}",
            first=first,
            last=last,
        ),
        number=series_value("marginal_step_cost", series.id),
        context=say(zh="是地板 {floor} 的 {times}", en="{times} its floor of {floor}", floor=floor, times=times)
        if known
        else say(zh="地板 {floor}", en="floor {floor}", floor=floor),
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
    parts = tuple(Sentence(STATUS_COUNTS[s], {"n": Count(counts[s])}) for s in SEVERITY if counts[s])
    return say(
        zh="自检共 {all} 项：{parts}。",
        en="Of {all} self-checks, {parts}.",
        all=Count(sum(counts.values())),
        parts=Listing(parts),
    )


def _corrected(analysis: Analysis) -> list[Sentence]:
    """Point to the published definitions that do not hold, where there are any."""
    number = len(corrections(analysis))
    if not number:
        return []
    where = SectionLink("definitions", Text(zh="定义", en="Definitions"))
    if number == 1:
        return [
            say(zh="公开的定义有一处在「{d}」一节订正。", en="A published definition is corrected under {d}.", d=where)
        ]
    return [
        say(
            zh="公开的定义有 {n} 处在「{d}」一节订正。",
            en="{n} published definitions are corrected under {d}.",
            n=Count(number),
            d=where,
        )
    ]
