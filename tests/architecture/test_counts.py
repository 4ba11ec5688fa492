from __future__ import annotations

import pytest

from generator.architecture.config import from_config
from generator.architecture.counts import (
    expected_experts,
    kv_elements,
    pair_flops,
    pairs_up_to,
    prefill_flops,
    token_params,
    weight_bytes,
)
from tests.support.model_configs import DEEPSEEK_V3, GEMMA3_27B, QWEN3_30B_A3B, QWEN25_7B


@pytest.mark.parametrize(
    ("ranks", "bytes_a_token"),
    [
        (1, 57_344),
        # 4 heads on 2 ranks, on 4, and then each held twice
        (2, 28_672),
        (4, 14_336),
        (8, 14_336),
    ],
)
def test_ranks_share_heads_out_until_each_has_one(ranks: int, bytes_a_token: int) -> None:
    assert kv_elements(from_config(QWEN25_7B).layers, ranks) * 2 == bytes_a_token


def test_a_latent_is_held_whole_by_every_rank() -> None:
    assert kv_elements(from_config(DEEPSEEK_V3).layers, 8) * 2 == 70_272


@pytest.mark.parametrize(
    ("tokens", "experts"), [(1, 8.0), (2, 15.5), (4, 29.1), (8, 51.6), (16, 82.4), (32, 111.8), (64, 125.9)]
)
def test_distinct_experts_of_so_many_tokens(tokens: int, experts: float) -> None:
    # 128 × (1 − (1 − 8 ÷ 128)^B)
    assert expected_experts(128, 8, tokens) == pytest.approx(experts, abs=0.05)


def test_a_mixture_reads_more_with_every_sequence() -> None:
    model = from_config(QWEN3_30B_A3B)
    assert model.experts is not None
    assert model.weights.step_bytes is not None
    # one expert: 3 × 2048 × 768 × 2 bytes = 9 437 184; 8 of them in each of 48 layers
    assert weight_bytes(model, 1) == pytest.approx(model.weights.step_bytes + 48 * 8 * 9_437_184)
    assert weight_bytes(model, 64) == pytest.approx(model.weights.step_bytes + 48 * 125.94 * 9_437_184, rel=1e-4)


def test_pairs_of_a_prompt_and_within_a_window() -> None:
    # 1 + 2 + 3 + 4 + 5; 1 + 2 + 3 + 3 + 3
    assert pairs_up_to(5, None) == 15
    assert pairs_up_to(5, 3) == 12


def test_prefill_is_linear_in_tokens_and_square_in_attention() -> None:
    model = from_config(QWEN25_7B)
    # 2 × 6 525 288 448 × 1024 + 2 × 544 997 376 + 28 layers × 2 × 28 heads × 256 × (1024 × 1025 ÷ 2)
    linear = 2 * 6_525_288_448 * 1024 + 2 * 544_997_376
    assert prefill_flops(model, 1024) == linear + 28 * 14_336 * 524_800
    assert token_params(model) == 6_525_288_448
    assert pair_flops(model.layers) == 28 * 14_336


def test_tokens_behind_a_cached_prefix_see_it() -> None:
    model = from_config(QWEN25_7B)
    # 24 tokens behind 1000: 24 × 1000 + 24 × 25 ÷ 2 pairs
    attention = 28 * 14_336 * (24_000 + 300)
    assert prefill_flops(model, 24, 1000) == 2 * 6_525_288_448 * 24 + 2 * 544_997_376 + attention


def test_layers_with_a_window_see_no_more_than_it() -> None:
    model = from_config(GEMMA3_27B)
    a_pair = 2 * 32 * 256  # 32 heads, keys and values of 128
    more = prefill_flops(model, 4097) - prefill_flops(model, 4096)
    # the 4097th token: 10 layers see 4097, 52 see 1024
    assert more == 2 * token_params(model) + 10 * a_pair * 4097 + 52 * a_pair * 1024
