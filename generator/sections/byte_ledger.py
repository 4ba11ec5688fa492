"""The byte ledger: what a decode step must read, and what that predicts for one stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from generator.across.ladders import rungs_of
from generator.across.levels import slope_is_told
from generator.analysis.reasons import NO_LEVEL
from generator.declared.floor_words import WEIGHTS_COUNTED
from generator.frame import Analysis
from generator.kinds import WITHOUT_EMBEDDING
from generator.model import Level, Series
from generator.pairs import counted_alike
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Ledger, LedgerGroup, LedgerLine, Paragraph
from generator.told.quoting import level_value, pair_value, passage, series_value
from generator.told.sentence import LevelName, Part, Quantity, Sentence, SeriesName, say


@section(checks=("architecture_agrees",))
def byte_ledger(analysis: Analysis) -> Chapter | None:
    """Set out the bytes of a step at the lowest usable level, and for pairs the speed-up they predict."""
    groups = [group for series in analysis.round.series if (group := _series(analysis, series)) is not None]
    without = [_without(analysis, series) for series in analysis.round.series if series.levels]
    missing = [Paragraph(sentence) for sentence in without if sentence is not None]
    if not groups:
        return Chapter(_heading(analysis), tuple(missing), LACKING) if missing else None
    groups += [group for compared in analysis.round.compared for group in _pair(analysis, compared)]
    ledger = Ledger(
        "bytes",
        say(
            zh="每个解码步要读的字节（GB = 十亿字节）",
            en="Bytes that a decode step reads (GB = a billion bytes)",
        ),
        tuple(groups),
    )
    leads = [Paragraph(_answer(analysis, compared), "lead") for compared in _attained(analysis)]
    unlike = [Paragraph(_unlike(analysis, *pair)) for pair in _counted_otherwise(analysis)]
    blocks: list[Block] = [*leads, Paragraph(_intro(analysis)), *unlike, ledger, *missing]
    told = [sentence for compared in _attained(analysis) for sentence in _about(analysis, compared)]
    if told:
        blocks.append(Paragraph(passage(*told, _no_evidence()), "callout"))
    return Chapter(_heading(analysis), tuple(blocks))


LACKING: Final = Text(zh="字节账", en="byte ledger")


def _attained(analysis: Analysis) -> list[Series]:
    return [
        compared
        for compared in analysis.round.compared
        if analysis.frame.of_pair("predicted_speedup_attained", compared.id).value is not None
    ]


def _heading(analysis: Analysis) -> Sentence:
    attained = _attained(analysis)
    if not attained or len(analysis.round.compared) > 1:
        return say(zh="字节账：一步要读多少", en="Byte ledger: what a step must read")
    alike = counted_alike(analysis, attained[0].id)
    if alike is not None:
        return say(
            zh="字节账：同口径预测 {predicted}，实测 {measured}",
            en="Byte ledger: {predicted} predicted with weights counted alike, {measured} measured",
            predicted=alike,
            measured=pair_value("measured_speedup", attained[0].id),
        )
    return say(
        zh="字节账：预测 {predicted}，实测 {measured}",
        en="Byte ledger: {predicted} predicted, {measured} measured",
        predicted=pair_value("predicted_speedup", attained[0].id),
        measured=pair_value("measured_speedup", attained[0].id),
    )


def _answer(analysis: Analysis, compared: Series) -> Sentence:
    """Say where the gap of a pair comes from, as far as it is known: at little load, at much, and what cannot be told apart."""
    baseline = analysis.round.file.round.baseline or ""
    told = [_at_little_load(analysis, compared.id, baseline)]
    if all(slope_is_told(analysis, analysis.round.series_by_id(one)) for one in (compared.id, baseline)):
        told.append(_at_much_load(compared.id, baseline))
    if any(one.series == compared.id for one in analysis.warnings_of("same_precision")):
        told.append(CONFOUNDED)
    return passage(*told)


def _at_little_load(analysis: Analysis, compared: str, baseline: str) -> Sentence:
    level = analysis.frame.of_pair("predicted_speedup", compared).inputs[0].address.level or ""
    alike = counted_alike(analysis, compared)
    parts: dict[str, Part] = {
        "level": LevelName(compared, level),
        "s": SeriesName(compared),
        "base": SeriesName(baseline),
        "own": level_value("bytes_per_step", compared, level, decimals=2),
        "other": level_value("bytes_per_step", baseline, level, decimals=2),
        "predicted": pair_value("predicted_speedup", compared),
        "measured": pair_value("measured_speedup", compared),
    }
    return Sentence(READS, parts) if alike is None else Sentence(READS_ALIKE, {**parts, "alike": alike})


READS: Final = Text(
    zh="在 {level}，{s} 每步读 {own}，{base} 读 {other}：据此 {s} 的解码速度应是 {base} 的 {predicted}，实测 {measured}。",
    en="At {level} {s} reads {own} in a step and {base} {other}: that predicts {s} to be {predicted} as fast; {measured} was measured.",
)
READS_ALIKE: Final = Text(
    zh="在 {level}，{s} 每步读 {own}，{base} 读 {other}：据此 {s} 的解码速度应是 {base} 的 {predicted}（双方按同一权重口径是 {alike}），实测 {measured}。",
    en="At {level} {s} reads {own} in a step and {base} {other}: that predicts {s} to be {predicted} as fast ({alike} with weights "
    "counted alike); {measured} was measured.",
)
CONFOUNDED: Final = say(
    zh="引擎与精度是一起变的，不能把差距单独归于其中任何一个。",
    en="Engine and precision differ together, so the gap cannot be put down to either alone.",
)


def _at_much_load(compared: str, baseline: str) -> Sentence:
    return say(
        zh="负载越高，每多一条请求的代价就越重要：{s} 是 {own}，{base} 是 {other}。",
        en="As the load grows, the cost of each further request counts for more: {own} on {s}, {other} on {base}.",
        s=SeriesName(compared),
        base=SeriesName(baseline),
        own=series_value("marginal_step_cost", compared),
        other=series_value("marginal_step_cost", baseline),
    )


def _intro(analysis: Analysis) -> Sentence:
    """Say what a step reads; what follows for its time only where a bandwidth is on record to hold it against."""
    if analysis.frame.of_round("memory_bandwidth").value is None:
        return say(
            zh="每产出一个 token，权重要完整读一遍，再加上这条请求的 KV。这样读是不是步长的瓶颈，要有显存带宽才说得清，这一轮没有记录。",
            en="Each token takes one pass over the weights and the KV of the request. Whether that is what a step waits for "
            "cannot be said without the memory bandwidth, which is not on record.",
        )
    return say(
        zh="每产出一个 token，权重要完整读一遍，再加上这条请求的 KV。若单流解码受带宽限制，步长就与要读的字节成正比。",
        en="Each token takes one pass over the weights and the KV of the request. Where decoding one stream is bound by "
        "memory bandwidth, a step takes time in proportion to its bytes.",
    )


def _counted_otherwise(analysis: Analysis) -> list[tuple[Series, Series]]:
    """Return the pairs whose sides declare another count of weights, each with its baseline."""
    baseline = analysis.round.baseline
    if baseline is None or baseline.table.weights_basis is None:
        return []
    known = {None, baseline.table.weights_basis}
    return [(one, baseline) for one in analysis.round.compared if one.table.weights_basis not in known]


def _unlike(analysis: Analysis, compared: Series, baseline: Series) -> Sentence:
    unlike = say(
        zh="两边的权重口径不同（{base}：{basis}；{s}：{own}）。账里各按声明的口径计，以便逐项核对。",
        en="The sides do not count their weights alike ({base}: {basis}; {s}: {own}). The ledger keeps the count of "
        "each as declared, so that each line can be checked.",
        base=SeriesName(baseline.id),
        basis=WEIGHTS_COUNTED[baseline.table.weights_basis or ""],
        s=SeriesName(compared.id),
        own=WEIGHTS_COUNTED[compared.table.weights_basis or ""],
    )
    alike = counted_alike(analysis, compared.id)
    if alike is None:
        return unlike
    return passage(
        unlike,
        say(
            zh="双方都去掉输入 embedding，预测是 {alike}。",
            en="With the input embedding left out on both sides, {alike} is predicted.",
            alike=alike,
        ),
    )


def _lowest(analysis: Analysis, series: Series) -> Level | None:
    for level in rungs_of(analysis, series):
        if analysis.frame.of_level("bytes_per_step", series.id, level.id).value is not None:
            return level
    return None


def _without(analysis: Analysis, series: Series) -> Sentence | None:
    """Return why a series has no ledger; None where it has one."""
    if _lowest(analysis, series) is not None:
        return None
    first = (*rungs_of(analysis, series), *series.levels)[0]
    reason = analysis.frame.of_level("bytes_per_step", series.id, first.id).reason
    return say(
        zh="{series} 的字节账列不出来：{reason}。",
        en="The byte ledger of {series} cannot be computed: {reason}.",
        series=SeriesName(series.id),
        reason=reason or NO_LEVEL,
    )


def _series(analysis: Analysis, series: Series) -> LedgerGroup | None:
    level = _lowest(analysis, series)
    if level is None:
        return None
    basis = WEIGHTS_COUNTED.get(series.table.weights_basis or "")
    note = Sentence(basis) if basis else None
    lines = (
        LedgerLine(_weights(analysis, series, level), note=note),
        LedgerLine(level_value("kv_bytes_per_step", series.id, level.id, decimals=2)),
        LedgerLine(level_value("bytes_per_step", series.id, level.id, decimals=2), is_sum=True),
        LedgerLine(level_value("decode_floor", series.id, level.id, decimals=2)),
        LedgerLine(level_value("achieved_bandwidth", series.id, level.id)),
        LedgerLine(level_value("mbu", series.id, level.id)),
    )
    heading = say(
        zh="{series}，{level}",
        en="{series}, {level}",
        series=SeriesName(series.id),
        level=LevelName(series.id, level.id),
    )
    return LedgerGroup(heading, tuple(line for line in lines if _is_known(analysis, line.quantity)))


def _weights(analysis: Analysis, series: Series, level: Level) -> Quantity:
    """Quote the weights that a step reads: of a mixture of experts those of the level, which depend on its load."""
    if analysis.frame.of_level("experts_read", series.id, level.id).value is not None:
        return level_value("weight_bytes_read", series.id, level.id, decimals=2)
    return series_value("weight_bytes_per_step", series.id, decimals=2)


def _pair(analysis: Analysis, compared: Series) -> list[LedgerGroup]:
    lines = (
        *_both_ways(analysis, compared, "predicted_speedup"),
        LedgerLine(pair_value("measured_speedup", compared.id)),
        *_both_ways(analysis, compared, "predicted_speedup_attained", is_sum=True),
    )
    known = tuple(line for line in lines if _is_known(analysis, line.quantity))
    return [LedgerGroup(_against(analysis, compared), known)] if known else []


def _both_ways(analysis: Analysis, compared: Series, key: str, *, is_sum: bool = False) -> tuple[LedgerLine, ...]:
    """Return the line of a number that rests on the weights, and where it reads otherwise the one counted alike."""
    usual = LedgerLine(pair_value(key, compared.id), is_sum=is_sum)
    if counted_alike(analysis, compared.id) is None:
        return (usual,)
    alike = LedgerLine(pair_value(key, compared.id, WITHOUT_EMBEDDING), note=COUNTED_ALIKE)
    return replace(usual, note=AS_GIVEN), alike


AS_GIVEN: Final = say(zh="权重按上面的口径", en="weights as counted above")
COUNTED_ALIKE: Final = say(zh="双方按同一权重口径", en="weights counted alike")


def _against(analysis: Analysis, compared: Series) -> Sentence:
    baseline = SeriesName(analysis.round.file.round.baseline or "")
    return say(
        zh="{series} 对 {baseline}", en="{series} against {baseline}", series=SeriesName(compared.id), baseline=baseline
    )


def _is_known(analysis: Analysis, quantity: Quantity) -> bool:
    return analysis.frame.values[quantity.address].value is not None


FURTHER = Text(
    zh="{series} 的达成率是 {attained}，也就是说它比 {baseline} 离带宽极限更远。",
    en="{series} attains {attained} of the prediction, which means that it stays further from the bandwidth limit "
    "than {baseline}.",
)
CLOSER = Text(
    zh="{series} 的达成率是 {attained}，也就是说它离带宽极限不比 {baseline} 远。",
    en="{series} attains {attained} of the prediction, which means that it stays no further from the bandwidth limit "
    "than {baseline}.",
)


def _about(analysis: Analysis, compared: Series) -> list[Sentence]:
    """Say what the share attained means, and what the bytes predict once the weights are counted alike."""
    alike = counted_alike(analysis, compared.id)
    if alike is None or len(analysis.round.compared) == 1:  # then the heading says it
        return [_identity(analysis, compared)]
    counted = say(
        zh="双方权重按同一口径、都不含输入 embedding 时，字节账对 {series} 预测 {alike}。",
        en="With weights counted alike, without the input embedding on either side, byte counts predict {alike} for "
        "{series}.",
        series=SeriesName(compared.id),
        alike=alike,
    )
    return [_identity(analysis, compared), counted]


def _identity(analysis: Analysis, compared: Series) -> Sentence:
    attained = analysis.frame.of_pair("predicted_speedup_attained", compared.id).value or 0.0
    return Sentence(
        FURTHER if attained < 1 else CLOSER,
        {
            "attained": pair_value("predicted_speedup_attained", compared.id),
            "series": SeriesName(compared.id),
            "baseline": SeriesName(analysis.round.file.round.baseline or ""),
        },
    )


def _no_evidence() -> Sentence:
    return say(
        zh="达成率恒等于两边 MBU 之比，说明不了原因：反量化之类的开销，要另做实验才能分离。",
        en="The share attained is by construction the ratio of the two MBUs and says nothing about causes: "
        "measuring, say, dequantisation cost needs a separate experiment.",
    )
