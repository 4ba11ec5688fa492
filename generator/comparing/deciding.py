"""By which metric and which thresholds two rounds are compared, and who said so: a command, a round, or nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from generator.comparing.pairing import Pairs, named_pairs
from generator.comparing.records import DEFAULT_MARGIN, USUAL_PRIMARY
from generator.comparing.rounds import Options
from generator.comparing.shares import Said, Shares, among, refuse_unknown, without
from generator.declared.round_tables import RoundTable
from generator.errors import InputError, nearest, quote
from generator.frame import Analysis
from generator.kinds import Metric
from generator.text import Text

By = Literal["command", "round", "usual"]

SAID_BY: Final[Mapping[By, Text]] = {
    "command": Text(zh="命令行所定", en="set on the command line"),
    "round": Text(zh="round.toml 所定（{rounds}）", en="set in round.toml of {rounds}"),
    "usual": Text(zh="默认", en="default setting"),
}
DISAGREE: Final = Text(
    zh="默认：两轮的 round.toml 各定了一个，不相同",
    en="the default: the rounds each name another one in round.toml",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command asks for; what is None, or of which nothing is said, is left to the rounds."""

    primary: str | None = None
    margin: float | None = None
    intended: tuple[str, ...] = ()
    margins: Shares = field(default_factory=dict)
    threshold: float | None = None
    thresholds: Shares = field(default_factory=dict)
    pairs: Pairs = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decided:
    """How two rounds are compared.

    Attributes:
        options: what the comparison takes.
        primary_by: who chose the primary metric.
        margin_by: who chose the margin; with the reason that the author gave.
        margins: the margins of single metrics, with who set them.
        thresholds: their thresholds, and who set them; that of all others is of the command line, if there is one.
        pairs_by: series of the head round -> who paired it with one of another id.
    """

    options: Options
    primary_by: Text
    margin_by: Text
    margins: tuple[Said, ...] = ()
    thresholds: tuple[Said, ...] = ()
    pairs_by: Mapping[str, Text] = field(default_factory=dict)


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
        InputError: the primary metric is none of a level, or neither direction of it is better; a share is of no
            metric; a series is not there, or would be compared with two.
    """
    primary, primary_by = _primary(base, head, declared, asked)
    margin, margin_by = _margin(base, head, asked)
    margins = _of_metrics(base, head, declared, "margin", asked)
    thresholds = _of_metrics(base, head, declared, "threshold", asked)
    intended = {*asked.intended, *base.round.file.round.intended, *head.round.file.round.intended}
    pairs = named_pairs(base, head, asked.pairs)
    options = Options(
        primary, margin, frozenset(intended), earlier, {one.of: one.share for one in margins}, asked.threshold,
        {one.of: one.share for one in thresholds}, pairs,
    )  # fmt: skip
    return Decided(options, primary_by, margin_by, margins, thresholds, _pairs_by(base, head, pairs, asked))


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
        problem = f"neither direction of {quote(metric)} is better, so it decides nothing"
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


def _of_metrics(
    base: Analysis, head: Analysis, declared: Mapping[str, Metric], what: Literal["margin", "threshold"], asked: Asked
) -> tuple[Said, ...]:
    """Return the margins or thresholds of single metrics: the command's, and of the rounds' those that it leaves.

    Of two that the rounds name, the smaller margin and the larger threshold hold: neither then says more than both do.
    """
    typed = asked.margins if what == "margin" else asked.thresholds
    refuse_unknown(typed, declared, f"--{what}", "")
    of_command = tuple(Said(name, share, SAID_BY["command"]) for name, share in typed.items())
    if (asked.margin if what == "margin" else asked.threshold) is not None:
        return of_command
    tables = {side.round.id: getattr(_table(side), f"{what}s") for side in (base, head)}
    for round_id, shares in tables.items():
        refuse_unknown(shares, declared, f"{round_id}/round.toml", f"[round] {what}s")
    found = among(tables, largest=what == "threshold")
    of_rounds = [Said(name, share, _by(rounds)) for name, (share, rounds) in sorted(found.items())]
    return (*of_command, *without(of_rounds, typed))


def _pairs_by(base: Analysis, head: Analysis, pairs: Pairs, asked: Asked) -> dict[str, Text]:
    tables = {head.round.id: dict(_table(head).pairs), base.round.id: {b: a for a, b in _table(base).pairs.items()}}
    found = {}
    for one, other in pairs.items():
        rounds = [round_id for round_id, table in tables.items() if table.get(one) == other]
        found[other] = SAID_BY["command"] if one in asked.pairs else _by(rounds)
    return found


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
