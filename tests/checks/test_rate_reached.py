from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.request_rows import answer, requests_of
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
    assert finding.looks == "better"
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


def sent(*starts: float, e2el: float = 1.0, **seen: float) -> Round:
    """Return a level whose requests were sent at these times; it lasts until the last one is answered."""
    rows = (answer(0.1, e2el - 0.1, start=start) for start in starts)
    level = {"rate": 1.0, "duration": max(starts) + e2el, **seen}
    return memory_round({"s": {"r1": level}}, runs={("s", "r1", None): requests_of(*rows)})


def limited(**seen: float) -> Round:
    """Return a level of 100 requests at 10 a second, with 8 in flight at most, of 2 s each."""
    level = {"rate": 10, "concurrency": 8, "requests": 100, "completed": 100, "duration": 25, "e2el_mean": 2}
    return memory_round({"s": {"c8": {**level, **seen}}})


def test_a_limit_on_concurrency_that_sets_the_load_is_told() -> None:
    # 100 ÷ 25 s = 4 of 10 a second, 40 %; 100 × 2 s ÷ 25 s = 8 in flight; 8 ÷ 2 s = 4 a second at most.
    (finding,) = found_by(CHECK, limited())

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    text = said(finding, limited())
    assert "C=8 was to send 10.0 req/s with a limit of 8 in flight, and reached 4.00 req/s, or 40.0%" in text
    assert "8 were in flight on average, and the limit allows 4.00 req/s at most" in text
    assert "the limit on concurrency that set the load, and not the rate" in text
    assert "定下负载的是并发上限" in text


def test_a_limit_that_is_not_met_is_not_to_blame() -> None:
    # 100 × 1 s ÷ 25 s = 4 in flight of 8.
    (finding,) = found_by(CHECK, limited(e2el_mean=1))

    text = said(finding, limited(e2el_mean=1))
    assert "10 req/s ≤ C=8 completes 4.00 req/s and takes 25.0 s" in text
    assert "set the load" not in text


def test_a_rate_below_the_limit_is_reached() -> None:
    # 100 requests in 12 s: 8.3 a second, but within the 9.9 s of sending and 2 s at random.
    (finding,) = found_by(CHECK, limited(duration=11.8))

    assert finding.status == "pass"


def test_the_tail_of_the_last_answers_is_no_lack_of_rate() -> None:
    # 11 requests, one a second, of 5 s each: 11 ÷ 15 s = 0.73 a second, but sent 10 ÷ 10 s = 1 a second. While
    # sending went on, from 5 to 10 s, five were answered: 1 a second.
    (finding,) = found_by(CHECK, sent(*range(11), e2el=5))

    assert finding.status == "pass"


def test_one_long_answer_at_the_end_is_no_queue() -> None:
    # 40 requests, one a second, of 1 s; only the last takes 60 s: 40 ÷ 99 s.
    rows = (*(answer(0.1, 0.9, start=start) for start in range(39)), answer(0.1, 59.9, start=39))
    round_ = memory_round({"s": {"r1": {"rate": 1.0, "duration": 99.0}}}, runs={("s", "r1", None): requests_of(*rows)})

    assert examine_round(round_).status == "pass"


def test_fewer_answered_than_sent_meanwhile_is_a_queue() -> None:
    # 100 requests, one a second, of which each waits for the one before and takes 2 s: while they are sent, from 2 s
    # to 99 s, 48 are answered, where 97 − 5 % − 2 × √97 = 72 were due.
    rows = (answer(0.1, 2 * (nth + 1) - nth - 0.1, start=nth) for nth in range(100))
    round_ = memory_round({"s": {"r1": {"rate": 1.0, "duration": 200.0}}}, runs={("s", "r1", None): requests_of(*rows)})
    finding = examine_round(round_)

    assert finding.status == "warn"
    assert "a queue grows" in said(finding, round_)


def test_requests_sent_too_slowly_speak_against_the_client() -> None:
    # 101 requests at 2 s: 0.5 of 1 a second; at random 100 gaps would take 100 s + 2 × √100 s = 120 s, not 200 s.
    round_ = sent(*(2.0 * nth for nth in range(101)))
    finding = examine_round(round_)

    assert finding.status == "warn"
    text = said(finding, round_)
    assert "not sent as fast as asked: at 1 req/s only 0.500 req/s." in text
    assert "It is the client that was slow" in text
    assert "慢的是压测工具" in text


def test_random_gaps_that_take_longer_are_no_slow_client() -> None:
    # 11 requests in 15 s: 0.67 a second, but 10 gaps may take 10 + 2 × √10 = 16.3 s.
    assert examine_round(sent(*(1.5 * nth for nth in range(11)))).status == "pass"


def test_requests_held_back_by_a_limit_are_not_held_against_the_client() -> None:
    # One in flight at most, of 2 s each: sent every 2 s. The peak of 1 is the limit.
    round_ = sent(*(2.0 * nth for nth in range(101)), e2el=2, concurrency=1)

    assert "the limit on concurrency that set the load" in said(examine_round(round_), round_)


def examine_round(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding
