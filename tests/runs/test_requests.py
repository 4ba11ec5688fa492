from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.numeric import spilled
from generator.runs import sample_reasons as no
from generator.runs.gauges import COLUMNS
from generator.runs.requests import MICROSECOND, MOST_TOKENS, NO_ANSWER, NOTHING_STEADY, SAMPLES, Requests
from tests.support.request_rows import Row, answer, failure, requests_of, tokenless

# Four requests, the last of which failed after it had begun to answer:
#   0.0 s: first token after 0.5 s, four more 0.25 s apart     ends at 1.5 s
#   0.5 s: one token after 1.0 s                               ends at 1.5 s
#   1.0 s: an answer without a token
#   1.0 s: first token after 0.125 s, a gap of 0.0625 s, then an error
FEW = requests_of(
    answer(0.5, 0.25, 0.25, 0.25, 0.25, start=0.0, prompt=100),
    answer(1.0, start=0.5, prompt=50),
    tokenless(start=1.0, prompt=40),
    failure(0.0625, ttft=0.125, start=1.0, tokens=2, prompt=80),
)
EMPTY = requests_of()


def sample(key: str, requests: Requests = FEW) -> list[float]:
    return [float(number) for number in requests.sample(key)]


def reason(key: str, requests: Requests) -> str | None:
    why = SAMPLES[key].why_empty(requests)
    return None if why is None else why.en


# Each sample by hand


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("sent", [1, 1, 1, 1]),
        ("answered", [1, 1, 1]),  # without the failure
        ("request_ttft", [0.5, 1.0]),  # neither the failure's 0.125 nor a 0 for the one without a token
        ("request_e2el", [1.0, 1.5]),  # 1.0; 0.5 + 4 × 0.25
        ("request_tpot", [0.25]),  # (1.5 − 0.5) ÷ (5 − 1); one token has no time after the first
        ("request_itl", [0.25, 0.25, 0.25, 0.25]),  # not the failure's 0.0625
        ("request_start", [0.0, 0.5, 1.0, 1.0]),  # also the failure was sent
        ("answer_start", [0.0, 0.5]),
        ("answer_end", [1.5, 1.5]),  # 0 + 1.5; 0.5 + 1.0
        ("ttft_in_order", [0.5, 1.0]),  # sent at 0 and at 0.5
        ("slow_sent", []),  # nothing was sent after the first answer had ended, at 1.5
        ("chunk_time", [0.5, 0.75, 1.0, 1.25, 1.5, 1.5]),  # 0.5 and four gaps of 0.25; 0.5 + 1.0
        ("first_token_share", [1 / 3]),  # 0.5 ÷ 1.5; the other answer has one token
        ("request_input_tokens", [40, 50, 100]),  # not the failure's 80
        ("request_output_tokens", [0, 1, 5]),
        ("request_chunks", [1, 5]),  # one more than the gaps
        ("silent", [1]),  # the failure is none
        ("first_gap", [0.25]),
        ("last_gap", [0.25]),
        ("gap_beside_prefill", [0.25, 0.25, 0.25, 0.25]),  # the second waits from 0.5 to 1.5 s, through all gaps
        ("gap_undisturbed", []),
        ("stall_begin", []),  # the second answer has one chunk alone
        ("stall_end", []),
        ("stall_with_first", []),
        ("decoding_together", []),
        ("surplus_chunks", [0, 0]),  # 1 − 1 and 5 − 5
        ("tokens_in_window", [0, 0, 0, 0, 0, 0]),  # a chunk each, and the last sending, at 1 s, is before any end
    ],
)
def test_a_sample_is_over_the_requests_that_have_it(key: str, numbers: list[float]) -> None:
    assert sample(key) == pytest.approx(numbers, abs=1e-12)


def test_every_sample_has_an_example_above() -> None:
    (cases,) = (mark.args[1] for mark in test_a_sample_is_over_the_requests_that_have_it.pytestmark)  # type: ignore[attr-defined]

    gauges = {key for key, _, _ in COLUMNS}  # which have their own, in test_gauges.py
    assert {key for key, _ in cases} == {key for key in SAMPLES if not SAMPLES[key].steady} - gauges


def test_a_sample_is_taken_once() -> None:
    assert FEW.sample("request_itl") is FEW.sample("request_itl")


def test_failed_requests_count_among_the_rows() -> None:
    assert len(FEW) == 4
    assert FEW.spoke.tolist() == [True, True, False, False]


def test_an_answer_whose_tokens_were_not_counted_has_latencies_and_no_tpot() -> None:
    uncounted = requests_of(answer(0.5, 0.25, tokens=math.nan))

    assert sample("request_ttft", uncounted) == [0.5]
    assert sample("request_tpot", uncounted) == []
    assert sample("tokens_in_window", uncounted) == []


# Chunks and the tokens in them


def test_chunks_come_one_gap_after_another_in_each_request() -> None:
    two = requests_of(answer(0.5, 0.25, 0.5, start=0.0), answer(1.0, start=2.0), answer(0.25, 0.125, start=3.0))

    # 0.5, + 0.25, + 0.5; 2 + 1; 3 + 0.25, + 0.125
    assert two.chunk_times().tolist() == pytest.approx([0.5, 0.75, 1.25, 3.0, 3.25, 3.375], abs=1e-12)


def in_window(*gaps: float, tokens: int, first: float = 1.0) -> list[float]:
    """Return what an answer's chunks bring between 0.5 s, where another ends, and 1.5 s, where a third is sent."""
    ends, sent = answer(0.5, start=0.0, tokens=math.nan), answer(9.0, start=1.5, tokens=math.nan)
    return sample("tokens_in_window", requests_of(ends, answer(first, *gaps, start=0.0, tokens=tokens), sent))


def test_tokens_of_a_coalesced_answer_are_shared_out_among_its_chunks() -> None:
    # Token n comes with chunk ⌊4n ÷ 9⌋: 0 0 0 1 1 2 2 3 3; the chunks come at 1, 1.25, 1.5 and, too late, 1.75 s.
    assert in_window(0.25, 0.25, 0.25, tokens=9) == [0, 2, 2, 3]


def test_fewer_tokens_than_chunks_come_with_the_first_of_their_share() -> None:
    # ⌊3 × 0 ÷ 2⌋ = 0 and ⌊3 × 1 ÷ 2⌋ = 1: the third chunk has none.
    assert in_window(0.125, 0.125, tokens=2) == [0, 1, 1]


def test_what_comes_as_the_window_opens_is_before_it() -> None:
    assert in_window(0.25, 0.25, tokens=3, first=0.5) == [0, 1, 1]


def test_tokens_take_no_room_of_their_own() -> None:
    assert in_window(0.25, tokens=MOST_TOKENS) == [MOST_TOKENS / 2, MOST_TOKENS / 2]


def test_gaps_longer_than_there_are_gaps_are_in_order_as_well() -> None:
    # In microseconds, 3 gaps: 2 is short enough to be counted, the others are sorted.
    assert sample("request_itl", requests_of(answer(0.1, 0.5, 2e-6, 0.25))) == pytest.approx([2e-6, 0.25, 0.5])


@pytest.mark.parametrize(("key", "gaps"), [("first_gap", [0.125, 0.25, 0.75]), ("last_gap", [0.25, 0.375, 0.5])])
def test_each_answer_with_gaps_has_a_first_and_a_last_one(key: str, gaps: list[float]) -> None:
    rows = requests_of(
        answer(0.1, 0.75, 1.0, 0.5),
        answer(0.1),
        failure(0.0625, ttft=0.1),
        answer(0.1, 0.25),
        answer(0.1, 0.125, 0.375),
    )

    assert sample(key, rows) == pytest.approx(gaps)


@pytest.mark.parametrize("key", ["request_chunks", "surplus_chunks", "chunk_time", "tokens_in_window"])
def test_of_chunks_that_a_file_leaves_out_nothing_is_claimed(key: str) -> None:
    # Five tokens, the last a second after the first, and not one gap: there were chunks that nobody wrote down.
    lasted = replace(requests_of(answer(0.5, start=0.0, tokens=5)), e2el=np.array([1.5]))

    assert sample(key, lasted) == []
    assert reason(key, lasted) == no.GAPS.en


def test_an_answer_that_ends_with_its_first_token_came_in_one_chunk() -> None:
    assert sample("request_chunks", requests_of(answer(0.5, tokens=5))) == [1]


def test_an_answer_without_a_first_token_of_its_own_has_a_latency() -> None:
    whole = replace(requests_of(answer(0.5)), ttft=np.array([np.nan]))

    assert sample("request_e2el", whole) == [0.5]
    assert sample("request_ttft", whole) == []


def test_surplus_chunks_are_what_the_chunks_are_above_the_tokens() -> None:
    # 2 − 3, 4 − 4 and 3 − 2; the tokens of the last are not known
    rows = requests_of(
        answer(0.1, 0.1, tokens=3),
        answer(0.1, 0.1, 0.1, 0.1),
        answer(0.1, 0.1, 0.1, tokens=2),
        answer(0.1, 0.1, tokens=math.nan),
    )

    assert sample("surplus_chunks", rows) == [-1, 0, 1]


def test_an_answer_is_silent_without_a_token_or_without_a_first_one_where_others_have_one() -> None:
    unheard = Row(math.nan, tokens=math.nan)

    assert sample("silent", requests_of(tokenless(), unheard, answer(0.1))) == [1, 1]
    # Where no first token is on record at all, the file may just not say.
    assert sample("silent", requests_of(tokenless(), unheard)) == [1]


def test_an_answer_that_was_not_streamed_is_not_silent() -> None:
    whole = Row(math.nan, tokens=12, e2el=0.4)

    assert sample("silent", requests_of(whole, answer(0.1), tokenless())) == [1]


# The steady part

# Slots for two. Sent at 0, 0, 1, 2 and 3 s, and taking 1, 2, 2, 2 and 1 s: the first answer ends at 1 s, and the last
# request is sent at 3 s, so that the steady part is from 1 s to 3 s.
LOADED = requests_of(
    answer(0.5, 0.5, start=0.0),
    answer(0.5, 1.5, start=0.0),
    answer(1.25, 0.75, start=1.0),
    answer(1.5, 0.5, start=2.0),
    answer(0.75, 0.25, start=3.0),
)


def test_the_steady_part_is_from_the_first_end_to_the_last_sending() -> None:
    assert LOADED.window == (1.0, 3.0)
    assert LOADED.ends.tolist() == [1.0, 2.0, 3.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("steady_request_ttft", [0.75, 1.25, 1.5]),
        ("steady_request_e2el", [1.0, 2.0, 2.0]),
        ("steady_request_tpot", [0.25, 0.5, 0.75]),
        ("steady_request_itl", [0.25, 0.5, 0.75]),
    ],
)
def test_steady_samples_are_of_the_requests_sent_then(key: str, numbers: list[float]) -> None:
    assert sample(key, LOADED) == pytest.approx(numbers)


def test_an_end_at_the_start_of_the_steady_part_is_of_the_first_to_answer() -> None:
    # The failure has no end; the one without a token has none on record.
    early = requests_of(failure(start=0.0, ttft=0.1), tokenless(start=0.0), answer(2.0, start=0.5))

    assert early.window == (2.5, 0.5)
    assert len(early.steady) == 0


def test_one_request_has_no_steady_part() -> None:
    alone = requests_of(answer(1.0, 0.5, start=0.0))

    assert sample("steady_request_ttft", alone) == []
    assert reason("steady_request_ttft", alone) == NOTHING_STEADY.en


# What is not there


@pytest.mark.parametrize("key", SAMPLES)
def test_no_requests_give_no_numbers(key: str) -> None:
    assert sample(key, EMPTY) == []


@pytest.mark.parametrize("key", SAMPLES)
def test_requests_that_all_failed_give_no_numbers_but_of_their_sending(key: str) -> None:
    failed = requests_of(failure(0.1, ttft=0.2, start=0.0), failure(start=1.0))

    assert sample(key, failed) == {"sent": [1, 1], "request_start": [0, 1]}.get(key, [])
    assert reason(key, failed) == (None if SAMPLES[key].empty is None else NO_ANSWER.en)


TIMED = (
    "request_start",
    "answer_start",
    "answer_end",
    "ttft_in_order",
    "chunk_time",
    "tokens_in_window",
    "gap_beside_prefill",
    "gap_undisturbed",
)
"""Samples that need to know when requests were sent."""


@pytest.mark.parametrize("key", SAMPLES)
def test_without_times_of_sending_only_what_needs_them_is_missing(key: str) -> None:
    untimed, timed = (requests_of(answer(0.5, 0.25, start=t), answer(0.75, 0.125, start=t)) for t in (math.nan, 0))

    if SAMPLES[key].steady or key in TIMED:
        assert (sample(key, untimed), reason(key, untimed)) == ([], no.TIMES.en)
    else:
        assert sample(key, untimed) == sample(key, timed)


def test_without_times_there_is_no_window() -> None:
    assert np.isnan(requests_of(answer(0.5)).window).all()


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("request_ttft", no.TOKEN.en),
        ("answer_end", no.TOKEN.en),
        ("request_tpot", "no answer has more than one token"),
        ("request_itl", "no answer came in more than one chunk"),
        ("steady_request_ttft", NOTHING_STEADY.en),
        ("sent", None),
        ("answered", None),
    ],
)
def test_answers_without_a_token_say_what_is_missing(key: str, why: str | None) -> None:
    assert reason(key, requests_of(tokenless(start=0.0))) == why


def test_answers_of_one_token_in_the_steady_part_have_no_gap_and_say_so() -> None:
    single = requests_of(answer(1.0, start=0.0), answer(1.0, start=2.0))

    assert sample("steady_request_ttft", single) == [1.0]
    assert reason("steady_request_itl", single) == "no answer came in more than one chunk"


def test_uncounted_tokens_say_so() -> None:
    uncounted = requests_of(answer(1.0, start=0.0, tokens=math.nan, prompt=math.nan))

    assert reason("request_output_tokens", uncounted) == "the result file does not count the tokens of each request"
    assert reason("request_input_tokens", uncounted) == "the result file does not count the tokens of each request"


# Any requests

SECONDS = st.integers(0, 3_000_000).map(lambda microseconds: microseconds * MICROSECOND)
ROWS = st.one_of(
    st.builds(
        lambda ttft, gaps, start, tokens: answer(ttft, *gaps, start=start, tokens=tokens),
        SECONDS,
        st.lists(SECONDS, max_size=5),
        SECONDS,
        st.one_of(st.none(), st.integers(1, 12).map(float)),
    ),
    st.builds(tokenless, SECONDS),
    st.builds(lambda gaps, ttft, start: failure(*gaps, ttft=ttft, start=start), st.lists(SECONDS), SECONDS, SECONDS),
)


@given(st.lists(ROWS, max_size=12))
def test_samples_are_the_same_where_columns_lie_in_files(rows: list[Row]) -> None:
    requests = requests_of(*rows)
    expected = {key: requests.sample(key).tolist() for key in SAMPLES}

    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("MOST_HELD", 16), ("PIECE", 4), ("STEP", 2)):
            patch.setattr(spilled, name, value)
        anew = requests.only(np.ones(len(requests), np.bool_))
        assert {key: anew.sample(key).tolist() for key in SAMPLES} == expected


def test_parts_are_all_requests_with_their_gaps_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    # Four gaps a piece: the first three requests have four together, and the last one the fifth.
    monkeypatch.setattr(spilled, "PIECE", 4)
    parts = [(at, len(part), len(part.gaps)) for at, part in FEW.parts()]
    assert parts == [(slice(0, 3), 3, 4), (slice(3, 4), 1, 1)]


@given(st.lists(ROWS, max_size=12))
def test_samples_are_in_rising_order_and_finite(rows: list[Row]) -> None:
    requests = requests_of(*rows)

    for key in SAMPLES:
        numbers = requests.sample(key)
        assert np.isfinite(numbers).all(), key
        assert key.endswith("_in_order") or (np.diff(numbers) >= 0).all(), key


def test_first_tokens_in_order_are_those_of_the_requests_as_they_were_sent() -> None:
    # Sent at 0, 1, 1 and 2: of the two sent at once the sooner comes first.
    rows = [answer(0.3, start=2.0), answer(0.9, start=1.0), answer(0.5, start=0.0), answer(0.7, start=1.0)]

    assert sample("ttft_in_order", requests_of(*rows)) == [0.5, 0.7, 0.9, 0.3]


def test_slow_requests_are_those_above_five_medians_once_slots_had_filled_up() -> None:
    # The first answer ends at 1.0; of the four sent from then on the median TTFT is 0.1: above 0.5 are two.
    slow = [answer(0.6, start=3.0), answer(0.7, start=4.0)]
    usual = [answer(0.1, start=start) for start in (1.0, 2.0, 5.0)]

    assert sample("slow_sent", requests_of(answer(1.0, start=0.0), *usual, *slow)) == [3.0, 4.0]


def tokens_between(row: Row, begins: float, ends: float) -> int:
    """Count the tokens of an answer one by one: token n comes with chunk ⌊chunks × n ÷ tokens⌋."""
    microseconds = [0, *np.cumsum([round(gap / MICROSECOND) for gap in row.gaps]).tolist()]
    times = [row.start + row.ttft + at * MICROSECOND for at in microseconds]
    chunks = [len(times) * n // int(row.tokens) for n in range(int(row.tokens))]
    return sum(begins < times[chunk] <= ends for chunk in chunks)


@given(st.lists(ROWS, max_size=12))
def test_samples_are_what_a_loop_over_the_rows_finds(rows: list[Row]) -> None:
    requests = requests_of(*rows)
    spoke = [row for row in rows if row.answered and not math.isnan(row.ttft)]
    chunks = [row.start + row.ttft + math.fsum(row.gaps[:n]) for row in spoke for n in range(len(row.gaps) + 1)]

    assert sample("request_ttft", requests) == sorted(row.ttft for row in spoke)
    assert sample("request_itl", requests) == pytest.approx(sorted(gap for row in spoke for gap in row.gaps))
    assert sum(sample("tokens_in_window", requests)) == sum(tokens_between(row, *requests.window) for row in spoke)
    assert requests.only(requests.spoke).chunk_times().tolist() == pytest.approx(chunks, abs=1e-9)


@given(st.lists(ROWS, max_size=12))
def test_the_steady_part_is_what_a_loop_over_the_rows_finds(rows: list[Row]) -> None:
    ends = [row.start + row.ended for row in rows if row.answered and not math.isnan(row.ttft)]
    last = max((row.start for row in rows), default=math.nan)
    steady = [row for row in rows if ends and min(ends) <= row.start <= last]

    assert requests_of(*rows).steady.start.tolist() == [row.start for row in steady]


@given(st.lists(ROWS, max_size=12), st.randoms())
def test_the_order_of_the_rows_does_not_matter(rows: list[Row], random: np.random.Generator) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)

    for key in SAMPLES:
        assert sample(key, requests_of(*shuffled)) == pytest.approx(sample(key, requests_of(*rows)), abs=1e-9)
