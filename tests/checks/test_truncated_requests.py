from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "truncated_requests"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_requests_that_were_cut_are_a_warning() -> None:
    round_ = watched_round({"c1": {"log_truncated": 0.0}, "c8": {"log_truncated": 3.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c8",), "better")
    assert "truncated requests at C=8: 3 of them" in said(finding, round_)


def test_a_slot_that_was_full_has_cut_its_answer() -> None:
    # A slot of 512 tokens holds 511 in the end: the last token of an answer is not stored.
    round_ = watched_round(
        {"c1": {"log_truncated": 0.0, "log_slot_tokens_most": 511.0}},
        of_series={"s": {"log_slot_context_of_series": 512.0}},
    )

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1",))
    assert "ended with their slot full at C=1: 511 tok of the 512 tok that a slot has" in said(finding, round_)


def test_a_slot_with_room_passes() -> None:
    round_ = watched_round(
        {"c1": {"log_truncated": 0.0, "log_slot_tokens_most": 510.0}},
        of_series={"s": {"log_slot_context_of_series": 512.0}},
    )

    assert examine(round_).status == "pass"


def test_the_log_of_a_series_is_examined_where_runs_have_none() -> None:
    round_ = watched_round({"c1": {}}, of_series={"s": {"log_truncated_of_series": 2.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ())
    assert "over the whole series: 2 of them" in said(finding, round_)


def test_without_a_log_there_is_nothing_to_examine() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0}}})).is_empty
