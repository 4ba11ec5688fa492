"""The answer: where the cliff was due, where it showed, and how far apart the two are."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import (
    NAMES,
    agrees,
    climbed,
    divided,
    division,
    due_at,
    first_wall,
    level_name,
    observed_at,
    of_series,
    signs_at,
    with_cliff,
)
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import Block, Card, Cards, FigureBlock, Paragraph
from generator.told.quoting import filled, passage, series_value
from generator.told.sentence import Count, Listing, Part, Sentence, SeriesName, say


@section(checks=("kv_pressure", "preemptions", "waiting_requests", "truncated_requests"))
def cliff(analysis: Analysis) -> Chapter:
    """State both positions of each series, the signs between them, and which wall was met."""
    known = with_cliff(analysis)
    blocks: list[Block] = []
    for series in known:
        blocks += [Paragraph(passage(*_told(analysis, series)), "lead"), _cards(analysis, series)]
    unknown = [_unknown(analysis, series) for series in analysis.round.series if series not in known]
    blocks += [Paragraph(sentence, "lead") for sentence in unknown]
    blocks += [FigureBlock("cliff_throughput"), FigureBlock("cliff_ttft")]
    return Chapter(_heading(analysis, known), tuple(blocks))


def _heading(analysis: Analysis, known: list[Series]) -> Sentence:
    seen = [series for series in known if observed_at(analysis, series) is not None]
    if not known:
        return say(zh="结论：悬崖无从得知", en="Verdict: where the cliff is cannot be told")
    if not seen:
        return say(zh="结论：没有测到悬崖", en="Verdict: no cliff appeared")
    if len(seen) < len(known):
        return say(zh="结论：有的系列测到了悬崖，有的没有", en="Verdict: some series show a cliff, some do not")
    if all(agrees(analysis, series) for series in known):
        return _consistent(analysis, known)
    return say(zh="结论：实测的悬崖与预测不符", en="Verdict: the observed cliff disagrees with the prediction")


def _consistent(analysis: Analysis, known: list[Series]) -> Sentence:
    """Say what was predicted and between which levels the cliff showed: closer than their distance nothing is verified."""
    places = [_neighbours(analysis, series) for series in known]
    if places[0] is None or any(one is None or _loads(one) != _loads(places[0]) for one in places):
        return say(
            zh="结论：实测的悬崖与预测不矛盾", en="Verdict: the observed cliff is consistent with the prediction"
        )
    due = sorted(known, key=lambda series: of_series(analysis, "cliff_wall", series) or 0.0)
    first, last = (of_series(analysis, "cliff_wall", series) for series in (due[0], due[-1]))
    below, seen = places[0]
    parts: dict[str, Part] = {
        "p": series_value("cliff_wall", due[0].id), "q": series_value("cliff_wall", due[-1].id),
        "low": level_name(known[0], below), "high": level_name(known[0], seen),
    }  # fmt: skip
    return filled(CONSISTENT if first == last else CONSISTENT_RANGE, parts)


def _loads(levels: tuple[Level, Level]) -> tuple[float | None, ...]:
    return tuple(level.load for level in levels)


CONSISTENT: Final = Text(
    zh="结论：与预测不矛盾：预测在 C = {p}，实测在 {low} 与 {high} 之间",
    en="Verdict: consistent with the prediction: predicted at C = {p}, observed between {low} and {high}",
)
CONSISTENT_RANGE: Final = Text(
    zh="结论：与预测不矛盾：预测在 C = {p} 到 {q}，实测在 {low} 与 {high} 之间",
    en="Verdict: consistent with the prediction: predicted from C = {p} to {q}, observed between {low} and {high}",
)


def _told(analysis: Analysis, series: Series) -> list[Sentence]:
    parts: dict[str, Part] = {
        **divided(analysis, series), "s": SeriesName(series.id),
        "pred": series_value("cliff_predicted", series.id), "slots": series_value("wall_scheduler", series.id),
    }  # fmt: skip
    wall = first_wall(analysis, series)
    if of_series(analysis, "cliff_predicted", series) is None:
        return [filled(DUE_BY_SLOTS, parts), _seen(analysis, series)]
    due = filled(POOLS[division(analysis, series)], parts)
    return [due, filled(WALLS[wall], parts), _seen(analysis, series)]


def _seen(analysis: Analysis, series: Series) -> Sentence:
    level, due = observed_at(analysis, series), due_at(analysis, series)
    last = climbed(analysis, series)[-1]
    if level is not None:
        signs = Listing(tuple(NAMES[sign] for sign in signs_at(analysis, series, level)))
        seen = say(
            zh="实测在 {l} 出现：{signs}。", en="It appeared at {l}: {signs}.", l=level_name(series, level), signs=signs
        )
        return passage(seen, _gap(analysis, series))
    if due is None:
        return say(
            zh="最高的档位 {l} 没有超过那里，所以悬崖不会出现，也无从核对；要核对，再加测更高的档位。",
            en="The highest level, {l}, is not above that, so no cliff could appear and nothing can be verified. To verify it, add higher levels.",
            l=level_name(series, last),
        )
    reason = analysis.frame.of_series("cliff_observed", series.id).reason or NO_SIGN
    return say(
        zh="从 {l} 起就该出现，却没有：{why}。",
        en="It was expected from {l} on, and did not appear: {why}.",
        l=level_name(series, due),
        why=reason,
    )


def _gap(analysis: Analysis, series: Series) -> Sentence:
    gap = int(of_series(analysis, "cliff_gap_levels", series) or 0)
    if not gap:
        return say(zh="这正是预测值之上的第一档。", en="That is the first level above it.")
    parts: dict[str, Part] = {"n": Count(abs(gap)), "most": series_value("cliff_staggered", series.id)}
    if agrees(analysis, series):
        return filled(STAGGERED, parts)
    return filled(LATE if gap > 0 else EARLY, parts)


POOLS: Final = {
    "slots": Text(
        zh="{s} 的 KV 池有 {pool}，不论请求长短每个槽位各留 {each}：{pool} ÷ {each} = {pred}。",
        en="The KV pool of {s} has {pool}, split into slots of {each} whatever the length of a request: {pool} ÷ {each} = {pred}.",
    ),
    "groups": Text(
        zh="{s} 的 KV 池有 {pool} 块，一条请求到最大长度占 {each} 块（各层组合计，含窗口层）：{pool} ÷ {each} = {pred} 条。",
        en="The KV pool of {s} has {pool} blocks, and a request at full length takes {each}, over all groups of layers, those with a window too: "
        "{pool} ÷ {each} = {pred} {pred:request|requests}.",
    ),
    "blocks": Text(
        zh="{s} 的 KV 池有 {pool}，一条请求到最大长度是 {each}，按 {block} 的整块占：同时装得下 {pred} 条。",
        en="The KV pool of {s} has {pool}, and a request at full length has {each}, in whole blocks of {block}: {pred} {pred:fits|fit} in.",
    ),
    "tokens": Text(
        zh="{s} 的 KV 池有 {pool}，一条请求到最大长度占 {each}：{pool} ÷ {each} = {pred} 条。",
        en="The KV pool of {s} has {pool}, and a request at full length takes {each}: {pool} ÷ {each} = {pred} {pred:request|requests}.",
    ),
}
DUE_BY_SLOTS: Final = Text(
    zh="{s} 的 KV 池有多大没有记录；槽位是 {slots} 个，再多的请求要排队。",
    en="The size of the KV pool of {s} is not on record; it has {slots} {slots:slot|slots}, and further requests wait.",
)
EARLY: Final = Text(zh="比预测早 {n} 档。", en="That is {n} {n:level|levels} earlier than predicted.")
STAGGERED: Final = Text(
    zh="比最早的预测晚 {n} 档，仍与请求彼此错开时的上限（{most} 条）相符：它是超过这个上限的第一档。",
    en="That is {n} {n:level|levels} later than the earliest possible, which agrees with staggered requests: {most} of these "
    "{most:fits|fit}, and this is the first level above.",
)
LATE: Final = Text(
    zh="比预测晚 {n} 档，连请求彼此错开也说明不了这么多。",
    en="That is {n} {n:level|levels} later than predicted, more than staggered requests explain.",
)
WALLS: Final = {
    "pool": Text(
        zh="悬崖应在 C={pred} 之后，先到的是 KV 池这堵墙。",
        en="So the cliff is expected above C={pred}; the KV pool runs out first.",
    ),
    "slots": Text(
        zh="但先用尽的是 {slots} 个槽位，不是 KV 池：C={slots} 之后请求排队。",
        en="But the {slots} {slots:slot runs|slots run} out first, not the KV pool: above C={slots} requests wait.",
    ),
    "both": Text(
        zh="槽位（{slots} 个）与 KV 池在同一处用尽：C={slots} 之后请求排队，不会抢占。",
        en="Slots ({slots}) and pool end together: above C={slots} requests wait, and none is preempted.",
    ),
}
NO_SIGN: Final = Text(zh="没有记录", en="it is not on record")


def _unknown(analysis: Analysis, series: Series) -> Sentence:
    return say(
        zh="{s} 的悬崖无从得知：{why}。",
        en="The cliff of {s} is not known: {why}.",
        s=SeriesName(series.id),
        why=_why(analysis, series),
    )


def _why(analysis: Analysis, series: Series) -> Text:
    wall = analysis.frame.of_series("cliff_wall", series.id)
    return TOO_FEW if wall.value is not None else wall.reason or NO_SIGN


TOO_FEW: Final = Text(
    zh="并发各不相同的闭环档位不足三个",
    en="it has fewer than three levels of a closed loop with different concurrencies",
)
QUOTIENTS: Final = {
    "slots": Text(zh="{pool} ÷ 每个槽位 {each}", en="{pool} ÷ {each} a slot"),
    "groups": Text(zh="{pool} 块 ÷ 每条 {each} 块", en="{pool} blocks ÷ {each} a request"),
    "blocks": Text(zh="{pool} ÷ 每条 {each}，按整块", en="{pool} ÷ {each}, in whole blocks"),
    "tokens": Text(zh="{pool} ÷ 每条 {each}", en="{pool} ÷ {each}"),
}


def _cards(analysis: Analysis, series: Series) -> Cards:
    cards = [*_due_cards(analysis, series)]
    if of_series(analysis, "cliff_observed", series) is not None:
        cards.append(
            Card(say(zh="实测", en="observed"), series_value("cliff_observed", series.id), _between(analysis, series))
        )
    if first_wall(analysis, series) == "pool" and of_series(analysis, "cliff_staggered", series) is not None:
        fits = say(zh="请求彼此错开时最多装得下", en="most that fit where requests are staggered")
        cards.append(Card(say(zh="错开时", en="staggered"), series_value("cliff_staggered", series.id), fits))
    return Cards(say(zh="{s}", en="{s}", s=SeriesName(series.id)), tuple(cards))


def _between(analysis: Analysis, series: Series) -> Sentence:
    """Say between which levels the true cliff lies: there is a sign at the one, and none at the one below."""
    around = _neighbours(analysis, series)
    if around is None:
        return say(zh="第一个有征兆的并发", en="the first concurrency with a sign")
    below, seen = around
    return say(
        zh="{low} 之上测过的第一档：真正的悬崖在 {low} 与 {high} 之间",
        en="the first level measured above {low}: the true cliff lies between {low} and {high}",
        low=level_name(series, below),
        high=level_name(series, seen),
    )


def _neighbours(analysis: Analysis, series: Series) -> tuple[Level, Level] | None:
    """Return the level below the cliff that was observed, and that at which it was; None where there is none below."""
    seen, ladder = observed_at(analysis, series), climbed(analysis, series)
    return None if seen is None or seen == ladder[0] else (ladder[ladder.index(seen) - 1], seen)


def _due_cards(analysis: Analysis, series: Series) -> list[Card]:
    """Return the position that was due, what it was computed from, and the wall that comes later."""
    due, wall = series_value("cliff_wall", series.id), first_wall(analysis, series)
    label, slots = say(zh="预测", en="predicted"), say(zh="槽位", en="slots")
    if of_series(analysis, "cliff_predicted", series) is None:
        return [Card(label, due, slots)]
    quotient = filled(QUOTIENTS[division(analysis, series)], divided(analysis, series))
    if wall == "slots":
        fits = say(zh="KV 池装得下", en="fit into the pool")
        return [Card(label, due, slots), Card(fits, series_value("cliff_predicted", series.id), quotient)]
    cards = [Card(label, due, quotient)]
    if of_series(analysis, "wall_scheduler", series) is not None:
        cards.append(
            Card(slots, series_value("wall_scheduler", series.id), say(zh="调度墙", en="the scheduler's wall"))
        )
    return cards
