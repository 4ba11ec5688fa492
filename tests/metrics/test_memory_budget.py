from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Metric
from generator.metrics import memory_budget
from generator.metrics.memory_budget import contexts_at
from tests.support.example_rounds import published
from tests.support.telling import analysed

GIB = 2.0**30


def test_memory_for_kv_keeps_all_that_is_no_kv() -> None:
    # 24 GiB, of which 19 are in use, 14 of them KV: 24 − 19 + 14.
    assert memory_budget.memory_for_kv(24 * GIB, 19 * GIB, 14 * GIB) == 19 * GIB


def test_memory_beside_weights_may_be_less_than_nothing() -> None:
    # 24 GiB and weights of 30: 6 GiB too many.
    assert memory_budget.memory_beside_weights(24 * GIB, 30 * GIB) == -6 * GIB


def test_context_that_fits_is_none_where_the_weights_do_not() -> None:
    assert memory_budget.context_that_fits(14 * GIB, 56 * 1024) == pytest.approx(262144)  # 14 GiB ÷ 56 KiB
    assert memory_budget.context_that_fits(-6 * GIB, 56 * 1024) == 0


def test_requests_that_fit_are_of_full_length() -> None:
    # 12 800 tokens, and requests of 1024 + 256 = 1280.
    assert memory_budget.requests_that_fit(context_that_fits=12800, request_tokens=np.array([1280.0, 1280.0])) == 10
    # 183 800 ÷ 1280 = 143.6: the last one does not fit whole.
    assert memory_budget.requests_that_fit(context_that_fits=183800, request_tokens=np.array([1280.0])) == 143


def test_a_part_of_a_token_does_not_fit() -> None:
    assert memory_budget.context_that_fits(memory_for_kv=1999.0, kv_bytes_per_token=1000.0) == 1


@pytest.mark.parametrize(
    ("one", "tokens"),
    [(contexts_at[0], 8.0), (contexts_at[1], 15.0), (contexts_at[2], 18.0)],
    ids=["context_that_fits__bits16", "context_that_fits__bits8", "context_that_fits__bits4"],
)
def test_the_context_at_another_precision_counts_the_weights_alone(one: Metric, tokens: float) -> None:
    # 22 bytes, 7 weights, one byte a token: 22 − 7 × 2 = 8, 22 − 7 × 1 = 15, 22 − 7 × 0.5 = 18.5, of which 18 fit.
    assert one(memory_capacity=22.0, weight_params=7.0, kv_bytes_per_token=1.0) == tokens


def test_a_real_round_has_its_budget() -> None:
    frame = analysed(published("round-2")).frame

    # llama.cpp: 24 GiB − 19089 MiB + 14 GiB = 24 − 18.6416 + 14 = 19.3584 GiB; ÷ 56 KiB; ÷ 1280 tokens.
    left = frame.of_series("memory_for_kv", "llamacpp-q4_k_m").value
    assert left is not None
    assert left / GIB == pytest.approx(19.3584, abs=1e-4)
    assert frame.of_series("requests_that_fit", "llamacpp-q4_k_m").value == 283
    # vLLM: 24 − 14.49 = 9.51 GiB, with no buffers counted.
    of_vllm = frame.of_series("memory_for_kv", "vllm-bf16").value
    assert of_vllm is not None
    assert of_vllm / GIB == pytest.approx(9.51)
