from __future__ import annotations

import pytest

from generator.model import Round
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import Row, answer, requests_of
from tests.support.telling import found_by, said

CHECK = "common_stalls"


def round_of(requests: Requests, **numbers: float) -> Round:
    return memory_round({"s": {"c2": {"concurrency": 2, **numbers}}}, runs={("s", "c2", None): requests})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def pair(stall: float, *others: Row) -> Requests:
    """Return two answers side by side from 0.1 s on: 100 gaps of 100 ms, and one that takes longer at 5.1 s."""
    return requests_of(*(answer(0.1, *[0.1] * 50, stall, *[0.1] * 50, start=0.0) for _ in range(2)), *others)


@pytest.mark.parametrize(
    ("stall", "status"),
    [
        (0.55, "warn"),  # of 10.55 s: 5.2 %
        (0.52, "pass"),  # of 10.52 s: 4.9 %
        (0.45, "pass"),  # no more than five median gaps: no stall
    ],
)
def test_a_twentieth_of_the_time_is_told(stall: float, status: str) -> None:
    assert examine(round_of(pair(stall))).status == status


def test_a_stall_without_another_first_token_is_a_warning() -> None:
    round_ = round_of(pair(2.0))
    finding = examine(round_)

    assert (finding.looks, finding.levels) == ("worse", ("c2",))
    text = said(finding, round_)
    # 2 s of 12 s
    assert "1 time, for 2.00 s in all or 16.7% of the time, at most 2,000 ms at a time" in text
    assert "do not go with a first token of another request" in text


def test_a_stall_that_goes_with_a_first_token_is_a_note_on_prefill() -> None:
    # Sent at 5.2 s, in the stall from 5.1 to 7.1 s, with its first token at its end.
    round_ = round_of(pair(2.0, answer(1.9, start=5.2)))
    finding = examine(round_)

    assert (finding.status, finding.bias, finding.looks) == ("note", None, None)
    assert "1 of them go with the first token of another request" in said(finding, round_)


@pytest.mark.parametrize(
    ("lag", "stamped", "is_own"),
    [(1.1, 0.5, True), (0.9, 0.5, False), (1.1, 1.0, False)],  # half of 2 s is 1 s
)
def test_a_client_that_was_late_itself_may_have_made_it(lag: float, stamped: float, is_own: bool) -> None:
    round_ = round_of(pair(2.0), client_loop_lag_most=lag, client_kernel_stamps=stamped)
    finding = examine(round_)

    assert finding.status == "warn"
    assert ("The client was late itself" in said(finding, round_)) is is_own


def test_flowing_answers_pass_with_the_largest_share() -> None:
    round_ = round_of(pair(0.1))

    assert "hardly stalled at once: 0" in said(examine(round_), round_)


def test_a_table_of_results_has_nothing_to_examine() -> None:
    finding = examine(published("round-2"))

    assert (finding.status, finding.is_empty) == ("pass", True)
