from __future__ import annotations

import pytest

from generator.errors import InputError
from generator.runs.imported import Reported, Run
from generator.store.totals import answered, span_of, total_of

COUNTS = {"requests": {"total": 10, "failures": 1, "incomplete": 2}}


def test_a_total_is_told_with_what_it_was_made_of() -> None:
    # 3 prompts of 200.33… tokens are 601
    [total] = total_of({"mean": 200.33333333333334, "n": 3}, "mean", "n", "input_tokens_counted")

    assert (total.metric, total.key, total.unit, total.value) == ("input_tokens_counted", "mean × n", "tok", 601)


def test_a_mean_that_was_rounded_gives_no_whole_number() -> None:
    [total] = total_of({"mean": 0.33, "n": 3}, "mean", "n", "input_tokens_counted")

    assert total.value == pytest.approx(0.99)


def test_a_span_is_what_the_rate_was_taken_over() -> None:
    # 20 answers at 24 a minute are 50 s
    [span] = span_of({"n": 20, "rate": 24.0}, "n", "rate", per=60)

    assert (span.metric, span.key, span.unit) == ("duration", "n ÷ rate × 60", "s")
    assert span.value == pytest.approx(50)


@pytest.mark.parametrize(
    "document", [{}, {"n": 3}, {"n": 3, "rate": 0, "mean": -1}, {"n": "N/A", "rate": 2, "mean": 2}]
)
def test_nothing_comes_of_what_is_missing(document: dict[str, object]) -> None:
    assert span_of(document, "n", "rate") == []
    assert total_of(document, "mean", "n", "input_tokens_counted") == []


def test_nothing_comes_of_what_no_counter_gives() -> None:
    assert total_of({"mean": 1e308, "n": 10}, "mean", "n", "input_tokens_counted") == []
    assert span_of({"n": 1e300, "rate": 1e-300}, "n", "rate") == []


def test_what_failed_is_taken_off_what_was_sent() -> None:
    run = answered(Run("x"), COUNTS, "requests.total", "requests.failures", "requests.incomplete", file="a")

    key = "requests.total − requests.failures − requests.incomplete"
    assert run.reported == (Reported("completed", key, "1", 7),)  # 10 − 1 − 2


def test_without_a_count_nothing_is_said() -> None:
    assert answered(Run("x"), COUNTS, "requests.total", "requests.lost", file="a").reported == ()


def test_what_the_file_says_itself_stays() -> None:
    said = Reported("completed", "ok", "1", 9)

    assert answered(Run("x", reported=(said,)), COUNTS, "requests.total", "requests.failures", file="a").reported == (
        said,
    )


def test_more_lost_than_sent_is_refused() -> None:
    with pytest.raises(InputError, match=r"count more requests than 'requests\.failures'"):
        answered(Run("x"), COUNTS, "requests.failures", "requests.total", file="a")
