from __future__ import annotations

from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "waiting_requests"


def test_a_queue_throughout_is_a_warning_that_doubts_ttft() -> None:
    busy = {"log_waiting_share": 0.9, "log_waiting_most": 90.0, "log_running_most": 10.0, "ttft_p50": 2.0}
    round_ = watched_round({"c1": {"log_waiting_share": 0.0}, "c8": busy})

    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c8",), "worse")
    assert [(one.metric, one.level) for one in finding.doubts] == [("ttft_p50", "c8")]
    text = said(finding, round_)
    assert "Requests waited in the server of s at C=8: in 90.0% of the lines. At most 90 were waiting and 10" in text
    assert "TTFT includes queueing." in text


def test_a_queue_now_and_then_is_a_note() -> None:
    # half of the lines is not above it
    (finding,) = found_by(CHECK, watched_round({"c1": {"log_waiting_share": 0.5}}))

    assert (finding.status, finding.levels) == ("note", ("c1",))


def test_both_are_said_of_one_series() -> None:
    round_ = watched_round({"c1": {"log_waiting_share": 0.1}, "c8": {"log_waiting_share": 0.8}})

    assert [(one.status, one.levels) for one in found_by(CHECK, round_)] == [("warn", ("c8",)), ("note", ("c1",))]


def test_no_queue_passes() -> None:
    (finding,) = found_by(CHECK, watched_round({"c1": {"log_waiting_share": 0.0}}))

    assert finding.status == "pass"


def test_without_lines_of_statistics_there_is_nothing_to_examine() -> None:
    (finding,) = found_by(CHECK, memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert finding.is_empty
