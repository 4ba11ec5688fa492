from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import Numbers, address, memory_round, observation
from tests.support.telling import found_by, said

CHECK = "rates_add_up"


def one_level(**numbers: float) -> Round:
    return memory_round({"s": {"c1": {"concurrency": 1.0, **numbers}}})


def about(round_: Round, metric: str) -> Finding:
    """Return the finding that rests on a metric."""
    [found] = [one for one in found_by(CHECK, round_) if metric in {place.metric for place in one.evidence}]
    return found


def test_tokens_over_the_duration_are_the_throughput() -> None:
    # 50 × 4 s = 200
    finding = about(one_level(output_throughput=50, output_tokens_counted=200, duration=4), "output_throughput")

    assert (finding.status, finding.levels) == ("pass", ("c1",))


def test_a_rate_over_what_was_asked_is_told_with_all_three_numbers() -> None:
    # 387 asked ÷ 59.05 s = 6.55; the 78 that came are 1.32 a second.
    round_ = one_level(output_throughput=6.55, output_tokens_counted=78, duration=59.05)
    finding = about(round_, "output_throughput")

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c1",), "better")
    assert [place.metric for place in finding.doubts] == ["output_throughput"]
    text = said(finding, round_)
    assert "6.55 tok/s is stated, and 78 tok came in 59.1 s" in text
    assert "给出 6.55 tok/s，而 59.1 s 里是 78 tok" in text


@pytest.mark.parametrize(("rate", "status"), [(100.9, "pass"), (101.1, "warn"), (99.1, "pass"), (98.9, "warn")])
def test_one_in_a_hundred_is_rounding(rate: float, status: str) -> None:
    assert (
        about(one_level(output_throughput=rate, output_tokens_counted=1000, duration=10), "output_throughput").status
        == status
    )


def test_a_total_that_is_printed_as_a_rate_is_told() -> None:
    # 40 requests in 20 s are 2 a second, not 40.
    finding = about(one_level(request_throughput=40, completed=40, duration=20), "request_throughput")

    assert (finding.status, finding.looks) == ("warn", "better")


def test_each_run_is_held_against_its_own_total() -> None:
    # 10 × 10 s and 20 × 5 s: both 100 tokens. The medians, 15 × 7.5 s = 112.5, are of no run.
    runs: tuple[Numbers, Numbers] = (
        {"output_throughput": 10, "duration": 10, "output_tokens_counted": 100},
        {"output_throughput": 20, "duration": 5, "output_tokens_counted": 100},
    )
    seen = [
        observation(address(key, "level", "s", "c1", trial=trial), value)
        for trial, numbers in enumerate(runs, 1)
        for key, value in numbers.items()
    ]
    round_ = memory_round({"s": {"c1": {}}}, further=seen, runs={("s", "c1", 1): None, ("s", "c1", 2): None})

    assert about(round_, "output_throughput").status == "pass"


def test_a_rate_that_follows_from_its_count_is_not_examined() -> None:
    [finding] = found_by(CHECK, one_level(completed=40, duration=20))

    assert finding.is_empty


def test_without_a_total_there_is_nothing_to_examine() -> None:
    [finding] = found_by(CHECK, one_level(output_throughput=50))

    assert (finding.status, finding.is_empty) == ("pass", True)
