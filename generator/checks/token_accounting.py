"""Is the total throughput the sum of its parts?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import by_kind_of_data, has_requests, level_names
from generator.frame import Analysis
from generator.kinds import REPORTED, check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import THROUGHPUT
from generator.told.findings import Finding, Status
from generator.told.quoting import FURTHEST_OFF, worst_of
from generator.told.sentence import LevelName, Part, Quantity, Sentence, SeriesName, say
from generator.units import half_a_digit
from generator.values import Value

SLACK: Final = 0.01
"""Prompts come out a few tokens longer or shorter than asked; a difference above this is no such thing."""
NOISE: Final = 1e-9
"""Of a rounding: what floating-point arithmetic adds to it."""


@dataclass(frozen=True, slots=True)
class Account:
    """A printed total, what its parts come to, and how far the rounding of all of them may take the two apart."""

    level: Level
    printed: Value
    parts: Value
    rounding: float | None

    @property
    def excess(self) -> float:
        """Return how far the total is above its parts, in tokens a second."""
        return (self.printed.value or 0.0) - (self.parts.value or 0.0)

    @property
    def slack(self) -> float:
        """Return what is forgiven beyond rounding, in tokens a second."""
        return SLACK * (self.parts.value or 0.0)

    @property
    def closes(self) -> bool:
        """Say whether the rounding explains the difference; where it is not known, the slack stands in for it."""
        allowed = self.slack if self.rounding is None else self.rounding
        return abs(self.excess) <= allowed * (1 + NOISE)


FOR_RUNS: Final = Text(
    zh="结果里要有客户端自报的总吞吐；没有逐条请求时，在 round.toml 里写明 [workload] input_tokens。",
    en="The result needs the total throughput as the client reports it; without single requests, declare [workload] input_tokens of round.toml.",
)
FOR_TABLES: Final = Text(
    zh="补上 total_token_throughput、output_throughput、completed 与 duration_s 几列，并在 round.toml 里写明 [workload] input_tokens。",
    en="Fill in the columns total_token_throughput, output_throughput, completed and duration_s, and declare [workload] input_tokens of round.toml.",
)


@check(
    theme=THROUGHPUT,
    title=Text(zh="token 数核对", en="Token accounting"),
    question=Text(
        zh="总吞吐是否等于输出吞吐加上完成请求的输入？",
        en="Is the total throughput that of the output plus the input of the completed requests?",
    ),
    rule=Text(
        zh="总吞吐要等于输出吞吐加上完成请求的输入 ÷ 耗时：超出舍入就提示，超出 {slack} 就警告。",
        en="The total throughput has to be the output throughput plus the input of the completed requests ÷ the duration: a note beyond the rounding, a warning beyond {slack}.",
    ).format(slack=f"{SLACK:.0%}"),
)
def token_accounting(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    accounts = [one for level in series.levels if (one := _account(analysis, series, level)) is not None]
    open_accounts = [one for one in accounts if not one.closes]
    if open_accounts:
        return _differs(series, open_accounts)
    if not accounts and series.levels and all(_is_added_up(analysis, series, level) for level in series.levels):
        return _no_other_total(series)
    return _closes(series, accounts) if accounts else _unknown(series)


def _is_added_up(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether the total of a level is that of its requests, and no client gives another."""
    printed = _total(analysis, series, level)
    return has_requests(analysis, (series, level)) and (printed.formula is not None or printed.value is None)


def _account(analysis: Analysis, series: Series, level: Level) -> Account | None:
    """Return the account of a level; None where no total was read, or a part of it is unknown."""
    printed = _total(analysis, series, level)
    parts = analysis.frame.of_level("accounted_token_throughput", series.id, level.id)
    if printed.value is None or printed.formula is not None or parts.value is None:
        return None
    return Account(level, printed, parts, _rounding(analysis, series, level))


def _total(analysis: Analysis, series: Series, level: Level) -> Value:
    """Return the total on record: that of the client, where the other is added up from the requests."""
    taken = analysis.frame.of_level("total_token_throughput", series.id, level.id)
    if taken.formula is None:
        return taken
    return analysis.frame.values.get(taken.address._replace(basis=REPORTED), taken)


def _rounding(analysis: Analysis, series: Series, level: Level) -> float | None:
    """Return half a unit of the last digit of every printed number, carried over to the total.

    Counts of requests and of tokens asked are exact. None where one of the others is not as it was printed.
    """
    keys = ("total_token_throughput", "output_throughput", "duration")
    total, output, duration = (analysis.frame.of_level(key, series.id, level.id) for key in keys)
    parts = analysis.frame.of_level("accounted_token_throughput", series.id, level.id)
    if total.decimals is None or output.decimals is None or duration.decimals is None or not duration.value:
        return None
    prompts = (parts.value or 0.0) - (output.value or 0.0)
    of_duration = prompts * half_a_digit(duration.decimals, "s") / duration.value
    return half_a_digit(total.decimals, "tok/s") + half_a_digit(output.decimals, "tok/s") + of_duration


DIFFERS: Final = Text(
    zh="{series} 在 {levels} 的总吞吐不等于输出吞吐加上完成请求的输入：{worst}。",
    en="At {levels} the total throughput of {series} is not that of the output plus the input of the completed requests: "
    "{worst}.",
)
TOO_MUCH: Final = Text(
    zh="若错在总吞吐，它让 {series} 显得更好。", en="If it is the total that is wrong, it flatters {series}."
)
TOO_LITTLE: Final = Text(
    zh="若错在总吞吐，它让 {series} 显得更差。",
    en="If it is the total that is wrong, it makes {series} look worse.",
)
CORRECT: Final = Text(
    zh="核对这几档的总吞吐、输出吞吐、总耗时与完成数：其中有一个抄错了，或者算法不同。",
    en="Go over the total, the output throughput, the duration and the completed requests of these levels: one of "
    "them is mistyped, or defined differently.",
)
COUNT_PROMPTS: Final = Text(
    zh="记录实际的输入 token 数：prompt 往往比要求的长一点或短一点。",
    en="Record the input tokens that were counted: prompts tend to be a little longer or shorter than requested.",
)


def _differs(series: Series, accounts: list[Account]) -> Finding:
    worst = max(accounts, key=lambda one: abs(one.excess) - one.slack)
    status: Status = "warn" if abs(worst.excess) > worst.slack else "note"
    name = SeriesName(series.id)
    parts: dict[str, Part] = {
        "series": name,
        "levels": level_names(series, (one.level for one in accounts)),
        "worst": _worst(series, worst, one_of_several=len(accounts) > 1),
    }
    return Finding(
        check="token_accounting",
        status=status,
        series=series.id,
        levels=tuple(one.level.id for one in accounts),
        evidence=tuple(value.address for one in accounts for value in (one.printed, one.parts)),
        doubts=tuple(one.printed.address for one in accounts if abs(one.excess) > one.slack),
        message=Sentence(DIFFERS, parts),
        bias=Sentence(TOO_MUCH if worst.excess > 0 else TOO_LITTLE, {"series": name}) if status == "warn" else None,
        remedy=Sentence(CORRECT if status == "warn" else COUNT_PROMPTS),
    )


def _worst(series: Series, account: Account, *, one_of_several: bool) -> Sentence:
    amounts = say(
        zh="记录的是 {printed}，按各部分相加应为 {parts}",
        en="{printed} on record, {parts} from its parts",
        printed=Quantity(account.printed.address),
        parts=Quantity(account.parts.address),
    )
    return worst_of(amounts, FURTHEST_OFF, LevelName(series.id, account.level.id), one_of_several=one_of_several)


def _closes(series: Series, accounts: list[Account]) -> Finding:
    return Finding(
        check="token_accounting",
        status="pass",
        series=series.id,
        levels=tuple(one.level.id for one in accounts),
        evidence=tuple(value.address for one in accounts for value in (one.printed, one.parts)),
        message=say(
            zh="凡是查得到的档位，{series} 的总吞吐都等于输出吞吐加上完成请求的输入，差别在舍入之内。",
            en="Wherever it can be checked, the total throughput of {series} is that of the output plus the input of the "
            "completed requests, to within rounding.",
            series=SeriesName(series.id),
        ),
    )


def _no_other_total(series: Series) -> Finding:
    message = say(
        zh="{series} 的总吞吐是逐条请求加出来的，没有另一个总数可以对照。",
        en="The total throughput of {series} is added up from its requests: there is no other total to compare it with.",
        series=SeriesName(series.id),
    )
    return Finding("token_accounting", "pass", message, series.id, is_empty=True)


def _unknown(series: Series) -> Finding:
    return Finding(
        check="token_accounting",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档同时记录了总吞吐和算出它所需的数，无从检查。",
            en="No level of {series} records a total throughput together with what it is made of, so there is "
            "nothing to check.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=FOR_RUNS, table=FOR_TABLES),
    )
