from __future__ import annotations

import pytest

from tests.support.started_rounds import TOLD, Start, started_round
from tests.support.telling import found_by, said

CHECK = "start_stages_agree"


def test_a_log_that_tells_the_same_start_passes() -> None:
    # Ready at 1.75 s by the log, seen at 2 s: 0.25 s apart.
    (finding,) = found_by(CHECK, started_round((Start(log=TOLD), Start(log=TOLD))))
    assert finding.status == "pass"
    assert "The log of s agrees with what we saw (2 starts)." in said(finding, started_round((Start(log=TOLD),)))


@pytest.mark.parametrize(
    ("healthy", "status"),
    # ready by the log at 1.75 s: 0.5 s later is allowed, 0.6 s is not
    [(2.25, "pass"), (2.35, "warn")],
)
def test_half_a_second_is_allowed(healthy: float, status: str) -> None:
    (finding,) = found_by(CHECK, started_round((Start(healthy=healthy, log=TOLD),)))
    assert finding.status == status


def test_a_twentieth_of_a_long_start_is_allowed() -> None:
    # 5 % of 100 s: 4 s are allowed, 6 s are not
    def status(ready: float) -> str:
        log = {**TOLD, "ready_clock": 100.0 + ready}
        (finding,) = found_by(CHECK, started_round((Start(healthy=100.0, token=101.0, log=log),)))
        return finding.status

    assert (status(96.0), status(94.0)) == ("pass", "warn")


def test_stages_longer_than_the_start_are_a_warning() -> None:
    round_ = started_round((Start(log={"start_clock": 100.25, "stages_told": 3.0}),))
    (finding,) = found_by(CHECK, round_)

    assert finding.status == "warn"
    # 2 − 0.25 − 3
    assert "At start 1 of s the log disagrees with what we saw: they are -1.25 s apart." in said(
        finding, round_
    ).replace("−", "-").replace("\u202f", " ")


def test_without_a_log_there_is_nothing_to_compare() -> None:
    (finding,) = found_by(CHECK, started_round((Start(),)))
    assert (finding.status, finding.is_empty) == ("pass", True)
