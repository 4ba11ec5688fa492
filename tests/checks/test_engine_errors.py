from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "engine_errors"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_errors_beside_failures_are_a_warning() -> None:
    round_ = watched_round({"c1": {"log_engine_errors": 0.0}, "c8": {"log_engine_errors": 2.0, "failed": 3.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert "reports engine errors at C=8: 2 lines. For the client, 3 requests failed." in said(finding, round_)


def test_errors_that_no_client_saw_are_a_warning() -> None:
    round_ = watched_round({"c8": {"log_engine_errors": 2.0, "failed": 0.0}})

    finding = examine(round_)

    assert finding.status == "warn"
    assert "Yet nothing failed for the client" in said(finding, round_)


def test_errors_without_a_count_of_failures_are_a_warning() -> None:
    round_ = watched_round({"c8": {}}, of_series={"s": {"log_engine_errors_of_series": 4.0}})

    finding = examine(round_)

    assert finding.status == "warn"
    assert "4 lines. Whether anything failed for the client is not on record." in said(finding, round_)


def test_none_passes() -> None:
    assert examine(watched_round({"c1": {"log_engine_errors": 0.0}})).status == "pass"


def test_without_a_log_there_is_nothing_to_examine() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0}}})).is_empty
