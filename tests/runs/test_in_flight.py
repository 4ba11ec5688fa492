from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from generator.runs.gauges import Gauges
from generator.runs.in_flight import with_gauges
from generator.runs.requests import Requests
from tests.support.gauged_rounds import readings
from tests.support.request_rows import Row, answer, failure, requests_of


def counted(rows: list[Row], t: list[float]) -> Gauges:
    gauges = with_gauges(requests_of(*rows), readings(t)).gauges
    assert gauges is not None
    return gauges


def test_prompt_and_answer_are_in_flight_from_the_first_token_to_the_last() -> None:
    # sent at 1 s, tokens at 2, 2.5, 3 s; 10 of the prompt
    said = counted([answer(1.0, 0.5, 0.5, start=1.0, prompt=10)], [0.5, 1.5, 2.0, 2.4, 2.6, 3.5])

    assert said.tokens.tolist() == [0, 0, 11, 11, 12, 0]
    assert said.sequences.tolist() == [0, 0, 1, 1, 1, 0]
    assert said.awaiting.tolist() == [0, 1, 0, 0, 0, 0]


def test_requests_in_flight_together_add_up() -> None:
    # at 1.6 s the first has 10 + 2, the second, with its first token at 1.5 s, 20 + 1
    rows = [answer(1.0, 0.5, 0.5, start=0.0, prompt=10), answer(1.0, 0.5, start=0.5, prompt=20)]

    assert counted(rows, [1.6]).tokens.tolist() == [33]
    assert counted(rows, [1.6]).sequences.tolist() == [2]


def test_chunks_of_several_tokens_count_by_the_tokens_of_their_request() -> None:
    # two chunks brought six tokens: three each
    said = counted([answer(1.0, 1.0, start=0.0, tokens=6, prompt=10)], [1.5])

    assert said.tokens.tolist() == [13]


def test_failed_requests_are_in_no_count() -> None:
    said = counted([answer(1.0, 1.0, start=0.0, prompt=10), failure(ttft=0.5, start=0.0, prompt=99)], [0.7, 1.5])

    assert said.tokens.tolist() == [0, 11]
    assert said.awaiting.tolist() == [1, 0]


def test_tokens_are_unknown_where_they_were_not_counted() -> None:
    uncounted = counted([answer(1.0, 1.0, start=0.0, prompt=float("nan"))], [1.5])
    whole = requests_of(answer(1.0, 1.0, start=0.0))
    without_chunks = replace(whole, gap_counts=np.array([0]), gaps=np.empty(0, np.int32))

    assert np.isnan(uncounted.tokens).all()
    gauges = with_gauges(without_chunks, readings([1.5])).gauges
    assert gauges is not None
    assert np.isnan(gauges.tokens).all()
    assert gauges.sequences.tolist() == [1]


def test_what_was_read_stays_and_the_requests_are_the_same() -> None:
    requests = requests_of(answer(1.0, 1.0, start=0.0))
    made = with_gauges(requests, readings([1.5], running=[1], kv_usage=[0.25]))

    assert made.gauges is not None
    assert (made.gauges.running.tolist(), made.gauges.kv_usage.tolist()) == ([1], [0.25])
    assert made.ttft is requests.ttft


def test_a_long_run_is_counted_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [answer(0.1, 0.1, 0.1, start=number / 10, prompt=float(number)) for number in range(40)]
    t = np.linspace(0, 5, 51).tolist()
    at_once = counted(rows, t)
    monkeypatch.setattr("generator.numeric.spilled.PIECE", 5)  # gaps of two or three requests

    assert counted(rows, t).tokens == pytest.approx(at_once.tokens)


def test_nothing_is_in_flight_where_nothing_was_answered() -> None:
    requests = with_gauges(requests_of(failure(start=0.0)), readings([1.0]))

    assert isinstance(requests, Requests)
    assert requests.gauges is not None
    assert np.isnan(requests.gauges.tokens).all()
