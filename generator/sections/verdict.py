"""The verdict: who leads where, in one paragraph and a few numbers."""

from __future__ import annotations

from typing import Final

from generator.across.corrections import corrections
from generator.across.excluded import ANOMALY, tell_past
from generator.across.failures import ended, failed
from generator.across.floors import counts_whole_file
from generator.across.ladders import rungs_of
from generator.across.levels import highest, known_at, slope_ends, slope_is_told
from generator.deciding.between_levels import turning_place
from generator.deciding.changing import change_at, tell_change
from generator.frame import Analysis
from generator.model import Level, Series
from generator.pairs import (
    compared_levels,
    counted_alike,
    first_bracket,
    is_provisional,
    no_winner,
    rests_on_unequal,
    unequal_levels,
)
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Card, Cards, Paragraph
from generator.told.findings import Finding
from generator.told.quoting import crossing_of, joined, level_value, pair_level_value, pair_value, passage, series_value
from generator.told.sentence import Count, LevelName, Part, Quantity, SectionLink, Sentence, SeriesName, say


@section()
def verdict(analysis: Analysis) -> Chapter:
    """Say who leads where, and the key numbers."""
    blocks: list[Block] = [
        Paragraph(_qualitative(finding), "caution") for finding in analysis.warnings_of("reporting_demands")
    ]
    blocks += [Paragraph(lead, "lead") for lead in _leads(analysis)]
    blocks += [
        Cards(say(zh="{series}", en="{series}", series=SeriesName(series.id)), tuple(cards))
        for series in analysis.round.series
        if (cards := _cards(analysis, series))
    ]
    blocks += [Paragraph(corrected, "note") for corrected in _corrected(analysis)]
    return Chapter(say(zh="结论", en="Verdict"), tuple(blocks))


def _leads(analysis: Analysis) -> list[Sentence]:
    """Return a paragraph for each pair, else for each series; none where an author has told of series alone."""
    baseline, compared = analysis.round.baseline, analysis.round.compared
    if baseline is not None and compared:
        first, *others = compared
        pairs = [_pair(analysis, baseline, first, baseline, first), *(_pair(analysis, baseline, s, s) for s in others)]
        return [pair for pair in pairs if pair.parts]
    if _is_told(analysis):
        return []
    return [
        passage(*ended(analysis, series), _alone(analysis, series), *failed(analysis, series))
        for series in analysis.round.series
    ]


def _is_told(analysis: Analysis) -> bool:
    """Say whether the authors wrote a verdict."""
    return analysis.round.prose_of("verdict", "en") is not None


def _qualitative(finding: Finding) -> Sentence:
    return say(
        zh="仅供定性参考：下面的数看得出方向与量级，但不足以分出两个水平相近的引擎。{why}",
        en="Qualitative only: the figures below show directions and orders of magnitude, and cannot separate two "
        "engines that are close. {why}",
        why=finding.message,
    )


def _pair(analysis: Analysis, baseline: Series, compared: Series, *failing: Series) -> Sentence:
    """Return what is known of a pair, and the failures of some series.

    The lead over all loads goes before the step of a single stream, which may be the other side's. That throughput
    cannot be compared is left to the authors where they wrote.
    """
    step = _step_of_one_stream(analysis, baseline, compared)
    known = compared_levels(analysis, compared.id)
    throughput = _throughput(analysis, baseline, compared) if known or not _is_told(analysis) else None
    told = (
        (throughput, step)
        if _names_the_lead(analysis, compared, _of_same_work(analysis, compared))
        else (step, throughput)
    )
    endings = (one for series in failing for one in ended(analysis, series))
    failures = (one for series in failing for one in failed(analysis, series))
    return passage(*endings, *(one for one in told if one is not None), *failures)


def _step_of_one_stream(analysis: Analysis, baseline: Series, compared: Series) -> Sentence | None:
    measured = analysis.frame.of_pair("measured_speedup", compared.id)
    if measured.value is None:
        return None
    predicted = analysis.frame.of_pair("predicted_speedup", compared.id)
    level = measured.inputs[0].address.level or ""
    steps = say(
        zh="在 {level}，{compared} 的解码步长（为每条在途请求产出一个 token 的时间）是 {own}，{baseline} 是 {other}："
        "前者的解码速度是后者的 {speedup}",
        en="At {level} a decode step (one token for each request in flight) takes {own} on {compared} and {other} on "
        "{baseline}: {compared} is {speedup} as fast",
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
        en="{steps}; {predicted}.",
        steps=steps,
        predicted=_predicted(analysis, compared),
    )


def _predicted(analysis: Analysis, compared: Series) -> Sentence:
    predicted, alike = pair_value("predicted_speedup", compared.id), counted_alike(analysis, compared.id)
    if alike is None:
        return say(zh="{ledger}预测 {p}", en="{ledger} predict {p}", ledger=LEDGER, p=predicted)
    return say(
        zh="{ledger}预测 {alike}（双方按同一权重口径计）",
        en="{ledger} predict {alike} with weights counted alike",
        ledger=LEDGER,
        alike=alike,
    )


LEDGER: Final = SectionLink("byte_ledger", Text(zh="字节账", en="byte counts"))


def _throughput(analysis: Analysis, baseline: Series, compared: Series) -> Sentence:
    levels = _of_same_work(analysis, compared)
    refused = no_winner(analysis, compared.id)
    if not levels:
        return refused or _no_ratio(analysis, compared)
    told = _of_equal_work(analysis, baseline, compared, levels)
    return passage(told, refused) if refused is not None else told


def _of_same_work(analysis: Analysis, compared: Series) -> list[Level]:
    unequal = unequal_levels(analysis, compared.id)
    return [level for level in compared_levels(analysis, compared.id) if level not in unequal]


def _names_the_lead(analysis: Analysis, compared: Series, levels: list[Level]) -> bool:
    """Say whether levels tell who leads at which load: several loads, and none of unequal work where it changes hands."""
    return len({level.load for level in levels}) > 1 and not rests_on_unequal(analysis, compared.id)


def _of_equal_work(analysis: Analysis, baseline: Series, compared: Series, levels: list[Level]) -> Sentence:
    """Say who leads at levels of the same work, and where the lead changes hands if that rests on them."""
    if len(levels) == 1:
        return _one_ratio(baseline, compared, levels[0])
    ends = _ends(baseline, compared, levels[0], levels[-1])
    if not _names_the_lead(analysis, compared, levels):  # a sweep of lengths: there the load decides nothing
        return ends
    if not analysis.frame.of_pair("crossover_count", compared.id).value:
        return say(
            zh="在共有的可用档位上，吞吐始终是 {leader} 领先：{ends}",
            en="Across the usable levels that both have, {leader} keeps the lead in throughput: {ends}",
            leader=SeriesName(_leader(analysis, baseline, compared, levels).id),
            ends=ends,
        )
    return _crossed(analysis, baseline, compared, ends)


def _leader(analysis: Analysis, baseline: Series, compared: Series, levels: list[Level]) -> Series:
    """Return the side that delivers more where the lead never changes hands."""
    ratios = [analysis.frame.of_pair_level("throughput_ratio", compared.id, level.id).value or 0.0 for level in levels]
    return compared if max(ratios) > 1 else baseline


def _crossed(analysis: Analysis, baseline: Series, compared: Series, ends: Sentence) -> Sentence:
    """Say who leads up to the levels between which the lead first changes, who from there on, and that nobody does between."""
    low, high = first_bracket(analysis, compared.id) or (compared.levels[0], compared.levels[-1])
    before = analysis.frame.of_pair_level("throughput_ratio", compared.id, low.id).value or 0.0
    sides = (compared.id, baseline.id) if before > 1 else (baseline.id, compared.id)
    pair, unsettled = (baseline, compared), _unsettled(analysis, baseline, compared, (low, high))
    is_last = analysis.frame.of_pair("crossover_count", compared.id).value == 1
    told = tell_change(analysis, pair, change_at(analysis, pair, (low, high)), sides, unsettled, is_last=is_last)
    if is_last:
        return say(zh="{told}：{ends}", en="{told}: {ends}", told=told, ends=ends)
    parts: dict[str, Part] = {
        "told": told,
        "low": LevelName(compared.id, low.id),
        "high": LevelName(compared.id, high.id),
        "times": pair_value("crossover_count", compared.id),
    }
    return Sentence(OFTEN, {**parts, "unsettled": unsettled, "ends": ends})


OFTEN = Text(
    zh="{told}；领先者共更替 {times} 次，第一次在 {low} 与 {high} 之间，那里{unsettled}：{ends}",
    en="{told}; the lead changes {times} times, first between {low} and {high}, where {unsettled}: {ends}",
)


def _unsettled(analysis: Analysis, baseline: Series, compared: Series, gap: tuple[Level, Level]) -> Sentence:
    """Say that nothing settles who leads between two levels, on the way to what the guide says of them, and where curves meet."""
    place = turning_place(analysis, (baseline, compared), gap)
    who = SectionLink(place, WHO_LEADS) if place is not None else WHO_LEADS
    if analysis.frame.of_pair("crossover_concurrency", compared.id).value is None:
        return say(zh="{who}", en="{who}", who=who)
    return Sentence(
        MEET_AT_ABOUT if is_provisional(analysis, compared.id) else MEET_AT,
        {"who": who, "c": crossing_of("crossover_concurrency", compared.id)},
    )


WHO_LEADS: Final = Text(zh="谁领先未定", en="who leads is not settled")
MEET_AT: Final = Text(zh="{who}（曲线在 C ≈ {c} 相交）", en="{who} (the curves meet at C ≈ {c})")
MEET_AT_ABOUT: Final = Text(
    zh="{who}（曲线暂定在 C ≈ {c} 相交）", en="{who} (the curves meet, provisionally, at C ≈ {c})"
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
        zh="能比吞吐的档位只有 {level}，看不出领先者是否更替：{compared} 是 {baseline} 的 {ratio}。",
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
        zh="交叉点算不出来：{reason}。",
        en="The crossover cannot be computed: {reason}.",
        reason=reason or Text(zh="没有记录吞吐", en="throughput was not recorded"),
    )


def _alone(analysis: Analysis, series: Series) -> Sentence:
    known = known_at(analysis, "output_throughput", series, rungs_of(analysis, series))
    name = SeriesName(series.id)
    if not known:
        return say(zh="{series} 没有可用的吞吐数据。", en="{series} has no usable throughput.", series=name)
    best = highest(known)
    past = tell_past(analysis, series, best)
    most = Sentence(
        DELIVERS if len(series.levels) == 1 else DELIVERS_MOST,
        {
            "series": name,
            "level": LevelName(series.id, best.id),
            "peak": level_value("output_throughput", series.id, best.id),
        },
    )
    if analysis.frame.of_level("floor_ratio", series.id, best.id).value is None:
        return passage(most, *past)
    step = say(
        zh="此时一个解码步（为每条在途请求产出一个 token）要 {step}，下限（硬件允许的最短步长）是它的 {ratio}。",
        en="A decode step (one token for each request in flight) then takes {step}; its floor, the least that the "
        "hardware allows, is {ratio} of that.",
        step=level_value("itl_p50", series.id, best.id),
        ratio=level_value("floor_ratio", series.id, best.id),
    )
    return passage(most, *past, step)


DELIVERS_MOST: Final = Text(
    zh="{series} 的输出吞吐在 {level} 最高，为 {peak}。", en="{series} delivers most at {level}: {peak}."
)
DELIVERS: Final = Text(zh="{series} 在 {level} 的输出吞吐为 {peak}。", en="{series} delivers {peak} at {level}.")


def _cards(analysis: Analysis, series: Series) -> list[Card]:
    """Return the key numbers; a step with neither a floor nor a pair to hold it against is left to what authors wrote."""
    usable = rungs_of(analysis, series)
    stepping, efficient = (known_at(analysis, key, series, usable) for key in ("itl_p50", "floor_ratio"))
    hidden = _is_told(analysis) and not efficient and not analysis.round.compared
    cards = [] if hidden else [_step(analysis, series, level) for _, level in stepping[:1]]
    cards += [_efficiency(analysis, series, level) for _, level in efficient[-1:]]
    if slope_is_told(analysis, series):
        cards.append(_marginal(analysis, series))
    return cards + [_spoilt(series, level) for level in analysis.excluded(series.id)]


def _step(analysis: Analysis, series: Series, level: Level) -> Card:
    floor = level_value("decode_floor", series.id, level.id)
    told = say(zh="硬件下限 {floor}", en="floor (hardware minimum) {floor}", floor=floor)
    return Card(
        label=_label(series, Text(zh="{level} 的解码步长", en="Decode step at {level}"), level),
        number=level_value("itl_p50", series.id, level.id),
        context=joined((told, *_too_high(analysis, series, floor))),
    )


def _efficiency(analysis: Analysis, series: Series, level: Level) -> Card:
    floor, ratio = (level_value(key, series.id, level.id) for key in ("floor_ratio", "throughput_floor_ratio"))
    told = say(
        zh="计入停顿与首个 token 的等待后为 {ratio}", en="{ratio} with stalls and first-token waits", ratio=ratio
    )
    is_known = analysis.frame.values[ratio.address].value is not None
    return Card(
        label=_label(series, Text(zh="{level} 的下限 ÷ 步长", en="Floor ÷ step at {level}"), level),
        number=floor,
        context=joined(((told,) if is_known else ()) + _too_high(analysis, series, floor)),
    )


def _too_high(analysis: Analysis, series: Series, floor: Quantity) -> tuple[Sentence, ...]:
    """Say that what rests on a floor is too high, where the weights of the series are the size of its file."""
    is_known = analysis.frame.values[floor.address].value is not None
    return (TOO_HIGH,) if is_known and counts_whole_file(analysis, series) else ()


TOO_HIGH: Final = say(zh="权重按整个文件计，下限偏高", en="counts the whole file: the floor is too high")


def _marginal(analysis: Analysis, series: Series) -> Card:
    floor, times = (series_value(key, series.id) for key in ("marginal_floor", "marginal_cost_over_floor"))
    known = analysis.frame.values[times.address].value is not None
    first, last = slope_ends(analysis, series)
    return Card(
        label=say(
            zh="{first} 到 {last} 平均每多一条请求的代价",
            en="Cost of one more request, on average from {first} to {last}",
            first=first,
            last=last,
        ),
        number=series_value("marginal_step_cost", series.id),
        context=say(zh="是下限 {floor} 的 {times}", en="{times} its floor of {floor}", floor=floor, times=times)
        if known
        else say(zh="下限 {floor}", en="floor {floor}", floor=floor),
    )


def _spoilt(series: Series, level: Level) -> Card:
    return Card(
        label=_label(series, Text(zh="{level} 已排除", en="{level}, excluded"), level),
        number=level_value("output_throughput", series.id, level.id),
        context=say(zh="未通过自检：见“{anomaly}”", en="failed a check: see {anomaly}", anomaly=ANOMALY),
    )


def _label(series: Series, text: Text, level: Level) -> Sentence:
    return Sentence(text, {"level": LevelName(series.id, level.id)})


def _corrected(analysis: Analysis) -> list[Sentence]:
    """Point to the published definitions that do not hold, where there are any."""
    number = len(corrections(analysis))
    if not number:
        return []
    where = SectionLink("definitions", Text(zh="定义", en="Definitions"))
    return [
        say(
            zh="原报告有 {n} 处定义已在“测量与数据”的“{d}”一节订正。",
            en="{n} published {n:definition is|definitions are} corrected under {d}, on the page “Measurement and data”.",
            n=Count(number),
            d=where,
        )
    ]
