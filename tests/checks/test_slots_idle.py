from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import Row, answer, failure, requests_of
from tests.support.telling import found_by, said

CHECK = "slots_idle"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def two_slots(*rows: Row) -> Round:
    return memory_round({"s": {"c2": {"concurrency": 2}}}, runs={("s", "c2", None): requests_of(*rows)})


def test_clustered_releases_alone_prove_nothing() -> None:
    # Requests of one length end in pairs, at 1, 2 and 3 s, and are replaced at once.
    rows = [answer(0.5, 0.5, start=float(start)) for start in (0, 0, 1, 1, 2, 2)]

    assert examine(two_slots(*rows)).status == "pass"


@pytest.mark.parametrize(
    ("pause", "status"),
    [
        (0.1, "pass"),  # 2 × 0.1 of 2 × 1.1 s: 9.1 %
        (0.12, "warn"),  # 2 × 0.12 of 2 × 1.12 s: 10.7 %
    ],
)
def test_a_tenth_of_idle_time_is_a_warning(pause: float, status: str) -> None:
    rows = [answer(0.5, 0.5, start=start) for start in (0.0, 0.0, 1 + pause, 1 + pause)]

    assert examine(two_slots(*rows)).status == status


def test_sending_in_batches_is_told() -> None:
    # One of each pair takes 1 s, the other 3 s; the next pair is sent when both have ended. Ends at 1, 3, 4 and 6 s
    # make room for those sent at 3, 3, 6 and 6 s: idle 2 + 0 + 2 + 0 = 4 s of 2 × 6 s, 33.3 %; the median is 1 s.
    rows = [answer(0.5, took - 0.5, start=start) for start in (0.0, 3.0, 6.0) for took in (1.0, 3.0)]
    round_ = two_slots(*rows)
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c2",))
    text = said(finding, round_)
    assert "33.3% of the time of all slots, with a median of 1,000 ms to refill one" in text
    assert "槽位有 33.3% 的时间空着" in text


def test_failed_requests_hide_when_their_slots_were_free() -> None:
    rows = [answer(0.5, 0.5, start=float(start)) for start in (0, 0, 5, 5)]

    assert examine(two_slots(*rows, failure(start=1.0))).is_empty


def test_without_requests_slots_cannot_be_seen() -> None:
    assert examine(published("round-2")).is_empty
