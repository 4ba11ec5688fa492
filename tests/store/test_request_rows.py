from __future__ import annotations

import numpy as np
import pytest

from generator.store.request_rows import RequestRows, kind_of_error, reason
from generator.values import Source

SOURCE = Source("x.json", "")


def test_requests_become_columns() -> None:
    rows = RequestRows()
    rows.add(start=100.0, ttft=0.2, e2el=0.5, input_tokens=16, output_tokens=3, gaps=[0.1, 0.2])
    rows.add(start=99.5, ttft=0.1, e2el=0.1, input_tokens=8, output_tokens=1)
    requests = rows.requests(SOURCE)

    assert requests is not None
    assert requests.source == SOURCE
    assert requests.answered.tolist() == [True, True]
    assert requests.start.tolist() == [0.5, 0.0]  # after the first that was sent
    assert (requests.ttft.tolist(), requests.e2el.tolist()) == ([0.2, 0.1], [0.5, 0.1])
    assert (requests.input_tokens.tolist(), requests.output_tokens.tolist()) == ([16, 8], [3, 1])
    assert (requests.gap_counts.tolist(), requests.gaps.tolist()) == ([2, 0], [100_000, 200_000])


def test_a_failed_request_has_no_latency_and_its_error_is_its_kind() -> None:
    rows = RequestRows()
    rows.add(start=0.0, ttft=0.0, e2el=3.0, input_tokens=8, output_tokens=4, error="httpx.ReadTimeout: gpu7 is slow")
    rows.add(start=1.0, error="who knows")
    requests = rows.requests(SOURCE)

    assert requests is not None
    assert not requests.answered.any()
    assert np.isnan([*requests.ttft, *requests.e2el, *requests.output_tokens]).all()
    assert requests.input_tokens[0] == 8
    assert requests.kinds_of_error == {"ReadTimeout": 1, "unknown": 1}
    assert rows.impossible == 0


def test_an_answer_without_a_token_has_no_latency() -> None:
    rows = RequestRows()
    rows.add(ttft=0.0, e2el=0.0, output_tokens=0)
    requests = rows.requests(SOURCE)
    assert requests is not None
    assert (requests.answered.tolist(), requests.spoke.tolist()) == ([True], [False])


@pytest.mark.parametrize(
    ("ttft", "e2el", "gaps"),
    [
        (0.5, -3599.5, ()),
        (-0.1, 0.5, ()),
        (0.5, 0.4, ()),
        (0.1, 1e8, ()),
        (0.1, 0.5, (-0.1,)),
        (0.1, 0.5, (3000.0,)),
        (0.1, 0.5, (1e308,)),
        (0.1, 0.5, (-1e308,)),
    ],
    ids=[
        "clock set back",
        "before sending",
        "end before the first token",
        "months",
        "gap below 0",
        "gap of an hour",
        "gap beyond all clocks",
        "gap far below 0",
    ],
)
def test_times_that_cannot_be_are_unknown_and_counted(ttft: float, e2el: float, gaps: tuple[float, ...]) -> None:
    rows = RequestRows()
    rows.add(ttft=ttft, e2el=e2el, output_tokens=2, gaps=gaps)
    rows.add(ttft=0.5, e2el=0.7, output_tokens=2)
    requests = rows.requests(SOURCE)
    assert requests is not None
    assert np.isnan(requests.ttft).tolist() == [True, False]
    assert (rows.impossible, len(requests.gaps), len(rows)) == (1, 0, 2)


def test_programs_round_an_end_and_a_first_token_apart() -> None:
    rows = RequestRows()
    rows.add(ttft=0.5, e2el=0.4995, output_tokens=1)  # half a millisecond
    requests = rows.requests(SOURCE)
    assert requests is not None
    assert (requests.e2el.tolist(), rows.impossible) == ([0.5], 0)


@pytest.mark.parametrize("tokens", [-1, 1.5, 1e9])
def test_what_counts_no_tokens_is_unknown(tokens: float) -> None:
    rows = RequestRows()
    rows.add(input_tokens=tokens, output_tokens=tokens)
    requests = rows.requests(SOURCE)
    assert requests is not None
    assert np.isnan([requests.input_tokens[0], requests.output_tokens[0]]).all()


def test_without_a_request_there_are_no_columns() -> None:
    assert RequestRows().requests(SOURCE) is None


TRACEBACK = """\
Traceback (most recent call last):
  File "/home/jo/client.py", line 7, in send
    raise OSError("x")
OSError: x

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/jo/client.py", line 9, in send
    await post()
aiohttp.client_exceptions.ClientOSError: [Errno None] Can not write request body for http://gpu7:8000/v1
"""


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("", None),
        (TRACEBACK, "ClientOSError"),
        ("Traceback (most recent call last):\n  x\nTimeoutError\n", "TimeoutError"),
        ("Traceback:\n  x\nvalue.JSONDecodeError: a\nsecond line of it: gpu7", "JSONDecodeError"),
        ("httpx.ReadTimeout: ", "ReadTimeout"),
        ("Internal Server Error", "Internal Server Error"),
        ("Bad Request: the prompt of Jo is too long", "Bad Request"),
        ("HTTP 500: internal error on gpu7", "unknown"),
        ("gpu7.corp.example: refused", "unknown"),
        ("OK", "unknown"),
        ("   ", "unknown"),
        ("Key_sk_abc: x", "unknown"),
        ("hf_SECRETyyyyyyyError: x", "unknown"),
        ("sk2abc8defError", "unknown"),
        ("gpu7.corp.example.AbcError: x", "AbcError"),
        (f"{'Long' * 20}Error", "unknown"),
    ],
)
def test_of_an_error_only_the_kind_is_kept(message: str, kind: str | None) -> None:
    assert kind_of_error(message) == kind


@pytest.mark.parametrize(
    ("code", "said"), [(429, "Too Many Requests"), ("429.0", "Too Many Requests"), (500.0, "Internal Server Error")]
)
def test_the_reason_of_a_code(code: object, said: str) -> None:
    assert reason(code) == said
    assert kind_of_error(said) == said


@pytest.mark.parametrize("code", [-1, 999, 1e300, "timeout", True, [], None])
def test_what_is_no_code_is_a_failure_all_the_same(code: object) -> None:
    assert reason(code) == "failed"
    assert kind_of_error("failed") == "unknown"
