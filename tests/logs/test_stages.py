from __future__ import annotations

import re

import pytest

from generator.logs.facts import Compute, last
from generator.logs.stages import added, between, clock_of, first_event, last_event, less
from generator.runs.log_events import EventKind, Events
from tests.support.engine_logs import events_of

KINDS = (
    EventKind("begun", re.compile(rb"begun")),
    EventKind("done", re.compile(rb"done")),
    EventKind("took", re.compile(rb"took (?P<seconds>[\d.]+)")),
)
OURS = "{ns} 2026-11-29T22:28:43.267964Z | "


def log(*lines: str) -> Events:
    return events_of(KINDS, *lines)


def value(compute: Compute, events: Events) -> float | None:
    told = compute(events)
    return None if told is None else told.value


def at(seconds: float, words: str) -> str:
    return OURS.format(ns=round(seconds * 1e9)) + words


STAGE = between(first_event("begun"), last_event("done"))


def test_a_stage_lasts_from_line_to_line_by_our_clock() -> None:
    assert value(STAGE, log(at(100.5, "begun"), at(103.25, "done"))) == 2.75


def test_the_logs_own_time_is_finer_than_when_it_was_read() -> None:
    # Both lines were read at once; llama.cpp wrote them at 1.5 s and 3.75 s since its start.
    lines = ("0.01.500.000 I srv          init: begun", "0.03.750.000 I srv          init: done")
    assert value(STAGE, log(*(at(104.0, line) for line in lines))) == 2.25
    assert value(STAGE, log(*lines)) == 2.25  # where nobody stamped the lines


def test_of_repeated_lines_the_first_and_the_last_count_as_asked() -> None:
    events = log(at(1, "begun"), at(2, "begun"), at(3, "done"), at(5, "done"))
    assert value(between(first_event("begun"), last_event("done")), events) == 4
    assert value(between(last_event("begun"), first_event("done")), events) == 1


def test_the_first_kind_that_is_there_is_taken() -> None:
    events = log(at(1, "begun"), at(4, "took 2.5"))
    assert value(between(first_event("done", "begun"), first_event("done", "took")), events) == 3


@pytest.mark.parametrize(
    "lines",
    [("begun",), ("done",), ("begun", "done"), (at(5, "begun"), at(3, "done"))],
    ids=["no end", "no begin", "no clock", "the end comes first"],
)
def test_what_does_not_tell_is_no_stage(lines: tuple[str, ...]) -> None:
    assert value(STAGE, log(*lines)) is None


def test_a_moment_is_one_of_our_clock_or_none() -> None:
    assert value(clock_of(first_event("begun")), log(at(100.5, "begun"))) == 100.5
    assert value(clock_of(first_event("begun")), log("begun")) is None
    assert value(clock_of(first_event("begun")), log(at(1, "done"))) is None


def test_stages_that_are_told_add_up() -> None:
    events = log(at(1, "begun"), at(3, "done"), "took 2.5")
    stages = [STAGE, last("took", "seconds"), between(first_event("took"), first_event("done"))]
    told = added(stages)(events)
    assert told is not None
    assert (told.value, told.lines.tolist()) == (4.5, [1, 2, 3])
    assert added(stages)(log("nothing")) is None


def test_parts_are_taken_off_a_whole_and_leave_no_less_than_nothing() -> None:
    took = last("took", "seconds")
    assert value(less(STAGE, took), log(at(1, "begun"), at(5, "done"), "took 2.5")) == 1.5
    assert value(less(STAGE, took), log(at(1, "begun"), at(2, "done"), "took 2.5")) == 0
    assert value(less(STAGE, took), log(at(1, "begun"), at(2, "done"))) == 1
    assert value(less(STAGE, took), log("took 2.5")) is None
