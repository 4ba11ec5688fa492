from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import chunks
from generator.runs.requests import Requests
from tests.support.request_rows import answer, failure, requests_of, tokenless


def streamed() -> Requests:
    """Three answers: 3 chunks of 2 tokens, 4 chunks of 3, 2 chunks of 2; and two requests that have none."""
    return requests_of(
        answer(0.1, 0.020, 0.0003, tokens=2),
        failure(0.5, 0.5),
        answer(0.1, 0.030, 0.040, 0.0005, tokens=3),
        tokenless(),
        answer(0.1, 0.050, tokens=2),
    )


def test_extra_chunk_share_counts_those_with_exactly_one_too_many() -> None:
    # 3 − 2 = 1, 4 − 3 = 1, 2 − 2 = 0: two of three
    assert streamed().sample("surplus_chunks").tolist() == [0, 1, 1]
    assert chunks.extra_chunk_share(streamed().sample("surplus_chunks")) == pytest.approx(2 / 3)


def test_extra_chunk_share_leaves_out_two_too_many_and_fewer() -> None:
    assert chunks.extra_chunk_share(np.array([-3.0, 0.0, 1.0, 2.0])) == 0.25


def test_surplus_chunks_p50_is_what_a_usual_answer_has() -> None:
    # nine answers have one chunk more than tokens, one came in 17 chunks of 63 tokens: 17 − 63 = −46
    assert chunks.surplus_chunks_p50(np.array([-46.0, *[1.0] * 9])) == 1


def test_merged_answers_are_those_with_fewer_chunks_than_tokens() -> None:
    assert chunks.merged_answers(np.array([-46.0, -1.0, 0.0, 1.0])) == 2


def test_most_merged_is_how_many_chunks_the_oddest_answer_lacks() -> None:
    # 63 − 17
    assert chunks.most_merged(np.array([-46.0, -1.0, 0.0, 1.0])) == 46


def test_first_gap_p50_is_the_median_over_answers() -> None:
    # 20, 30 and 50 ms
    assert streamed().sample("first_gap").tolist() == pytest.approx([0.020, 0.030, 0.050])
    assert chunks.first_gap_p50(streamed().sample("first_gap")) == pytest.approx(0.030)


def test_last_gap_p50_is_the_median_over_answers() -> None:
    # 0.3, 0.5 and, as its only gap, 50 ms
    assert streamed().sample("last_gap").tolist() == pytest.approx([0.0003, 0.0005, 0.050])
    assert chunks.last_gap_p50(streamed().sample("last_gap")) == pytest.approx(0.0005)


def test_one_gap_share_is_answers_over_gaps() -> None:
    # 3 answers with 2 + 3 + 1 = 6 gaps, which is 9 chunks − 3
    assert chunks.one_gap_share(streamed().sample("request_chunks")) == 0.5
