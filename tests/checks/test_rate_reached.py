from __future__ import annotations

import pytest

from generator.findings import Finding
from generator.model import Round
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "rate_reached"


def at_ten_a_second(requests: float, duration: float, **seen: float) -> Numbers:
    return {"rate": 10, "requests": requests, "completed": requests, "duration": duration, **seen}


def one_series(*levels: Numbers) -> Round:
    return memory_round({"s": {f"r{row}": seen for row, seen in enumerate(levels, 1)}})


def examine(*levels: Numbers) -> Finding:
    (finding,) = found_by(CHECK, one_series(*levels))
    return finding


@pytest.mark.parametrize(
    ("level", "status"),
    [
        # 1001 requests: 1000 gaps take 100 s, and 2 × √1000 gaps = 6.3 s longer where they are drawn at random.
        pytest.param(at_ten_a_second(1001, 105), "pass", id="9.53 a second is within 5 %"),
        pytest.param(at_ten_a_second(1001, 106.2), "pass", id="9.43 a second, but within 106.3 s"),
        pytest.param(at_ten_a_second(1001, 115, e2el_p50=9), "pass", id="the last request takes 9 s: 115.3 s"),
        pytest.param(at_ten_a_second(1001, 116, e2el_p50=9), "warn", id="the last request takes 9 s: no 116 s"),
        pytest.param(at_ten_a_second(1001, 116, e2el_mean=9), "warn", id="the mean where there is no median"),
        pytest.param(
            at_ten_a_second(1001, 200, e2el_p50=50), "warn", id="half the rate: the queue is twice its median"
        ),
        pytest.param(at_ten_a_second(1001, 116), "unknown", id="no latency"),
        pytest.param({"rate": 10}, "unknown", id="no count and no time"),
        # 11 requests: 10 gaps take 1 s, 0.6 s longer at random; the last one takes 5 s.
        pytest.param(at_ten_a_second(11, 6.5, e2el_p50=5), "pass", id="a short level is all tail: 6.6 s"),
        pytest.param(at_ten_a_second(1, 5, e2el_p50=5), "pass", id="one request"),
    ],
)
def test_time_beyond_sending_and_the_last_request_is_a_queue(level: Numbers, status: str) -> None:
    assert examine(level).status == status


def test_saturated_levels_are_named_with_their_numbers() -> None:
    # 1000 ÷ 200 s = 5 of 10 a second.
    level = at_ten_a_second(1000, 200, e2el_p50=50, ttft_p99=99)
    finding = examine(level)

    assert (finding.status, finding.levels, finding.spoils) == ("warn", ("r1",), ())
    assert {address.metric for address in finding.doubts} == {"e2el_p50", "ttft_p99"}
    text = said(finding, one_series(level))
    assert "at 10 req/s: 10 req/s completes 5.00 req/s and takes 200 s" in text
    assert "每秒只完成 5.00 req/s" in text
    assert "TTFT and E2EL of s are flattered" in text


def test_levels_that_cannot_be_judged_are_named_beside_those_that_can() -> None:
    missed, unknown = found_by(CHECK, one_series(at_ten_a_second(1001, 200, e2el_p50=1), {"rate": 20}))

    assert (missed.status, missed.levels) == ("warn", ("r1",))
    assert (unknown.status, unknown.levels) == ("unknown", ("r2",))


def test_without_rates_there_is_none_to_reach() -> None:
    (finding,) = found_by(CHECK, published("round-2"))

    assert (finding.status, finding.series) == ("pass", None)
    assert "No level is under an arrival rate" in said(finding, published("round-2"))
