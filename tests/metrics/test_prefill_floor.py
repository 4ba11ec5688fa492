from __future__ import annotations

import pytest

from generator.architecture.config import from_config
from generator.architecture.counts import pair_flops, prefill_flops, token_params
from generator.kinds import Unknown
from generator.metrics import prefill_floor
from tests.support.model_configs import GEMMA3_27B, QWEN25_7B


def test_prefill_tokens_are_those_that_were_computed() -> None:
    # 12 000 in 20 requests
    assert prefill_floor.prefill_tokens(12_000, 20) == 600


def test_prefill_tokens_counted_stand_in_without_a_log() -> None:
    assert prefill_floor.prefill_tokens_counted(1023) == 1023


def test_prefill_tokens_asked_stand_in_where_none_were_counted() -> None:
    assert prefill_floor.prefill_tokens_asked(1024) == 1024


def test_prefill_cached_are_those_that_a_cache_held() -> None:
    assert prefill_floor.prefill_cached(8000, 20) == 400


def test_prefill_pairs_reach_back_to_what_was_cached() -> None:
    # 600 × 400 + 600 × 601 ÷ 2
    assert prefill_floor.prefill_pairs(600, 400) == 420_300


def test_prefill_pairs_of_all_reach_back_to_the_first() -> None:
    # 600 × 601 ÷ 2
    assert prefill_floor.prefill_pairs_of_all(600) == 180_300


def test_prefill_window_pairs_are_capped() -> None:
    # 1 + 2 + 3 + 3 + 3; within the window 1 + 2
    assert prefill_floor.prefill_window_pairs(5, 3) == 12
    assert prefill_floor.prefill_window_pairs(2, 3) == 3


def test_prefill_flops_are_those_of_the_model() -> None:
    model = from_config(GEMMA3_27B)
    wide, narrow = (pair_flops(model.keeping(keeps)) for keeps in ("all", "window"))
    pairs, within = prefill_floor.prefill_pairs(2048, 0), prefill_floor.prefill_window_pairs(2048, 1024)
    assert isinstance(pairs, float)
    assert isinstance(within, float)
    counted = prefill_floor.prefill_flops(
        token_params(model), 2048, model.weights.head_params, wide, pairs, narrow, within
    )
    assert counted == prefill_flops(model, 2048)


def test_prefill_flops_without_windows_are_those_of_the_model() -> None:
    model = from_config(QWEN25_7B)
    counted = prefill_floor.prefill_flops_without_windows(6_525_288_448, 1024, 544_997_376, 401_408, 524_800)
    assert counted == prefill_flops(model, 1024)


def test_prefill_weight_bytes_of_a_long_prompt_are_nearly_all() -> None:
    # 3 GB + 128 × (1 − (120 ÷ 128)^1000) × 0.5 GB
    assert prefill_floor.prefill_weight_bytes(3e9, 128, 1000, 8, 0.5e9) == pytest.approx(67e9)
    assert isinstance(prefill_floor.prefill_weight_bytes(3e9, 8, 1000, 8, 0.5e9), Unknown)


def test_prefill_weight_bytes_of_all_are_those_of_a_step() -> None:
    assert prefill_floor.prefill_weight_bytes_of_all(14e9) == 14e9


def test_prefill_floor_is_the_larger_of_both_times() -> None:
    # 14 TFLOP ÷ 100 TFLOP/s against 14 GB ÷ 1 TB/s; of a short prompt the weights decide
    assert prefill_floor.prefill_floor(14e12, 100e12, 14e9, 1e12) == 0.14
    assert prefill_floor.prefill_floor(0.14e12, 100e12, 14e9, 1e12) == 0.014


def test_prefill_time_is_tokens_over_the_rate() -> None:
    # 1024 ÷ 8192 tok/s
    assert prefill_floor.prefill_time(1024, 8192) == 0.125


def test_prefill_time_of_server_is_taken_as_it_is() -> None:
    assert prefill_floor.prefill_time_of_server(0.125) == 0.125


def test_prefill_time_of_client_is_tokens_over_its_rate() -> None:
    assert prefill_floor.prefill_time_of_client(1024, 4096) == 0.25


def test_prefill_mfu_is_the_share_of_the_peak() -> None:
    # 14 TFLOP in 0.28 s = 50 TFLOP/s of 100
    assert prefill_floor.prefill_mfu(14e12, 0.28, 100e12) == pytest.approx(0.5)


def test_prefill_mfu__client_takes_the_whole_wait() -> None:
    # 14 TFLOP in 0.35 s = 40 TFLOP/s of 100
    assert prefill_floor.prefill_mfu__client(14e12, 0.35, 100e12) == pytest.approx(0.4)


def test_prefill_over_fp32_is_against_the_products_that_the_machine_was_seen_to_do() -> None:
    # 0.06 TFLOP in 0.5 s = 0.12 TFLOP/s; FP32 products reach 0.08: BF16 kernels are half as fast again
    assert prefill_floor.prefill_over_fp32(0.06e12, 0.5, 0.08e12) == pytest.approx(1.5)
