"""Is reasoning counted within the output? Where there is more of it than of output, one of the counts leaves it out."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.levels import at_runs
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import TOKENS
from generator.told.findings import Finding
from generator.told.quoting import listed_levels
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

COUNT, OUTPUT, ABOVE, SHARE = "reasoning_tokens", "output_tokens_counted", "reasoning_above_output", "reasoning_share"
RESTS_ON_OUTPUT = (OUTPUT, "output_tokens_mean", "output_throughput", "tpot_mean", "tpot_p50")


@check(
    theme=TOKENS,
    title=Text(zh="输出里的 reasoning token", en="Reasoning tokens"),
    question=Text(
        zh="reasoning token 是否算在输出 token 之内？",
        en="Are the tokens of reasoning counted within those of the output?",
    ),
    rule=Text(
        zh="reasoning token 是输出的一部分：合计或任何一条回答里 reasoning token 多于输出 token，就不通过。",
        en="Reasoning is part of the output: a failure where, in all or in a single answer, more of it is counted than of output.",
    ),
)
def reasoning_in_output(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series of which reasoning was counted."""
    known = {series: found for series in analysis.round.series if (found := _counted(analysis, series))}
    return [_examine(analysis, series, found) for series, found in known.items()] or [_nothing()]


def _counted(analysis: Analysis, series: Series) -> list[Value]:
    return analysis.frame.known(at_runs(COUNT, series))


def _examine(analysis: Analysis, series: Series, counted: list[Value]) -> Finding:
    over = [value.address for value in counted if _is_above(analysis, value)]
    return _above(analysis, series, over) if over else _within(series, counted)


def _is_above(analysis: Analysis, counted: Value) -> bool:
    """Say whether a run has more reasoning than output, in all or in some answer."""
    found = analysis.frame.known(counted.address._replace(metric=key) for key in (SHARE, ABOVE))
    most = {SHARE: 1.0, ABOVE: 0.0}
    return any((value.value or 0.0) > most[value.address.metric] for value in found)


def _above(analysis: Analysis, series: Series, over: list[Address]) -> Finding:
    levels = tuple(dict.fromkeys(address.level or "" for address in over))
    evidence = analysis.frame.known(one._replace(metric=key) for one in over for key in (COUNT, OUTPUT, ABOVE))
    return Finding(
        check="reasoning_in_output",
        status="fail",
        series=series.id,
        levels=levels,
        evidence=tuple(value.address for value in evidence),
        doubts=tuple(one._replace(metric=key) for one in over for key in RESTS_ON_OUTPUT),
        message=say(
            zh="{series} 在 {levels} 的 reasoning token 比输出 token 还多：{told}。输出里没有算上推理，或者计数有误。",
            en="At {levels} {series} has more tokens of reasoning than of output: {told}. The output leaves reasoning out, or a "
            "count is wrong.",
            series=SeriesName(series.id),
            levels=listed_levels(series.id, levels),
            told=_told(analysis, over[0]),
        ),
        bias=say(
            zh="输出若不含推理，{series} 的吞吐被低估，每个 token 的时间被高估。",
            en="If the output is without reasoning, the throughput of {series} is understated and its time per token overstated.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="查服务端的 usage：completion_tokens 应当含 reasoning_tokens；不含就换一个版本，或在记录里加上。",
            en="See the server's usage: completion_tokens has to include reasoning_tokens. Where it does not, take another "
            "version, or add them where counts are recorded.",
        ),
    )


def _told(analysis: Analysis, run: Address) -> Sentence:
    """Return both counts of a run, or how many answers have more reasoning than output where only that tells."""
    counts = {key: Quantity(run._replace(metric=key)) for key in (COUNT, OUTPUT, ABOVE)}
    level = LevelName(run.series or "", run.level or "")
    if analysis.frame.known([counts[ABOVE].address]):
        return say(
            zh="{level} 有 {above} 条回答如此",
            en="{above} {above:answer|answers} at {level}",
            level=level,
            above=counts[ABOVE],
        )
    return say(
        zh="{level} 为 {reasoning} 对 {output}",
        en="{reasoning} against {output} at {level}",
        level=level,
        reasoning=counts[COUNT],
        output=counts[OUTPUT],
    )


def _within(series: Series, counted: list[Value]) -> Finding:
    message = say(
        zh="凡是数过的地方，{series} 的 reasoning token 都在输出之内。",
        en="Wherever it is counted, the reasoning of {series} is within its output.",
        series=SeriesName(series.id),
    )
    levels = tuple(dict.fromkeys(value.address.level or "" for value in counted))
    evidence = tuple(value.address for value in counted)
    return Finding("reasoning_in_output", "pass", message, series.id, levels, evidence)


def _nothing() -> Finding:
    message = say(
        zh="没有哪次运行数过 reasoning token。",
        en="No run has its tokens of reasoning counted, so there are none to examine.",
    )
    return Finding("reasoning_in_output", "pass", message, is_empty=True)
