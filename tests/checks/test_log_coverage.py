from __future__ import annotations

from dataclasses import replace

from generator.model import Round
from generator.text import Text
from generator.told.findings import Finding
from generator.values import Address
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "log_coverage"
STARTED = {"s": {"log_slots_of_series": 4.0}}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_a_log_with_fewer_requests_than_were_answered_is_a_warning() -> None:
    levels = {"c1": {"logged_requests": 8.0, "completed": 8.0}, "c8": {"logged_requests": 30.0, "completed": 40.0}}
    round_ = watched_round(levels, of_series=STARTED)

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert "fewer requests are accepted than were answered at C=8 (30)" in said(finding, round_)


def test_a_log_without_its_start_is_a_note() -> None:
    round_ = watched_round({"c1": {"logged_requests": 8.0, "completed": 8.0}})

    finding = examine(round_)

    assert finding.status == "note"
    assert "does not hold the start of the server" in said(finding, round_)


def test_a_log_that_cannot_be_cut_says_why() -> None:
    round_ = watched_round({"c1": {}}, of_series={"s": {"log_slots_of_series": 4.0, "logged_requests_of_series": 8.0}})
    why = Text(zh="没有共同的时钟", en="they share no clock")
    round_ = replace(round_, unread={Address("logged_requests", "level", "s", "c1"): why})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("note", ("c1",))
    assert "what it says of each is unknown: they share no clock." in said(finding, round_)


def test_a_whole_log_passes() -> None:
    # one more than was answered: the warm-up
    round_ = watched_round({"c1": {"logged_requests": 9.0, "completed": 8.0}}, of_series=STARTED)

    assert examine(round_).status == "pass"


def test_without_a_log_there_is_nothing_to_examine() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0}}})).is_empty


def test_a_table_with_numbers_of_a_log_has_no_log() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0, "logged_requests": 8.0, "completed": 9.0}}})).is_empty
