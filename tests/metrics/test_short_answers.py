from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import short_answers
from tests.support.request_rows import Row, answer, failure, requests_of, tokenless

NAN = float("nan")


def tokens(*counts: float) -> np.ndarray:
    return requests_of(*(answer(0.1, tokens=count) for count in counts)).sample("request_output_tokens")


@pytest.mark.parametrize(
    ("counts", "short"),
    [
        ((40, 100, 100), 1),  # 40 is below 95
        ((95, 94), 1),  # 95 % itself is long enough
        ((100, 120), 0),
    ],
)
def test_short_answers_are_below_95_percent_of_100(counts: tuple[float, ...], short: int) -> None:
    assert short_answers.short_answers(tokens(*counts), 100) == short


def test_short_answer_share_is_one_of_three() -> None:
    assert short_answers.short_answer_share(tokens(40, 100, 100), 100) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("rows", "silent"),
    [
        ((answer(0.1), answer(0.2), answer(0.3), tokenless()), 1),
        ((answer(0.1), failure()), 0),
        ((answer(0.1), Row(NAN, tokens=5)), 0),  # not streamed: its 5 tokens came, at a time that is not known
        (
            (answer(0.1), Row(NAN, tokens=NAN)),
            1,
        ),  # nothing was counted, and no token came where others have a time for it
        ((Row(NAN, tokens=5), Row(NAN, tokens=7)), 0),  # no time of any first token is on record
        ((tokenless(), tokenless()), 2),
    ],
    ids=["one of four", "a failed request", "not streamed", "no first token", "no times at all", "none"],
)
def test_silent_answers_have_no_error_and_no_token(rows: tuple[Row, ...], silent: int) -> None:
    assert short_answers.silent_answers(requests_of(*rows).sample("silent")) == silent


def test_short_answers_total_adds_up_the_runs() -> None:
    assert short_answers.short_answers_total(np.array([22.0, 25.0])) == 47


def test_short_answer_share_total_is_that_of_all_runs() -> None:
    # 47 ÷ 480 = 9.79 %.
    assert short_answers.short_answer_share_total(47.0, 480.0) == pytest.approx(0.0979, abs=5e-5)
