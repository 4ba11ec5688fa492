"""Are there answers without an error and without a token? A latency of 0 is then no measurement."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.levels import at_runs
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import TOKENS
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, listed_levels, worst_of
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value


@check(
    theme=TOKENS,
    title=Text(zh="没有 token 的回答", en="Answers without a token"),
    question=Text(
        zh="有没有没报错、却一个 token 也没有产出的回答？",
        en="Are there answers that came back without an error and without a token?",
    ),
    rule=Text(
        zh="只要有一条回答没有报错却一个 token 也没有，就警告：它记下的时延不是测量值。",
        en="A warning as soon as one answer came without an error and without a token: the latency noted for it is not a measurement.",
    ),
)
def answers_without_token(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose runs are there request by request."""
    counted = {series: _counted(analysis, series) for series in analysis.round.series}
    return [_examine(series, found) for series, found in counted.items() if found] or [_nothing()]


def _counted(analysis: Analysis, series: Series) -> dict[Address, Value]:
    """Return how many answers of each run brought nothing."""
    return {value.address: value for value in analysis.frame.known(at_runs("silent_answers", series))}


def _examine(series: Series, counted: dict[Address, Value]) -> Finding:
    silent = {address: value for address, value in counted.items() if value.value}
    return _silent(series, silent) if silent else _all_spoke(series, counted)


def _answers(address: Address) -> Address:
    return address._replace(metric="completed")


def _silent(series: Series, silent: dict[Address, Value]) -> Finding:
    worst = max(silent, key=lambda address: silent[address].value or 0.0)
    levels = tuple(dict.fromkeys(address.level or "" for address in silent))
    return Finding(
        check="answers_without_token",
        status="warn",
        series=series.id,
        levels=levels,
        evidence=tuple(address for one in silent for address in (one, _answers(one))),
        message=say(
            zh="{series} 在 {levels} 有没报错、却没有 token 的回答：{worst}。这些回答谈不上 TTFT 与 E2EL；"
            "文件里的零不是测量值，本报告的时延里没有它们。",
            en="At {levels}, {series} reports no error for answers without any token: {worst}. These have neither a "
            "TTFT nor an E2EL; a zero in the file is not a measurement, and no latency of this report includes it.",
            series=SeriesName(series.id),
            levels=listed_levels(series.id, levels),
            worst=_worst(worst, one_of_several=len(silent) > 1),
        ),
        bias=say(
            zh="把它们当作完成的请求，{series} 的请求吞吐被抬高。",
            en="Counted as completed, they raise the request throughput of {series}.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="在服务端日志里查这些请求：立即遇到 EOS、被过滤，还是流被截断；必要时加上 ignore_eos。",
            en="Look them up in the server's log: an EOS at once, a filter, or a stream cut off; where need be, ask with "
            "ignore_eos.",
        ),
    )


def _worst(worst: Address, *, one_of_several: bool) -> Sentence:
    share = say(
        zh="{answers} 条回答里的 {silent} 条",
        en="{silent} of {answers} {answers:answer|answers} without a token",
        silent=Quantity(worst),
        answers=Quantity(_answers(worst)),
    )
    return worst_of(share, MOST_OF_ALL, LevelName(worst.series or "", worst.level or ""), one_of_several=one_of_several)


def _all_spoke(series: Series, counted: dict[Address, Value]) -> Finding:
    return Finding(
        check="answers_without_token",
        status="pass",
        series=series.id,
        levels=tuple(dict.fromkeys(address.level or "" for address in counted)),
        evidence=tuple(counted),
        message=say(
            zh="{series} 的每条回答都至少有一个 token。",
            en="Every answer of {series} has at least one token.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="answers_without_token",
        status="pass",
        message=say(
            zh="没有哪一次运行有逐条的请求，没有可数的回答。",
            en="No run has per-request records, so there are no answers to count.",
        ),
        is_empty=True,
    )
