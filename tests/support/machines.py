"""Rounds in memory of which it is known what they ran on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from generator.declared.round_tables import SeriesTable
from generator.machines.flags import family_of
from generator.machines.records import Fact, Facts, Machine, RunTime, Session
from generator.model import Round, Series
from generator.values import Source
from tests.support.memory_round import Levels, Numbers, memory_round

HERE: Final = Source("round.toml", "gpu")
NO_LEVELS: Final[Levels] = {}


def facts(told: Mapping[str, str]) -> Facts:
    """Return facts by path."""
    return {path: Fact(text, HERE) for path, text in told.items()}


def run(level: str = "c1", started: str | None = None, ended: str | None = None, steps: float | None = None) -> RunTime:
    """Return when a run was."""
    return RunTime(level, None, started, ended, steps, HERE)


def machine(
    told: Mapping[str, str] | None = None,
    *,
    engine: str | None = None,
    flags: Sequence[tuple[str, str]] | None = None,
    sessions: Sequence[Mapping[str, str]] = (),
    runs: Sequence[RunTime] = (),
) -> Machine:
    """Return what a series ran on; ``flags`` None where they are not known, empty where there were none."""
    of_flags = {f"flag.{name}": value for name, value in flags or ()}
    named = {} if engine is None else {"engine.name": engine}
    return Machine(
        facts=facts({**named, **(told or {}), **of_flags}),
        sessions=tuple(Session(str(number), facts(one)) for number, one in enumerate(sessions, 1)),
        runs=tuple(runs),
        family=family_of(None, engine),
        has_flags=flags is not None,
    )


def ran_on(
    machines: Mapping[str, Machine],
    *,
    levels: Mapping[str, Levels] | None = None,
    of_series: Mapping[str, Numbers] | None = None,
    tables: Mapping[str, Mapping[str, str]] | None = None,
    baseline: str | None = None,
) -> Round:
    """Make a round of some series, each with its machine and the texts of its table."""
    known = {series: (levels or {}).get(series, NO_LEVELS) for series in machines}
    round_ = memory_round(known, of_series=of_series or {}, baseline=baseline)
    placed = tuple(
        Series(SeriesTable.model_validate({"id": one.id, **(tables or {}).get(one.id, {})}), one.levels)
        for one in round_.series
    )
    return replace(round_, series=placed, machines=machines)
