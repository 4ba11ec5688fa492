from __future__ import annotations

import re

import pytest

from generator.logs.facts import count, last, total
from generator.logs.starts import (
    answer,
    at_least,
    first_told,
    later,
    of_last_start,
    of_one_engine,
    of_one_worker,
    percent,
    says,
    scaled,
    share_above_zero,
    total_of_all,
    where_so,
)
from generator.runs.log_events import EventKind, Events, Told
from tests.support.engine_logs import events_of

KINDS = (
    EventKind(
        "start",
        re.compile(
            rb"begin" + later(rb"tp=", "tensor") + later(rb"dp=", "data") + later(rb"eager=", "eager_text", rb"\w+")
        ),
    ),
    EventKind("line", re.compile(rb"line" + later(rb"wait=", "waiting") + later(rb"use=", "usage"))),
)


def log(*lines: str) -> Events:
    return events_of(KINDS, *lines)


def value(told: Told | None) -> float | None:
    return None if told is None else told.value


def test_fields_stand_in_any_order_or_are_absent() -> None:
    table = log("line use=2 x wait=1", "line wait=3")["line"]

    assert table.columns["waiting"].tolist() == [1, 3]
    assert table.columns["usage"][0] == 2
    assert str(table.columns["usage"][1]) == "nan"


def test_a_field_that_begins_too_far_on_is_not_looked_for() -> None:
    assert value(last("line", "usage")(log("line " + "x" * 600 + "use=2"))) is None


def test_units() -> None:
    events = log("line use=25")

    assert value(scaled(last("line", "usage"), 8.0)(events)) == 200
    assert value(percent(last("line", "usage"))(events)) == 0.25
    assert value(answer(count("line"), 0.0)(events)) == 0
    assert value(answer(count("start"), 0.0)(events)) is None


def test_the_first_way_that_knows_answers() -> None:
    ways = first_told(last("line", "waiting"), last("line", "usage"))

    assert value(ways(log("line use=5"))) == 5
    assert value(ways(log("line use=5 wait=4"))) == 4
    assert value(ways(log("line"))) is None


def test_how_many_reach_a_limit_is_0_where_none_does_and_unknown_where_none_is_told() -> None:
    assert value(at_least("line", "usage", 3)(log("line use=3", "line use=2", "line"))) == 1
    assert value(at_least("line", "usage", 3)(log("line use=2"))) == 0
    assert value(at_least("line", "usage", 3)(log("line"))) is None


def test_a_share_is_of_the_lines_that_have_the_field() -> None:
    share = share_above_zero("line", "waiting")(log("line wait=0", "line wait=4", "line", "line wait=0", "line wait=1"))

    # 2 of 4
    assert share is not None
    assert share.value == 0.5
    assert share.lines.tolist() == [1, 2, 4, 5]


def test_a_sum_of_all_is_unknown_where_one_is_not_told() -> None:
    assert value(total_of_all("line", "usage")(log("line use=1", "line use=2"))) == 3
    assert value(total_of_all("line", "usage")(log("line use=1", "line"))) is None
    assert value(total_of_all("line", "usage")(log())) is None


def test_what_a_setting_says_last() -> None:
    eager = says("start", "eager_text", "True")

    assert value(eager(log("begin eager=False", "begin eager=True"))) == 1
    assert value(eager(log("begin eager=False"))) == 0
    assert value(eager(log("begin"))) is None
    assert value(eager(log())) is None
    assert value(where_so(eager)(log("begin eager=False"))) is None
    assert value(where_so(eager)(log("begin eager=True"))) == 1


def test_only_the_last_start_counts() -> None:
    added = of_last_start("start", total("line", "usage"))

    assert value(added(log("begin", "line use=1", "begin", "line use=2", "line use=4"))) == 6
    assert value(added(log("line use=1", "line use=2"))) == 3
    assert value(added(log("line use=1", "begin"))) is None


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        (("begin tp=1 dp=1", "line use=5"), 5.0),
        (("begin tp=1 dp=1", "line use=5", "line use=6"), 11.0),
        (("begin tp=1", "line use=5"), 5.0),
        (("begin tp=2 dp=1", "line use=5", "line use=6"), None),
        (("begin tp=1 dp=2", "line use=5"), None),
        (("begin, and cut here", "line use=5"), None),
        (("line use=5",), 5.0),
        (("line use=5", "line use=6"), None),
        (("begin tp=2", "line use=7", "begin tp=1", "line use=5"), 5.0),
    ],
    ids=[
        "one worker",
        "one worker, two lines",
        "a size that is not told",
        "two workers",
        "two engines",
        "sizes not told",
        "no start, one line",
        "no start, two lines",
        "two starts",
    ],
)
def test_what_several_workers_have_together_is_not_guessed(lines: tuple[str, ...], known: float | None) -> None:
    alone = of_one_worker("start", ("tensor", "data"), total("line", "usage"))

    assert value(alone(log(*lines))) == known


def test_what_is_of_one_of_several_engines_is_not_told() -> None:
    alone = of_one_engine("start", "data", last("line", "usage"))

    assert value(alone(log("begin dp=2", "line use=5"))) is None
    assert value(alone(log("begin dp=1", "line use=5"))) == 5
    assert value(alone(log("begin", "line use=5"))) == 5
    assert value(alone(log("line use=5"))) == 5
