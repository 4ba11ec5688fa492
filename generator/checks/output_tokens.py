"""Did the engines produce the output they were asked for? Otherwise they are compared on different work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import at_level, at_runs
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import TOKENS
from generator.told.findings import Finding, Status
from generator.told.quoting import level_value, passage
from generator.told.sentence import Count, LevelName, Part, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

WORTH_A_WARNING: Final = 0.01
"""A shortfall at one level above this is of the size of differences between engines."""
SHORT_PERCENT: Final = 95
"""The share of the length asked, in percent, below which the metrics call an answer short."""
RESOLUTION: Final = 0.002
"""Below this the shortfall is within the rounding of a published throughput."""


FEWER: Final = Text(
    zh="{series} 的输出少于要求，差得最多的是 {level}：要求 {asked}，平均计到 {counted}，缺 {short}。",
    en="The output of {series} falls short of what was requested, furthest at {level}: on average {counted} were counted "
    "where {asked} were requested, {short} short.",
)
MORE: Final = Text(
    zh="{series} 的输出多于要求，多得最多的是 {level}：要求 {asked}，平均计到 {counted}。",
    en="The output of {series} exceeds what was requested, furthest at {level}: on average {counted} were counted where "
    "{asked} were requested.",
)
TOTALS: Final = ("completed_total", "short_answers_total", "short_answer_share_total")
OVER_ALL: Final = Text(
    zh="全部运行合计 {answers} 条回答里有 {short} 条（{share}）不到要求长度的 {limit}%。",
    en="Over all runs, {short} of {answers} {answers:answer|answers} ({share}) {short:is|are} below {limit}% of the "
    "requested length.",
)
AT_LEVEL: Final = Text(
    zh="{level} 的 {answers} 条回答里有 {short} 条（{share}）不到要求长度的 {limit}%。",
    en="At {level}, {short} of {answers} {answers:answer|answers} ({share}) {short:is|are} below {limit}% of the "
    "requested length.",
)
FEWER_BIAS: Final = Text(
    zh="若 token 产出了却没有计到，{series} 的吞吐被低估；若请求真的提前结束，它的端到端时延显得更好。",
    en="If the tokens were produced but not counted, the throughput of {series} is understated; if requests really ended "
    "early, its end-to-end latency is flattered.",
)
MORE_BIAS: Final = Text(
    zh="若多出来的只是计数，{series} 的吞吐被高估；若请求真的超出了要求的长度，它的端到端时延被拉长。",
    en="If only the count is too high, the throughput of {series} is overstated; if requests really ran past the "
    "requested length, its end-to-end latency suffers from it.",
)


@check(
    theme=TOKENS,
    title=Text(zh="输出长度是否达标", en="Output length as requested"),
    question=Text(
        zh="每一档产出的 token 数是否等于要求的数？",
        en="Does every level produce the requested tokens?",
    ),
    rule=Text(
        zh="平均输出与要求的长度相差超过 {note} 就提示，超过 {warn} 就警告；平均相符而有回答短于要求的 {short} 的，也提示。",
        en="A note where the mean output is off by more than {note} from the length requested, and a warning above {warn}; a note, too, where the mean fits but single answers are shorter than {short} of it.",
    ).format(note=f"{RESOLUTION:.1%}", warn=f"{WORTH_A_WARNING:.0%}", short=f"{SHORT_PERCENT}%"),
)
def output_tokens(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    known = {level: _shortfall(analysis, series, level) for level in series.levels}
    found = {level: value for level, value in known.items() if value.value is not None}
    if not found:
        return _unknown(series, known)
    worst = max(found, key=lambda level: abs(found[level].value or 0.0))
    size = abs(found[worst].value or 0.0)
    status: Status = "warn" if size > WORTH_A_WARNING else "note" if size > RESOLUTION else "pass"
    short = _some_short(analysis, series)
    if status != "pass":
        return _differs(series, found, worst, status, [_share(analysis, series, short)] if short else [], short)
    return _uneven(series, _share(analysis, series, short), short) if short else _agrees(series, found)


def _some_short(analysis: Analysis, series: Series) -> list[Value]:
    """Return the shares of answers well below the length asked, of the levels that have such."""
    addresses = [at_level("short_answer_share", series, level) for level in series.levels]
    return [value for value in analysis.frame.known(addresses) if value.value]


def _shortfall(analysis: Analysis, series: Series, level: Level) -> Value:
    return analysis.frame.of_level("output_shortfall", series.id, level.id)


def _differs(
    series: Series,
    found: dict[Level, Value],
    worst: Level,
    status: Status,
    told_of_short: list[Sentence],
    short: list[Value],
) -> Finding:
    message, bias = (FEWER, FEWER_BIAS) if (found[worst].value or 0.0) > 0 else (MORE, MORE_BIAS)
    parts: dict[str, Part] = {
        "series": SeriesName(series.id),
        "level": LevelName(series.id, worst.id),
        "asked": level_value("asked_output_tokens", series.id, worst.id),
        "counted": level_value("output_tokens_mean", series.id, worst.id),
    }
    if message is FEWER:
        parts["short"] = Quantity(found[worst].address)
    return Finding(
        check="output_tokens",
        status=status,
        series=series.id,
        levels=tuple(level.id for level, value in found.items() if abs(value.value or 0.0) > RESOLUTION),
        evidence=(*(value.address for value in found.values()), *(value.address for value in short)),
        message=passage(Sentence(message, parts), *told_of_short),
        bias=Sentence(bias, {"series": SeriesName(series.id)}),
        remedy=say(
            zh="用服务端 usage 里的 token 数代替客户端重新分词的计数，并核对日志里每条请求的产出。",
            en="Count tokens by the server's usage instead of tokenizing the text again, and compare with what the log says "
            "of each request.",
        ),
    )


def _share(analysis: Analysis, series: Series, short: list[Value]) -> Sentence:
    """Count the answers well below the length asked, at the level that has most; over all runs where there are several.

    A median over runs may be no whole number of answers.
    """
    if any(level.trials > 1 for level in series.levels) and _is_counted_everywhere(analysis, series):
        in_all = (Address(key, "series", series.id) for key in TOTALS)
        return Sentence(OVER_ALL, {**_counted(*in_all), "limit": Count(SHORT_PERCENT)})
    most = max(short, key=lambda value: value.value or 0.0).address
    counted = (most._replace(metric="completed"), most._replace(metric="short_answers"), most)
    level = LevelName(most.series or "", most.level or "")
    return Sentence(AT_LEVEL, {**_counted(*counted), "level": level, "limit": Count(SHORT_PERCENT)})


def _is_counted_everywhere(analysis: Analysis, series: Series) -> bool:
    """Say whether the numbers of all runs are known, so that there are totals, which come after this stage."""
    runs = [*at_runs("short_answers", series), *at_runs("completed", series)]
    return len(analysis.frame.known(runs)) == len(runs)


def _counted(answers: Address, short: Address, share: Address) -> dict[str, Part]:
    return {"answers": Quantity(answers), "short": Quantity(short), "share": Quantity(share)}


def _uneven(series: Series, told_of_short: Sentence, short: list[Value]) -> Finding:
    return Finding(
        check="output_tokens",
        status="note",
        series=series.id,
        levels=tuple(value.address.level or "" for value in short),
        evidence=tuple(value.address for value in short),
        message=passage(
            say(
                zh="{series} 的输出平均与要求一致，但并非每条都是。",
                en="On average {series} produces what was requested, but not in each answer.",
                series=SeriesName(series.id),
            ),
            told_of_short,
        ),
        remedy=say(
            zh="让每条请求产出固定的长度（ignore_eos），批大小与时延才可比。",
            en="Let each request run to a fixed length (ignore_eos): only then do batch sizes and latencies compare.",
        ),
    )


def _agrees(series: Series, found: dict[Level, Value]) -> Finding:
    return Finding(
        check="output_tokens",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level in found),
        evidence=tuple(value.address for value in found.values()),
        message=say(
            zh="凡是查得到的档位，{series} 的输出都与要求一致，差别在吞吐数字的舍入之内。",
            en="Wherever it can be checked, {series} produces what was requested, to within the rounding of its "
            "throughput.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series, known: dict[Level, Value]) -> Finding:
    reason = next(
        (value.reason for value in known.values() if value.reason), Text(zh="没有测过任何档位", en="it has no level")
    )
    return Finding(
        check="output_tokens",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 实际产出了多少 token 无从得知：{reason}。",
            en="How many tokens {series} produced cannot be known: {reason}.",
            series=SeriesName(series.id),
            reason=reason,
        ),
        remedy=say(
            zh="记录要求的输出长度（round.toml 的 workload.output_tokens），以及每一档的输出 token 数，或吞吐、总耗时与完成数。",
            en="Record the requested length (workload.output_tokens of round.toml), and the output tokens of each "
            "level, or its throughput, duration and completed requests.",
        ),
    )
