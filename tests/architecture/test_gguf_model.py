from __future__ import annotations

from typing import Any

import pytest

from generator.architecture.counts import kv_elements, matmul_params, state_elements, weight_bytes
from generator.architecture.gguf_model import Tensor, from_gguf
from generator.architecture.records import UnknownArchitectureError

F16, Q4_K, F32 = 1, 12, 0
F16_BYTES = 2
LLAMA: dict[str, Any] = {
    "general.architecture": "llama", "llama.block_count": 2, "llama.embedding_length": 256,
    "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2,
}  # fmt: skip
TABLES = [Tensor("token_embd.weight", (256, 1000), Q4_K), Tensor("output.weight", (256, 1000), F16)]
LAYERS = [Tensor(f"blk.{at}.attn_q.weight", (256, 256), Q4_K) for at in range(2)]
NORMS = [Tensor("blk.0.attn_norm.weight", (256,), F32)]


def of(kind: str, **keys: Any) -> dict[str, Any]:
    return {"general.architecture": kind, **{f"{kind}.{key.replace('__', '.')}": value for key, value in keys.items()}}


def test_the_input_table_is_not_read_and_all_else_is() -> None:
    model = from_gguf(LLAMA, [*TABLES, *LAYERS, *NORMS])

    # 2 × 65 536 × 144 ÷ 256 + 256 000 × 2 + 256 × 4
    assert weight_bytes(model, 1) == 73_728 + 512_000 + 1024
    assert model.weights.embedding_bytes == 256_000 * 144 / 256
    assert matmul_params(model) == 2 * 65_536 + 256_000
    assert model.weights.other_params == 256


def test_without_a_head_the_input_table_is_one() -> None:
    model = from_gguf(LLAMA, [TABLES[0], *LAYERS])
    assert weight_bytes(model, 1) == 73_728 + 256_000 * 144 / 256
    assert (model.weights.embedding_bytes, model.weights.head_params) == (0, 256_000)


def test_heads_are_spread_over_the_hidden_size() -> None:
    # 2 × 2 layers × 2 heads × (256 ÷ 4)
    assert kv_elements(from_gguf(LLAMA, [*TABLES, *LAYERS]).layers) == 512


def test_layers_for_speculation_are_left_out() -> None:
    drafted = [*LAYERS, Tensor("blk.2.attn_q.weight", (256, 256), F16)]
    model = from_gguf(LLAMA | {"llama.block_count": 3, "llama.nextn_predict_layers": 1}, [*TABLES, *drafted])
    assert model == from_gguf(LLAMA, [*TABLES, *LAYERS])


def test_gemma_attends_to_all_in_every_sixth_layer() -> None:
    keys = of(
        "gemma3", block_count=62, embedding_length=5376, attention__head_count=32, attention__head_count_kv=16,
        attention__key_length=128, attention__value_length=128, attention__sliding_window=1024,
    )  # fmt: skip
    model = from_gguf(keys, [*TABLES, *LAYERS])
    assert [(one.keeps, one.count, one.elements * F16_BYTES) for one in model.layers] == [
        ("window", 52, 8192), ("all", 10, 8192),
    ]  # fmt: skip


def test_a_list_says_which_layers_have_a_window() -> None:
    keys = of(
        "gpt-oss", block_count=4, embedding_length=256, attention__head_count=4, attention__head_count_kv=2,
        attention__sliding_window=128, attention__sliding_window_pattern=[True, True, True, False],
    )  # fmt: skip
    assert [(one.keeps, one.count) for one in from_gguf(keys, [*TABLES, *LAYERS]).layers] == [("window", 3), ("all", 1)]


def test_deepseek_keeps_one_latent() -> None:
    keys = of(
        "deepseek2", block_count=61, embedding_length=7168, attention__head_count=128, attention__head_count_kv=1,
        attention__key_length=576, attention__value_length=512, attention__kv_lora_rank=512, rope__dimension_count=64,
        attention__key_length_mla=192, attention__value_length_mla=128,
    )  # fmt: skip
    # 61 × (512 + 64) × 2
    assert kv_elements(from_gguf(keys, [*TABLES, *LAYERS]).layers) * F16_BYTES == 70_272


def test_qwen3_next_keeps_states_in_three_of_four_layers() -> None:
    keys = of(
        "qwen3next", block_count=48, embedding_length=2048, attention__head_count=16, attention__head_count_kv=2,
        attention__key_length=256, attention__value_length=256, ssm__conv_kernel=4, ssm__inner_size=4096,
        ssm__state_size=128, ssm__group_count=16, ssm__time_step_rank=32,
    )  # fmt: skip
    model = from_gguf(keys, [*TABLES, *LAYERS])
    assert kv_elements(model.layers) * F16_BYTES == 24_576
    # 36 × (3 × 8192 + 128 × 4096) × 4 bytes: 3.375 and 72 MiB
    assert state_elements(model) * 4 == 75.375 * 2**20


def test_nemotron_has_layers_that_keep_nothing() -> None:
    keys = of(
        "nemotron_h", block_count=4, embedding_length=256, attention__head_count=[0, 0, 4, 0],
        attention__head_count_kv=[0, 0, 2, 0], attention__key_length=64, attention__value_length=64,
        feed_forward_length=[0, 512, 0, 512], ssm__conv_kernel=4, ssm__inner_size=128, ssm__state_size=16,
        ssm__group_count=2,
    )  # fmt: skip
    model = from_gguf(keys, [*TABLES, *LAYERS])
    assert [(one.keeps, one.count) for one in model.layers] == [("state", 1), ("nothing", 2), ("all", 1)]
    # (4 − 1) × (128 + 2 × 2 × 16) + 128 × 16
    assert state_elements(model) == 3 * 192 + 2048


def test_experts_are_weighed_apart() -> None:
    mixed = [
        Tensor(f"blk.{at}.ffn_{part}_exps.weight", (256, 512, 8), Q4_K) for at in range(2) for part in ("up", "down")
    ]
    keys = of(
        "qwen3moe", block_count=2, embedding_length=256, attention__head_count=4, attention__head_count_kv=2,
        expert_count=8, expert_used_count=2,
    )  # fmt: skip
    model = from_gguf(keys, [*TABLES, *LAYERS, *mixed])

    assert model.experts is not None
    # two matrices of 256 × 512, 4.5 bits each element
    assert (model.experts.layers, model.experts.params) == (2, 262_144)
    assert model.experts.bytes == 262_144 * 144 / 256
    assert weight_bytes(model, 1) == pytest.approx(73_728 + 512_000 + 2 * 2 * 147_456)


@pytest.mark.parametrize(
    ("keys", "tensors", "problem"),
    [
        ({"general.architecture": "future"}, TABLES, "is 'future', whose layers are not known here"),
        ({}, TABLES, "general.architecture: is missing"),
        (LLAMA | {"llama.block_count": 10**7}, TABLES, "more than 10000"),
        (LLAMA | {"llama.block_count": "2"}, TABLES, "expected a whole number"),
        (LLAMA | {"llama.nextn_predict_layers": 2}, TABLES, "leaves no layer"),
        (LLAMA | {"llama.attention.head_count": 7}, [*TABLES, *LAYERS], "no multiple of 7 heads"),
        (LLAMA, LAYERS, "token_embd.weight: is missing"),
        (LLAMA, TABLES, "there are none of any layer"),
        (LLAMA, [*TABLES, Tensor("blk.0.x.weight", (256, 2), 99)], "is of type 99"),
        (LLAMA, [*TABLES, Tensor("blk.0.x.weight", (2**40,) * 8, F16)], "comes to sizes of no model"),
    ],
)
def test_what_is_not_known_is_said(keys: dict[str, Any], tensors: list[Tensor], problem: str) -> None:
    with pytest.raises(UnknownArchitectureError, match=problem):
        from_gguf(keys, tensors)
