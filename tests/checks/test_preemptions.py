from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "preemptions"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_none_passes() -> None:
    assert examine(watched_round({"c1": {"server_preemptions": 0.0, "requests": 50.0}})).status == "pass"


def test_a_few_are_a_note() -> None:
    # 5 ÷ 50 = 10 %, which is not above it
    round_ = watched_round({"c1": {"server_preemptions": 5.0, "requests": 50.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("note", ("c1",))
    assert "preempted requests at C=1: 5 times. That is 10.0% of the requests." in said(finding, round_)


def test_many_are_a_warning_with_the_usage_of_the_pool() -> None:
    # 12 ÷ 40 = 30 %
    busy = {"server_preemptions": 12.0, "requests": 40.0, "engine_kv_usage_max": 0.99}
    round_ = watched_round({"c1": {"server_preemptions": 0.0, "requests": 40.0}, "c8": busy})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c8",), "worse")
    assert "12 times. That is 30.0% of the requests. The KV pool was filled to 99.0%." in said(finding, round_)


def test_after_a_restart_there_may_have_been_more() -> None:
    round_ = watched_round({"c1": {"server_preemptions": 12.0, "requests": 40.0, "server_restarts": 1.0}})

    assert "set back by a restart on the way" in said(examine(round_), round_)


def test_where_a_restart_set_the_counters_back_the_count_is_unknown() -> None:
    round_ = watched_round({"c1": {"requests": 40.0, "server_restarts": 1.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("unknown", ("c1",))
    assert "restarted at C=1, which set its counters back: its preemptions are unknown (restart)" in said(
        finding, round_
    )


def test_a_restart_between_the_pages_of_a_series_leaves_its_count_unknown_too() -> None:
    finding = examine(watched_round({"c1": {"requests": 40.0}}, of_series={"s": {"server_restarts_of_series": 1.0}}))

    assert (finding.status, finding.levels) == ("unknown", ())


def test_counters_of_the_series_are_examined_where_levels_have_none() -> None:
    # 30 ÷ (100 + 100) = 15 %
    round_ = watched_round(
        {"c1": {"requests": 100.0}, "c8": {"requests": 100.0}}, of_series={"s": {"server_preemptions_of_series": 30.0}}
    )

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ())
    assert "over the whole series: 30 times. That is 15.0% of the requests." in said(finding, round_)


def test_without_a_count_there_is_nothing_to_examine() -> None:
    finding = examine(memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert (finding.status, finding.is_empty) == ("pass", True)
