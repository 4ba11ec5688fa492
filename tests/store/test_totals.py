from __future__ import annotations

import pytest

from generator.store.totals import span_of, total_of


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
