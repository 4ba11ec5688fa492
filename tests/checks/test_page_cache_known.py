from __future__ import annotations

from tests.support.memory_round import memory_round
from tests.support.started_rounds import Start, started_round
from tests.support.telling import found_by, said

CHECK = "page_cache_known"


def test_starts_of_known_state_pass() -> None:
    round_ = started_round((Start(resident=0.0, before=1.0), Start(resident=1.0)))
    (finding,) = found_by(CHECK, round_)

    assert finding.status == "pass"
    assert "before every start of s (2 starts)." in said(finding, round_)


def test_starts_of_unknown_state_are_noted() -> None:
    round_ = started_round((Start(), Start(resident=None), Start(resident=0.5)))
    (finding,) = found_by(CHECK, round_)

    assert finding.status == "note"
    assert "Of start 2 and 3 of s it is not known" in said(finding, round_)


def test_files_that_were_to_go_and_stayed_flatter_the_engine() -> None:
    # All was in memory, was to be dropped, and 98 % of it stayed.
    round_ = started_round((Start(resident=0.98, before=1.0),))
    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.looks) == ("warn", "better")
    assert "98.0% of them stayed" in said(finding, round_)


def test_without_a_start_it_does_not_apply() -> None:
    (finding,) = found_by(CHECK, memory_round({"s": {}}))
    assert (finding.status, finding.is_empty) == ("pass", True)
