from __future__ import annotations

from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "kv_pressure"


def test_a_full_cache_with_preemptions_is_a_warning() -> None:
    round_ = watched_round({"c8": {"log_kv_usage_most": 0.996, "log_preemptions": 7.0}})

    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c8",), "worse")
    text = said(finding, round_)
    assert "The KV cache of s was full at C=8: its usage reached 99.6%." in text
    assert "preempted or retracted 7 times" in text


def test_a_full_cache_with_falling_throughput_is_a_warning() -> None:
    round_ = watched_round(
        {"c1": {"output_throughput": 90.0}, "c8": {"log_kv_usage_most": 0.99, "output_throughput": 80.0}}
    )

    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert "below that of a level of lower load" in said(finding, round_)


def test_retracted_requests_are_a_warning_whatever_the_usage() -> None:
    round_ = watched_round({"c8": {"log_kv_usage_most": 0.8, "log_retracted": 5.0}})

    (finding,) = found_by(CHECK, round_)

    assert finding.status == "warn"
    assert "took requests back at C=8" in said(finding, round_)


def test_a_cache_that_was_merely_full_is_a_note() -> None:
    round_ = watched_round(
        {"c1": {"output_throughput": 50.0}, "c8": {"log_kv_usage_most": 1.0, "output_throughput": 80.0}}
    )

    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.levels) == ("note", ("c8",))


def test_room_passes() -> None:
    # preemptions at 98 % are told of elsewhere
    (finding,) = found_by(CHECK, watched_round({"c1": {"log_kv_usage_most": 0.98, "log_preemptions": 2.0}}))

    assert finding.status == "pass"


def test_without_a_log_there_is_nothing_to_examine() -> None:
    (finding,) = found_by(CHECK, memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert finding.is_empty
