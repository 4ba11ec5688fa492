from __future__ import annotations

from dataclasses import replace
from datetime import date

from generator.comparing.neighbours import neighbours
from generator.comparing.order import day_of, in_order
from generator.declared.table_types import Words
from generator.frame import Analysis
from generator.machines.records import Machine, RunTime
from generator.values import Source
from tests.comparing.two_rounds import throughputs


def dated(round_id: str, day: date | Words | None, *, ran: str | None = None) -> Analysis:
    """Return a round that declares a day, and whose only run began at a time."""
    analysis = throughputs(100.0)
    table = analysis.round.file.round.model_copy(update={"date": day})
    file = analysis.round.file.model_copy(update={"round": table})
    run = RunTime("c8", None, ran, None, None, Source("level.json", ""))
    return replace(
        analysis, round=replace(analysis.round, id=round_id, file=file, machines={"a": Machine(runs=(run,))})
    )


def ids(rounds: list[Analysis]) -> list[str]:
    return [one.round.id for one in in_order(rounds)]


def test_rounds_follow_each_other_by_their_days_whatever_their_ids() -> None:
    later, earlier = dated("a", date(2026, 3, 2)), dated("b", date(2026, 3, 1))
    assert ids([later, earlier]) == ["b", "a"]
    assert [(one.base.round.id, one.head.round.id) for one in neighbours(in_order([later, earlier]))] == [("b", "a")]


def test_rounds_of_one_day_follow_by_their_ids_as_numbers_do() -> None:
    day = date(2026, 3, 1)
    assert ids([dated("r-10", day), dated("r-9", day), dated("q", day)]) == ["q", "r-9", "r-10"]


def test_rounds_of_no_known_day_come_first() -> None:
    words = Words(zh="春", en="spring")
    rounds = [dated("a", date(2020, 1, 1)), dated("z-2", None), dated("z-1", words)]
    assert ids(rounds) == ["z-1", "z-2", "a"]


def test_a_round_that_declares_no_day_is_of_the_day_on_which_it_was_first_run() -> None:
    assert day_of(dated("r", None, ran="2026-03-01T23:30:00-02:00").round) == date(2026, 3, 2)  # 01:30 UTC
    assert day_of(dated("r", date(2026, 1, 1), ran="2026-03-01T10:00:00Z").round) == date(2026, 1, 1)
    assert day_of(dated("r", None, ran="some time").round) is None
