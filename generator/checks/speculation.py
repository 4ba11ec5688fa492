"""Was speculative decoding on? Then a chunk is a step of several tokens, and two series are equal only where both have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.levels import known_addresses, machine_of
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.flags import FLAG
from generator.model import Series
from generator.text import Text
from generator.themes import DECODING
from generator.told.findings import Finding
from generator.told.quoting import passage, series_names
from generator.told.sentence import Listing, Sentence, SeriesName, say
from generator.values import Address

DRAFTED: Final = "log_draft_tokens"
ACCEPTANCE: Final = "log_draft_acceptance"
FLAGS: Final = (
    "--speculative-config", "--speculative-model", "--num-speculative-tokens", "--speculative-algorithm",
    "--speculative-algo", "--speculative-draft-model-path", "--model-draft", "-md", "--spec-type",
)  # fmt: skip
"""Flags that ask for speculative decoding."""
GAPS: Final = ("itl_p50", "itl_p99", "itl_mean")


@check(
    theme=DECODING,
    title=Text(zh="投机解码", en="Speculative decoding"),
    question=Text(
        zh="有没有用投机解码？各系列是否一样？", en="Was speculative decoding on, and was it for all series alike?"
    ),
    rule=Text(
        zh="服务端日志里有 draft token，或启动参数要求投机解码，就提示：ITL 是 chunk 之间的时间，以 TPOT 为准；只有一部分系列用了，就警告。",
        en="A note where the server's log mentions drafted tokens, or its flags ask for them: ITL is then a time between chunks, and TPOT is what counts. A warning where only some of the series have it.",
    ),
    stage="conclusions",
)
def speculation(analysis: Analysis) -> Sequence[Finding]:
    """Examine all series together."""
    drafting = [series for series in analysis.round.series if _drafts(analysis, series)]
    others = [series for series in analysis.round.series if series not in drafting]
    if not drafting:
        return [_nothing()]
    return [_drafting(analysis, series, others) for series in drafting]


def _spots(analysis: Analysis, series: Series) -> list[Spot]:
    return [spot for spot in watched.spots_of(analysis, series, DRAFTED) if amount_at(analysis, spot, DRAFTED)]


def _drafts(analysis: Analysis, series: Series) -> bool:
    machine = machine_of(analysis.round, series)
    asked = any(machine.text(FLAG + flag) not in (None, "none") for flag in FLAGS)
    return asked or bool(_spots(analysis, series))


def _drafting(analysis: Analysis, series: Series, others: Sequence[Series]) -> Finding:
    spots, name = _spots(analysis, series), SeriesName(series.id)
    told = say(zh="{s} 用了投机解码。", en="{s} ran with speculative decoding.", s=name)
    gaps = say(
        zh="一个 chunk 是一步，可以有几个 token：ITL 是 chunk 之间的时间，比较每个 token 的时间要看 TPOT。",
        en="A chunk is a step and may hold several tokens: ITL is a time between chunks, and the time per token is TPOT.",
    )
    unequal = [_unequal(series, others)] if others else []
    return Finding(
        check="speculation",
        status="warn" if others else "note",
        series=series.id,
        levels=watched.levels_of(spots),
        evidence=known_addresses(analysis, watched.evidence(spots, DRAFTED, ACCEPTANCE)),
        doubts=_gaps(analysis, series),
        looks="better" if others else None,
        message=passage(told, *_acceptance(analysis, spots), gaps, *unequal),
        bias=_favours(series) if others else None,
        remedy=_remedy() if others else None,
    )


def _acceptance(analysis: Analysis, spots: Sequence[Spot]) -> list[Sentence]:
    known = [spot for spot in spots if amount_at(analysis, spot, ACCEPTANCE) is not None]
    if not known:
        return []
    return [
        say(
            zh="draft token 被接受的占比：{told}。",
            en="Of its drafted tokens were accepted: {told}.",
            told=Listing(tuple(_at(spot) for spot in known)),
        )
    ]


def _at(spot: Spot) -> Sentence:
    return say(zh="{p} 为 {n}", en="{n} ({p})", p=watched.place(spot), n=spot.value(ACCEPTANCE))


def _gaps(analysis: Analysis, series: Series) -> tuple[Address, ...]:
    addresses = [Spot(series, level).at(key) for level in series.levels for key in GAPS]
    return known_addresses(analysis, addresses)


def _unequal(series: Series, others: Sequence[Series]) -> Sentence:
    return say(
        zh="没有见到 {others} 用它，两边不对等。",
        en="Of {others} nothing tells that it had it, so the two are not on equal terms.",
        series=SeriesName(series.id),
        others=series_names(one.id for one in others),
    )


def _favours(series: Series) -> Sentence:
    return say(
        zh="小并发时多半偏向 {series}；并发大、接受率低时反而更慢。随机文本的接受率不代表真实负载。",
        en="At low concurrency it mostly favours {series}; at high concurrency, or with few accepted, it is slower. Random text is "
        "accepted unlike that of users.",
        series=SeriesName(series.id),
    )


def _remedy() -> Sentence:
    return say(
        zh="两边都关掉投机解码测引擎本身，再各自打开测一遍；接受率与输出长度一并公布。",
        en="Measure the engines without it, and each with it besides; publish the acceptance and the lengths of the answers.",
    )


def _nothing() -> Finding:
    message = say(
        zh="日志与启动参数没有提到投机解码，不适用。",
        en="No log and no flag mentions speculative decoding: not applicable.",
    )
    return Finding("speculation", "pass", message, is_empty=True)
