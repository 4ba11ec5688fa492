"""Where a published report used another definition: its number, the better one, and why."""

from __future__ import annotations

from collections.abc import Iterable

from generator.blocks import Block, Heading, Paragraph, Row, Subheading, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.quoting import level_value, pair_value, series_value
from generator.sentence import LevelName, Part, Quantity, Sentence, SeriesName, say
from generator.text import Text

HEADINGS = (
    Heading(say(zh="哪一项", en="what")),
    Heading(say(zh="按原报告", en="as published")),
    Heading(say(zh="应当是", en="as it should be")),
)
GRAPH_REUSE = say(
    zh="一个批处理步为每个槽位各产出一个 token，而计数器每步只加一次。以 token 数为分母，复用率会随并发按 1/C 下降，与引擎无关。",
    en="A batched step yields a token for each slot and moves the counter once. Over tokens, the rate falls as 1/C "
    "whatever the engine does.",
)
STALL = say(
    zh="均值 ÷ 中位数 − 1 是相对中位数的开销，可以超过 100%；占解码时间的比例是 1 − 中位数 ÷ 均值。取 TPOT 的均值还会被只产出几个 token 的请求抬高。",
    en="Mean ÷ median − 1 is an overhead relative to the median and can pass 100%; the share of decode time is 1 − "
    "median ÷ mean. Taken from the mean TPOT, it is also inflated by requests of very few tokens.",
)
WEIGHTS = say(
    zh="解码一步只查输入 embedding 的一行。把整张表算进去会抬高 MBU，只给一边去掉则偏向另一边；右列两边都不含它。",
    en="A step looks up one row of the input embedding. Counting the whole table inflates the MBU, and leaving it out for "
    "one engine alone favours the other; the right column leaves it out for both.",
)

Pairs = list[tuple[Part, Quantity, Quantity]]


@section(order=120)
def definitions(analysis: Analysis) -> Chapter | None:
    """Set the published definition beside the corrected one wherever the round has both."""
    told = (
        ("graph-reuse", Text(zh="graph 复用率", en="Graph reuse"), GRAPH_REUSE, _graph_reuse(analysis)),
        ("stall-share", Text(zh="停顿占比", en="Stall share"), STALL, _stall_share(analysis)),
        ("weights-basis", Text(zh="权重口径", en="Weights counted"), WEIGHTS, _weights(analysis)),
    )
    blocks: list[Block] = []
    for key, title, why, pairs in told:
        both = [pair for pair in pairs if _known(analysis, pair[1]) and _known(analysis, pair[2])]
        if both:
            blocks += [Subheading(key, say(title.zh, title.en)), Paragraph(why), _table(key, title, both)]
    if not blocks:
        return None
    return Chapter(
        say(zh="定义：原报告的与应当用的", en="Definitions: as published, and as they should be"),
        tuple(blocks),
    )


def _known(analysis: Analysis, quantity: Quantity) -> bool:
    return analysis.frame.values[quantity.address].value is not None


def _table(key: str, title: Text, pairs: Pairs) -> Table:
    return Table(
        key=f"defined-{key}",
        caption=say(zh=f"{title.zh}：两种定义", en=f"{title.en}: two definitions"),
        headings=HEADINGS,
        rows=tuple(Row(pair) for pair in pairs),
    )


def _levels(analysis: Analysis) -> Iterable[tuple[str, str, Sentence]]:
    for series in analysis.round.series:
        for level in series.levels:
            yield series.id, level.id, _at(series.id, level.id)


def _at(series: str, level: str) -> Sentence:
    return say(zh="{s} {l}", en="{s} {l}", s=SeriesName(series), l=LevelName(series, level))


def _graph_reuse(analysis: Analysis) -> Pairs:
    return [
        (
            at,
            level_value("graph_reuse_per_token", series, level, "as_published"),
            level_value("graph_reuse_per_step", series, level),
        )
        for series, level, at in _levels(analysis)
    ]


def _stall_share(analysis: Analysis) -> Pairs:
    return [
        (
            at,
            level_value("stall_share", series, level, "as_published"),
            level_value("stall_share", series, level),
        )
        for series, level, at in _levels(analysis)
    ]


def _weights(analysis: Analysis) -> Pairs:
    basis = "without_embedding"
    pairs: Pairs = []
    for series in analysis.round.series:
        name = say(zh="{s} 每步权重", en="{s}, weights a step", s=SeriesName(series.id))
        key = "weight_bytes_per_step"
        pairs.append((name, series_value(key, series.id), series_value(key, series.id, basis)))
        for level in analysis.usable(series.id)[:1]:
            at = say(
                zh="{s} {l} 的 MBU",
                en="{s} {l}, MBU",
                s=SeriesName(series.id),
                l=LevelName(series.id, level.id),
            )
            mbu = (level_value("mbu", series.id, level.id), level_value("mbu", series.id, level.id, basis))
            pairs.append((at, *mbu))
    for compared in analysis.round.compared:
        for key, title in (
            ("predicted_speedup", Text(zh="预测加速", en="predicted speed-up")),
            ("predicted_speedup_attained", Text(zh="预测达成率", en="share attained")),
        ):
            name = say("{s} " + title.zh, "{s}, " + title.en, s=SeriesName(compared.id))
            pairs.append((name, pair_value(key, compared.id), pair_value(key, compared.id, basis)))
    return pairs
