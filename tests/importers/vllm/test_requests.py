"""The requests of a detailed result: who failed, who never spoke, how long the others took."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.numeric.spilled import PIECE
from generator.runs.requests import Requests
from generator.values import Source
from tests.importers.vllm.results import detailed, read_one, read_text, totals, without

NAN = float("nan")


def requests(folder: Path, **changed: Any) -> Requests:
    found = read_one(folder, {name: value for name, value in detailed(**changed).items() if value is not ...}).requests
    assert found is not None
    return found


def refusal(folder: Path, **changed: Any) -> str:
    with pytest.raises(InputError) as caught:
        requests(folder, **changed)
    return f"{caught.value.place}: {caught.value.problem}"


def test_a_failed_request_and_one_without_a_token_have_no_latency(tmp_path: Path) -> None:
    found = requests(tmp_path)
    assert found.answered.tolist() == [True, False, True, True]
    assert found.spoke.tolist() == [True, False, True, False]
    np.testing.assert_array_equal(found.ttft, [0.1, NAN, 0.3, NAN])
    # 0.1 + 0.02 + 0.03 for the first; the third ends with its only token.
    np.testing.assert_allclose(found.e2el, [0.15, NAN, 0.3, NAN], rtol=1e-12)
    np.testing.assert_array_equal(found.output_tokens, [3, NAN, 1, 0])
    np.testing.assert_array_equal(found.input_tokens, [10, 10, 10, 10])
    np.testing.assert_array_equal(found.start, [0.0, 0.5, 1.0, 1.25])


def test_either_zero_says_that_no_token_came(tmp_path: Path) -> None:
    found = requests(tmp_path, ttfts=[0.0, 0.0, 0.3, 0.4], output_lens=[3, 0, 1, 0])
    np.testing.assert_array_equal(found.ttft, [NAN, NAN, 0.3, NAN])
    np.testing.assert_array_equal(found.output_tokens, [3, NAN, 1, 0])


def test_zeros_of_failed_requests_are_in_no_statistic(tmp_path: Path) -> None:
    # (100 + 300) ÷ 2 = 200 ms; with the two zeros it would be 100 ms.
    assert requests(tmp_path).sample("request_ttft").mean() == pytest.approx(0.2)


def test_gaps_are_whole_microseconds_one_request_after_another(tmp_path: Path) -> None:
    found = requests(tmp_path, itls=[[0.0200004, 0.0299996], [], [], []])
    assert found.gaps.tolist() == [20000, 30000]
    assert found.gap_counts.tolist() == [2, 0, 0, 0]
    assert (found.gaps.dtype.name, found.gap_counts.dtype.name) == ("int32", "int64")


def test_chunks_that_carry_several_tokens_are_counted_as_chunks(tmp_path: Path) -> None:
    # 9 tokens in a first chunk and 3 gaps: TPOT is (0.34 − 0.10) ÷ 8 = 30 ms, the mean gap 80 ms.
    one = requests(
        tmp_path, input_lens=[64], output_lens=[9], ttfts=[0.1], itls=[[0.06, 0.12, 0.06]], errors=[""],
        start_times=[7.0], generated_texts=["ok"],
    )  # fmt: skip
    assert one.sample("request_tpot").tolist() == pytest.approx([0.03])
    assert one.sample("request_itl").mean() == pytest.approx(0.08)
    assert one.sample("request_chunks").tolist() == [4.0]


def test_the_measured_latency_goes_before_the_sum(tmp_path: Path) -> None:
    found = requests(tmp_path, latencies=[0.16, 0.0, 0.31, 0.2])
    np.testing.assert_array_equal(found.e2el, [0.16, NAN, 0.31, NAN])


def test_a_latency_that_was_rounded_apart_from_its_first_token_is_not_before_it(tmp_path: Path) -> None:
    found = requests(tmp_path, ttfts=[0.1, 0.0, 0.3004, 0.0], latencies=[0.16, 0.0, 0.3, 0.2])
    np.testing.assert_array_equal(found.e2el, [0.16, NAN, 0.3004, NAN])


def test_without_sending_times_no_start_is_known(tmp_path: Path) -> None:
    assert np.isnan(requests(tmp_path, start_times=...).start).all()


def test_the_clock_may_run_from_anywhere(tmp_path: Path) -> None:
    np.testing.assert_array_equal(requests(tmp_path, start_times=[9.0, 8.5, 8.0, 10.0]).start, [1.0, 0.5, 0.0, 2.0])
    np.testing.assert_array_equal(requests(tmp_path, start_times=[1.0, 0.0, 1.5, 1.0]).start, [1.0, 0.0, 1.5, 1.0])


def test_a_request_that_was_never_sent_is_not_the_first(tmp_path: Path) -> None:
    # A clock at 500 s and a run of 2 s: the failed request's 0 is no time of this run.
    np.testing.assert_array_equal(
        requests(tmp_path, start_times=[500.0, 0.0, 501.0, 501.25]).start, [0.0, NAN, 1.0, 1.25]
    )


def test_an_embedding_result_has_requests_without_tokens(tmp_path: Path) -> None:
    gone = ("output_lens", "ttfts", "itls", "generated_texts", "errors", "start_times")
    run = read_one(tmp_path, without(detailed(mean_e2el_ms=12.5), *gone, "failed", "total_output_tokens"))
    assert run.requests is not None
    assert run.requests.answered.all()
    assert np.isnan(run.requests.ttft).all()
    assert np.isnan(run.requests.output_tokens).all()
    assert run.requests.gap_counts.tolist() == [0, 0, 0, 0]
    assert run.damaged_texts == 0


def test_numbers_that_are_none_are_unknown(tmp_path: Path) -> None:
    text = json.dumps(detailed(ttfts=[0.1, None, NAN, 0.4], output_lens=[3, 0, None, 2]))
    [run] = read_text(tmp_path, text)
    assert run.requests is not None
    np.testing.assert_array_equal(run.requests.ttft, [0.1, NAN, NAN, 0.4])
    np.testing.assert_array_equal(run.requests.output_tokens, [3, NAN, NAN, 2])


def test_a_run_in_which_all_failed(tmp_path: Path) -> None:
    found = requests(tmp_path, errors=["Bad Gateway"] * 4, ttfts=[0.0] * 4, output_lens=[0] * 4, itls=[[]] * 4)
    assert not found.answered.any()
    assert np.isnan(found.ttft).all()
    assert found.kinds_of_error == {"Bad Gateway": 4}


def test_of_an_error_only_its_kind_is_kept(tmp_path: Path) -> None:
    run = read_one(tmp_path, detailed())
    assert run.requests is not None
    assert run.requests.kinds_of_error == {"ReadTimeout": 1}
    assert "10.0.0.7" not in repr(run)


def test_the_requests_say_where_they_were_read(tmp_path: Path) -> None:
    assert requests(tmp_path).source == Source("result.json", "")
    runs = read_text(tmp_path, json.dumps([detailed(), detailed()]), "two.json")
    assert [run.requests and run.requests.source for run in runs] == [
        Source("two.json", "object 1"),
        Source("two.json", "object 2"),
    ]


def test_answers_that_are_not_utf8_are_counted_and_not_kept(tmp_path: Path) -> None:
    text = json.dumps(detailed(generated_texts=["CUT", "fine", "\ufffd and \ufffd", "语言"]), ensure_ascii=False)
    [run] = read_text(tmp_path, text.encode().replace(b"CUT", b"\xe4\xb8"))
    assert run.damaged_texts == 2
    assert run.struck_out == ("generated_texts",)
    assert run.requests is not None
    np.testing.assert_array_equal(run.requests.ttft, [0.1, NAN, 0.3, NAN])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ttfts": [0.1]}, "input_lens has 4 entries and ttfts has 1: they are to agree"),
        ({"itls": [[]]}, "input_lens has 4 entries and itls has 1: they are to agree"),
        ({"errors": []}, "input_lens has 4 entries and errors has 0: they are to agree"),
        ({"generated_texts": [""]}, "input_lens has 4 entries and generated_texts has 1: they are to agree"),
        ({"ttfts": [0.1, 0, -0.3, 0]}, "ttfts of request 3 is -0.3: below 0"),
        (
            {"itls": [[0.1], [], [], [0.1, 2148.0]]},
            "request 4 has a gap of 2148 s in itls: more than 2147 s, or below 0",
        ),
        (
            {"itls": [[], [-0.5], [], []]},
            "request 2 has a gap of -0.5 s in itls: more than 2147 s, or below 0",
        ),
        ({"output_lens": [10**9, 0, 1, 0]}, "output_lens of request 1 is 1e+09: more than 1e+07 tokens"),
        ({"output_lens": [3, 0, 1e30, 0]}, "output_lens of request 3 is 1e+30: more than 1e+07 tokens"),
        ({"input_lens": [10**18, 1, 1, 1]}, "input_lens of request 1 is 1e+18: more than 1e+07 tokens"),
        ({"output_lens": [2.5, 0, 1, 0]}, "output_lens of request 1 is 2.5: not whole"),
        ({"ttfts": [0.1, 0, 1e308, 0]}, "ttfts of request 3 is 1e+308: more than 1e+07 s"),
        ({"latencies": [1e308, 0, 1, 0]}, "latencies of request 1 is 1e+308: more than 1e+07 s"),
        ({"start_times": [0, 1e308, 0, 0]}, "start_times of request 2 is 1e+308: more than 1e+07 s after the first"),
        ({"start_times": [-1e308, 1e308, 0, 0]}, "start_times of request 2 is inf: more than 1e+07 s after the first"),
        ({"latencies": [0.05, 0, 0.3, 0]}, "request 1 ended after 0.05 s, before its first token at 0.1 s"),
        ({"ttfts": [0.1, "fast", 0, 0]}, "entry 2 of ttfts is no number ('fast')"),
        ({"ttfts": [0.1, [0.2], 0, 0]}, "entry 2 of ttfts is no number (a list)"),
        ({"itls": [0.1, 0.1, 0.1, 0.1]}, "request 1 in itls is no list of numbers ('0.1')"),
        ({"itls": [[0.1, None], [], [], []]}, "request 1 in itls is no list of numbers (null)"),
        ({"errors": ["", 500, "", ""]}, "entry 2 of errors is no text ('500')"),
    ],
)
def test_arrays_that_cannot_be_are_named(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    assert refusal(tmp_path, **changed) == f"object 1: {words}"


def test_a_request_far_behind_is_named_when_its_gap_is_too_long(tmp_path: Path) -> None:
    rows = [[0.001] * 1000 for _ in range(PIECE // 1000 + 2)]
    rows[-1][5] = 3000.0
    n = len(rows)
    words = refusal(
        tmp_path, itls=rows, input_lens=[1] * n, output_lens=[2] * n, ttfts=[0.1] * n, errors=[""] * n,
        start_times=..., generated_texts=...,
    )  # fmt: skip
    assert words == f"object 1: request {n} has a gap of 3000 s in itls: more than 2147 s, or below 0"


SECONDS = st.floats(1e-6, 100.0)
ROW = st.tuples(st.booleans(), SECONDS, st.lists(SECONDS, max_size=6), st.integers(1, 4096), SECONDS)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=12), indent=st.sampled_from([None, 1]))
def test_what_goes_in_comes_out(tmp_path_factory: pytest.TempPathFactory, rows: list[Any], indent: int | None) -> None:
    failed, ttfts, itls, tokens, starts = (list(column) for column in zip(*rows, strict=True))
    result = totals(
        num_prompts=len(rows),
        duration=1000.0,
        input_lens=tokens,
        output_lens=[0 if bad else n for bad, n in zip(failed, tokens, strict=True)],
        ttfts=[0.0 if bad else t for bad, t in zip(failed, ttfts, strict=True)],
        itls=[[] if bad else row for bad, row in zip(failed, itls, strict=True)],
        start_times=starts,
        errors=["E: x" if bad else "" for bad in failed],
    )
    [run] = read_text(tmp_path_factory.mktemp("trip"), json.dumps(result, indent=indent))
    found = run.requests
    assert found is not None
    good = ~np.array(failed)
    assert found.answered.tolist() == good.tolist()
    np.testing.assert_array_equal(found.ttft[good], np.array(ttfts)[good])
    np.testing.assert_array_equal(found.start, np.array(starts) - min(starts))
    sums = np.array([sum(row) for row in itls])
    np.testing.assert_allclose(found.e2el[good], (np.array(ttfts) + sums)[good], rtol=1e-12)
    flat = np.array([gap for bad, row in zip(failed, itls, strict=True) if not bad for gap in row])
    np.testing.assert_allclose(found.gaps * 1e-6, flat, atol=0.5000001e-6)
    assert np.isnan(found.e2el[~good]).all()
