from __future__ import annotations

from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "releases_of_requests"


def test_a_request_without_a_release_was_lost_in_the_server() -> None:
    # 10 − 8 − 1 = 1
    busy = {"logged_requests": 10.0, "log_releases": 8.0, "log_cancelled": 1.0, "failed": 2.0}
    round_ = watched_round({"c1": {"logged_requests": 4.0, "log_releases": 4.0}, "c8": busy})

    lost, cancelled = found_by(CHECK, round_)

    assert (lost.status, lost.levels) == ("warn", ("c8",))
    assert "at C=8, 10 accepted and 8 released" in said(lost, round_)
    assert (cancelled.status, cancelled.levels) == ("note", ("c8",))
    assert "at C=8: 1. It does so where a client has left. For the client 2 failed at C=8." in said(cancelled, round_)


def test_cancelled_requests_that_the_client_does_not_count_are_a_warning() -> None:
    round_ = watched_round({"c8": {"logged_requests": 9.0, "log_releases": 9.0, "log_cancelled": 1.0, "failed": 0.0}})

    (finding,) = found_by(CHECK, round_)

    assert finding.status == "warn"
    assert "Yet the client counts no failure" in said(finding, round_)


def test_all_released_passes() -> None:
    (finding,) = found_by(CHECK, watched_round({"c8": {"logged_requests": 9.0, "log_releases": 9.0}}))

    assert finding.status == "pass"


def test_without_a_log_there_is_nothing_to_examine() -> None:
    (finding,) = found_by(CHECK, memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert finding.is_empty
