from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.architecture.config import from_config
from generator.architecture.counts import all_params, kv_bytes, kv_elements, matmul_params, state_elements, weight_bytes
from generator.architecture.records import Architecture, UnknownArchitectureError
from tests.support import model_configs
from tests.support.model_configs import (
    DEEPSEEK_V3,
    GEMMA3_27B,
    GPT_OSS_120B,
    LLAMA32_1B,
    MIXTRAL,
    NEMOTRON_H_8B,
    QWEN3_8B,
    QWEN3_30B_A3B,
    QWEN3_NEXT,
    QWEN25_7B,
    Config,
)

BF16 = 2


@pytest.mark.parametrize(
    ("config", "bytes_a_token"),
    [
        # 2 × 28 layers × 4 heads × 128 × 2 bytes
        (QWEN25_7B, 57_344),
        # 2 × 36 × 8 × 128 × 2
        (QWEN3_8B, 147_456),
        # 2 × 16 × 8 × 64 × 2
        (LLAMA32_1B, 32_768),
        # MLA: 61 × (512 + 64) × 2, one vector and no second of values
        (DEEPSEEK_V3, 70_272),
        # the 10 layers of 62 that keep all: 2 × 10 × 16 × 128 × 2
        (GEMMA3_27B, 81_920),
        # the 12 of 48 that attend: 2 × 12 × 2 × 256 × 2
        (QWEN3_NEXT, 24_576),
        # every other of 36: 2 × 18 × 8 × 64 × 2
        (GPT_OSS_120B, 36_864),
        # 4 stars in the pattern: 2 × 4 × 8 × 128 × 2
        (NEMOTRON_H_8B, 16_384),
    ],
)
def test_what_one_more_token_of_a_long_context_takes(config: Config, bytes_a_token: int) -> None:
    assert kv_elements(from_config(config).keeping("all")) * BF16 == bytes_a_token


def test_layers_with_a_window_stop_growing_at_it() -> None:
    model = from_config(GEMMA3_27B)

    # 81 920 × 512 + 52 × 8192 × 512 while both grow; then 81 920 × L + 425 984 × 1024
    assert kv_bytes(model, 512, BF16) == (81_920 + 425_984) * 512
    assert kv_bytes(model, 8192, BF16) == 81_920 * 8192 + 425_984 * 1024


def test_states_are_of_one_size() -> None:
    # 36 layers: conv (4 − 1) × (2 × 2048 + 4096), matrix 32 × 128 × 128; × 4 bytes = 3.375 MiB + 72 MiB
    assert state_elements(from_config(QWEN3_NEXT)) * 4 == 36 * (3 * 8192 + 524_288) * 4 == 75.375 * 2**20


@pytest.mark.parametrize(
    ("config", "params"),
    [
        # 28 × 233 057 792 + 3584 + 2 × 544 997 376
        (QWEN25_7B, 7_615_616_512),
        # 16 × (2 × 2048² + 2 × 2048 × 512 + 3 × 2048 × 8192 + 2 × 2048) + 2048 + 128 256 × 2048, the table once
        (LLAMA32_1B, 1_235_814_400),
        # 36 × (2 × 4096² + 2 × 4096 × 1024 + 3 × 4096 × 12 288 + 2 × 4096 + 2 × 128) + 4096 + 2 × 151 936 × 4096
        (QWEN3_8B, 8_190_735_360),
        # 32 × (2 × 4096² + 2 × 4096 × 1024 + 8 × 4096 + 8 × 3 × 4096 × 14 336 + 2 × 4096) + 4096 + 2 × 32 000 × 4096
        (MIXTRAL, 46_702_792_704),
    ],
)
def test_all_parameters_are_counted(config: Config, params: int) -> None:
    assert all_params(from_config(config)) == params


@pytest.mark.parametrize(
    ("config", "billions"),
    [(DEEPSEEK_V3, 671.0), (GEMMA3_27B, 27.0), (QWEN3_NEXT, 79.7), (GPT_OSS_120B, 116.8), (QWEN3_30B_A3B, 30.5),
     (NEMOTRON_H_8B, 8.1)],
)  # fmt: skip
def test_models_are_as_large_as_they_are_said_to_be(config: Config, billions: float) -> None:
    assert all_params(from_config(config)) / 1e9 == pytest.approx(billions, abs=0.06)


def test_an_input_table_of_its_own_is_not_read() -> None:
    weights = from_config(QWEN25_7B).weights

    assert matmul_params(from_config(QWEN25_7B)) == 7_070_285_824
    assert weights.step_bytes == 7_070_619_136 * BF16  # with 333 312 biases and norms
    assert weights.embedding_bytes == 544_997_376 * BF16


def test_a_table_that_is_the_head_as_well_is_read_once() -> None:
    weights = from_config(LLAMA32_1B).weights

    assert weights.head_params == 128_256 * 2048
    assert (weights.embedding_params, weights.embedding_bytes) == (0, 0)


def test_windows_that_are_switched_off_do_not_count() -> None:
    assert not from_config(QWEN25_7B).keeping("window")
    late = from_config(QWEN25_7B | {"use_sliding_window": True, "max_window_layers": 20})
    assert [layers.count for layers in late.layers] == [20, 8]


def test_a_list_of_layers_goes_before_the_rule() -> None:
    listed = ["full_attention"] * 35 + ["sliding_attention"]
    model = from_config(GPT_OSS_120B | {"layer_types": listed})
    assert [(layers.keeps, layers.count) for layers in model.layers] == [("all", 35), ("window", 1)]


def test_experts_that_are_all_used_are_dense_weights() -> None:
    used_all = from_config(MIXTRAL | {"num_experts_per_tok": 8})
    assert used_all.experts is None
    assert all_params(used_all) == all_params(from_config(MIXTRAL))


def test_weights_of_fp8_have_their_scales() -> None:
    model = from_config(DEEPSEEK_V3)
    assert model.experts is not None
    # 3 × 7168 × 2048 × (1 + 4 ÷ 128²)
    assert model.experts.bytes == pytest.approx(44_040_192 * (1 + 4 / 16_384))


def test_mxfp4_is_of_the_experts_alone() -> None:
    model = from_config(GPT_OSS_120B)
    assert model.experts is not None
    # 3 × 2880² × (4 ÷ 8 + 1 ÷ 32)
    assert model.experts.bytes == pytest.approx(24_883_200 * 0.53125)
    assert model.weights.step_bytes == BF16 * (
        model.weights.body_params + model.weights.head_params + model.weights.other_params
    )


def test_four_bits_in_groups_have_scales_and_zeros() -> None:
    quantised = from_config(QWEN25_7B | {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}})
    # 6 525 288 448 in layers × (0.5 + 2.5 ÷ 128) + (544 997 376 + 333 312) × 2
    assert quantised.weights.step_bytes == pytest.approx(6_525_288_448 * 0.51953125 + 545_330_688 * 2)


def test_bytes_are_not_known_where_some_layers_are_left_as_they_are() -> None:
    odd = {"quant_method": "fp8", "modules_to_not_convert": ["model.layers.0.mlp.down_proj"]}
    model = from_config(QWEN25_7B | {"quantization_config": odd})
    assert model.weights.step_bytes is None
    assert weight_bytes(model, 1) is None


@pytest.mark.parametrize(
    ("change", "place", "problem"),
    [
        ({"model_type": "future"}, "model_type", "is 'future', whose layers are not known here"),
        ({"model_type": None}, "model_type", "is missing"),
        ({"num_hidden_layers": None}, "num_hidden_layers", "is missing"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers", "more than 10000"),
        ({"hidden_size": -1}, "hidden_size", "found '-1'"),
        ({"hidden_size": 3585}, "head_dim", "3585 is no multiple of 28"),
        ({"hidden_size": True}, "hidden_size", "found 'True'"),
        ({"vocab_size": float("nan")}, "vocab_size", "found 'nan'"),
        ({"torch_dtype": "int3"}, "torch_dtype", "a type that is not known here"),
        ({"layer_types": ["full_attention"]}, "layer_types", "is a list of 1, not one for each of 28 layers"),
        ({"layer_types": ["odd"] * 28}, "layer_types", "has 'odd', a layer that is not known here"),
        ({"text_config": []}, "text_config", "expected a table"),
        ({"quantization_config": {"quant_method": "new"}}, "quantization_config.quant_method", "not known here"),
        ({"intermediate_size": 10**9, "hidden_size": 28 * 10**7}, "config.json", "comes to sizes of no model"),
    ],
)
def test_what_is_not_known_is_said_and_not_guessed(change: dict[str, Any], place: str, problem: str) -> None:
    with pytest.raises(UnknownArchitectureError) as said:
        from_config(QWEN25_7B | change)
    assert said.value.place == place
    assert problem in said.value.problem


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(config=st.sampled_from(model_configs.ALL), data=st.data())
def test_hostile_files_have_an_answer_or_a_reason(config: Config, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted({*config, "layer_types", "text_config", "quantization_config"})))
    hostile = {**config, key: data.draw(ODD)}
    with suppress(UnknownArchitectureError):
        assert isinstance(from_config(hostile), Architecture)
