"""By which metric and which thresholds two rounds are compared, and who said so: a command, a round, or nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from generator.comparing.records import DEFAULT_MARGIN, USUAL_PRIMARY
from generator.comparing.rounds import Options
from generator.errors import InputError, nearest, quote
from generator.frame import Analysis
from generator.kinds import Metric
from generator.round_tables import RoundTable
from generator.text import Text

By = Literal["command", "round", "usual"]

SAID_BY: Final[Mapping[By, Text]] = {
    "command": Text(zh="命令行所定", en="set on the command line"),
    "round": Text(zh="round.toml 所定（{rounds}）", en="set in round.toml of {rounds}"),
    "usual": Text(zh="默认", en="the default"),
}
DISAGREE: Final = Text(
    zh="默认：两轮的 round.toml 各定了一个，不相同",
    en="the default: the rounds each name another one in round.toml",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command asks for; what is None is left to the rounds."""

    primary: str | None = None
    margin: float | None = None
    intended: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """How two rounds are compared.

    Attributes:
        options: what the comparison takes.
        primary_by: who chose the primary metric.
        margin_by: who chose the margin; with the reason that the author gave.
    """

    options: Options
    primary_by: Text
    margin_by: Text


NOTHING_ASKED: Final = Asked()


def decide(
    base: Analysis,
    head: Analysis,
    declared: Mapping[str, Metric],
    asked: Asked = NOTHING_ASKED,
    earlier: Sequence[Analysis] = (),
) -> Decided:
    """Return how two rounds are compared. Which of them is base and which head changes nothing.

    Raises:
        InputError: the primary metric is none of a level, or neither direction of it is better.
    """
    primary, primary_by = _primary(base, head, declared, asked)
    margin, margin_by = _margin(base, head, asked)
    intended = {*asked.intended, *base.round.file.round.intended, *head.round.file.round.intended}
    options = Options(primary, margin, frozenset(intended), earlier)
    return Decided(options, primary_by, margin_by)


def _primary(base: Analysis, head: Analysis, declared: Mapping[str, Metric], asked: Asked) -> tuple[str, Text]:
    if asked.primary is not None:
        _refuse(asked.primary, declared, "--primary", "")
        return asked.primary, SAID_BY["command"]
    named = {side.round.id: primary for side in (base, head) if (primary := _table(side).primary) is not None}
    for round_id, primary in named.items():
        _refuse(primary, declared, f"{round_id}/round.toml", "[round] primary")
    if len(set(named.values())) > 1:
        return USUAL_PRIMARY, DISAGREE
    return (next(iter(named.values())), _by(named)) if named else (USUAL_PRIMARY, SAID_BY["usual"])


def _refuse(metric: str, declared: Mapping[str, Metric], file: str, place: str) -> None:
    directed = [key for key, one in declared.items() if one.better is not None]
    if metric not in declared:
        raise InputError(file, place, f"there is no metric {quote(metric)} of a level", nearest(metric, directed))
    if metric not in directed:
        problem = f"neither direction of {quote(metric)} is better, so that it decides nothing"
        raise InputError(file, place, problem, "name a throughput or a latency, as output_throughput or itl_p50")


def _margin(base: Analysis, head: Analysis, asked: Asked) -> tuple[float, Text]:
    """Return the margin; of two that the rounds name, the smaller one: it is the one that both are held to."""
    if asked.margin is not None:
        return asked.margin, SAID_BY["command"]
    named = [(margin, side) for side in (base, head) if (margin := _table(side).margin) is not None]
    if not named:
        return DEFAULT_MARGIN, SAID_BY["usual"]
    least = min(margin for margin, _ in named)
    chosen = [side for margin, side in named if margin == least]
    return least, _with_reasons(_by(side.round.id for side in chosen), chosen)


def _with_reasons(by: Text, sides: Iterable[Analysis]) -> Text:
    reasons = [reason.text() for side in sides if (reason := _table(side).margin_reason) is not None]
    told = Text(zh="{by}：{why}", en="{by}: {why}")
    return told.format(by=by, why=reasons[0]) if reasons else by


def _by(rounds: Iterable[str]) -> Text:
    ids = sorted(set(rounds))
    return SAID_BY["round"].format(rounds=Text(zh="、".join(ids), en=" and ".join(ids)))


def _table(analysis: Analysis) -> RoundTable:
    return analysis.round.file.round


def level_metrics(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return the metrics of levels by key, each by its usual definition."""
    return {one.key: one for one in metrics if one.scope == "level" and one.basis is None}
