from __future__ import annotations

from pathlib import Path

import pytest

from generator.architecture.config import from_config
from generator.architecture.gguf_model import Tensor, from_gguf
from generator.architecture.records import Architecture
from generator.metrics.architecture import FILES
from generator.places import Place
from generator.store.architecture import (
    OF_ROUND,
    OF_SERIES,
    OTHER_WEIGHTS,
    UNLIKE_LAYERS,
    UNLIKE_SERIES,
    UNSAID_EMBEDDING,
)
from generator.store.model_files import ARCHITECTURE, as_json
from generator.values import Address
from tests.support.collected_rounds import planned, read
from tests.support.model_configs import DEEPSEEK_V3, GEMMA3_27B, LLAMA32_1B, QWEN3_30B_A3B, QWEN3_NEXT, QWEN25_7B
from tests.support.rounds import places

PLAN = """\
schema = 1
[round]
title.zh = "模型"
title.en = "Model"
[model]
name = "m"
{model}
[[series]]
id = "s"
{series}
argv = [{argv}]
[[series]]
id = "t"
argv = ["x"]
"""


def round_with(
    folder: Path, model: Architecture, *, argv: str = '"vllm"', kind: str = "vllm", series: str = "", of_model: str = ""
) -> tuple[dict[str, float], dict[str, object]]:
    """Return what is known of a series ``s`` that serves a model, and why the rest is not."""
    toml = PLAN.format(model=of_model, series=f'kind = "{kind}"\n{series}', argv=argv)
    home = planned(folder / "r", toml) / "s"
    home.mkdir()
    (home / ARCHITECTURE).write_bytes(as_json(model))
    found = read(folder / "r")
    numbers = {one.address.metric: one.value for one in found.observations if one.address.series != "t"}
    return numbers, {where.metric: why for where, why in found.unread.items()}


def test_every_place_is_filled_by_name() -> None:
    named = {place.name: metric.scope for place, metric in places().items() if place.kind == "architecture"}
    assert named == dict.fromkeys(OF_ROUND, "round") | dict.fromkeys(OF_SERIES, "series")
    assert isinstance(next(iter(places())), Place)
    assert FILES.en


def test_a_model_whose_layers_are_alike(tmp_path: Path) -> None:
    found, _ = round_with(tmp_path, from_config(QWEN25_7B))

    assert [found[key] for key in ("layers", "kv_heads", "head_dim", "matmul_params")] == [28, 4, 128, 7_070_285_824]
    # 2 × 28 × 4 × 128; 7 070 619 136 × 2
    assert (found["kv_elements"], found["kv_element_bytes"]) == (28_672, 2)
    assert found["model_weight_bytes"] == 14_141_238_272
    assert found["embedding_bytes"] == 0
    assert "attention_window" not in found
    assert "state_bytes" not in found
    assert "experts" not in found


def test_sources_name_the_file_and_what_was_taken_from_it(tmp_path: Path) -> None:
    round_with(tmp_path, from_config(QWEN25_7B))
    seen = {one.address: one for one in read(tmp_path / "r").observations}
    elements = seen[Address("kv_elements", "series", "s")]
    assert (elements.origin, str(elements.source)) == ("declared", "s/architecture.json, kv_elements")


@pytest.mark.parametrize(
    ("kind", "argv", "each"),
    [
        ("vllm", '"vllm", "serve", "m"', 2),
        ("vllm", '"vllm", "serve", "m", "--kv-cache-dtype", "fp8"', 1),
        ("llamacpp", '"llama-server"', 2),
        ("llamacpp", '"llama-server", "-ctk", "q8_0", "-ctv", "q4_0"', (34 + 18) / 64),
        ("llamacpp", '"llama-server", "-ctk", "q8_0"', (34 / 32 + 2) / 2),
    ],
)
def test_flags_say_how_many_bytes_an_element_has(tmp_path: Path, kind: str, argv: str, each: float) -> None:
    found, _ = round_with(tmp_path, from_config(QWEN25_7B), kind=kind, argv=argv)
    assert found["kv_element_bytes"] == each


def test_a_type_of_cache_that_is_not_known_gives_no_bytes(tmp_path: Path) -> None:
    argv = '"vllm", "serve", "m", "--kv-cache-dtype", "fp8_ds_mla"'
    found, unread = round_with(tmp_path, from_config(DEEPSEEK_V3), argv=argv)
    assert "kv_element_bytes" not in found
    assert "kv_element_bytes" in unread


def test_layers_that_are_unlike_have_no_common_shape(tmp_path: Path) -> None:
    found, unread = round_with(tmp_path, from_config(GEMMA3_27B))

    assert found["layers"] == 62
    assert unread["kv_heads"] == unread["head_dim"] == UNLIKE_LAYERS
    # 10 and 52 layers × 2 × 16 × 128; window and no state
    assert [found[key] for key in ("kv_elements", "kv_window_elements", "attention_window", "state_bytes")] == [
        40_960, 212_992, 1024, 0,
    ]  # fmt: skip


def test_a_latent_has_no_heads(tmp_path: Path) -> None:
    found, unread = round_with(tmp_path, from_config(DEEPSEEK_V3))
    assert found["kv_elements"] * found["kv_element_bytes"] == 70_272
    assert unread["kv_heads"] == UNLIKE_LAYERS


def test_states_are_of_single_precision_in_llama_cpp(tmp_path: Path) -> None:
    found, _ = round_with(tmp_path, from_config(QWEN3_NEXT), kind="llamacpp")
    assert found["state_bytes"] == 75.375 * 2**20


def test_experts_of_a_mixture(tmp_path: Path) -> None:
    found, _ = round_with(tmp_path, from_config(QWEN3_30B_A3B))
    # 48 layers × 3 × 2048 × 768 × 2
    assert [found[key] for key in ("experts", "experts_used", "expert_bytes")] == [128, 8, 452_984_832]
    assert found["model_weight_bytes"] == pytest.approx(found["dense_bytes"] + 8 * 452_984_832)


def test_a_config_does_not_say_what_a_quantising_server_reads(tmp_path: Path) -> None:
    found, unread = round_with(tmp_path, from_config(LLAMA32_1B), argv='"vllm", "serve", "m", "--quantization", "fp8"')
    assert "model_weight_bytes" not in found
    assert unread["model_weight_bytes"] == OTHER_WEIGHTS


def test_a_gguf_file_says_what_llama_cpp_reads(tmp_path: Path) -> None:
    keys = {
        "general.architecture": "llama", "llama.block_count": 1, "llama.embedding_length": 256,
        "llama.attention.head_count": 4,
    }  # fmt: skip
    tensors = [Tensor("token_embd.weight", (256, 100), 12), Tensor("blk.0.attn_q.weight", (256, 256), 12)]
    found, _ = round_with(tmp_path, from_gguf(keys, tensors), kind="llamacpp")
    # (25 600 + 65 536) × 144 ÷ 256, the table being the head
    assert found["model_weight_bytes"] == 51_264


@pytest.mark.parametrize(
    ("series", "of_model", "embedding"),
    [
        ('weight_bytes = 15231233024\nweights_basis = "all_params"', "", 1_089_994_752),
        ('weight_bytes = 14141238272\nweights_basis = "matmul_params"', "", 0),
        ("weight_dtype_bytes = 2", "matmul_params = 7070619136", None),
        ("weight_dtype_bytes = 2", "", 0),
    ],
)
def test_the_input_table_is_taken_from_weights_that_hold_it(
    tmp_path: Path, series: str, of_model: str, embedding: float | None
) -> None:
    found, unread = round_with(tmp_path, from_config(QWEN25_7B), series=series, of_model=of_model)
    assert found.get("embedding_bytes") == embedding
    assert ("embedding_bytes" in unread) == (embedding is None)
    assert unread.get("embedding_bytes", UNSAID_EMBEDDING) == UNSAID_EMBEDDING


def test_one_file_may_speak_of_all_series(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r", PLAN.format(model="", series="", argv='"vllm"'))
    (folder / ARCHITECTURE).write_bytes(as_json(from_config(QWEN25_7B)))
    seen = {one.address for one in read(folder).observations}
    assert {Address("kv_elements", "series", one) for one in ("s", "t")} <= seen


def test_series_of_unlike_models_have_no_common_shape(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r", PLAN.format(model="", series="", argv='"vllm"'))
    for series, config in (("s", QWEN25_7B), ("t", LLAMA32_1B)):
        (folder / series).mkdir()
        (folder / series / ARCHITECTURE).write_bytes(as_json(from_config(config)))
    found = read(folder)
    assert found.unread[Address("layers", "round")] == UNLIKE_SERIES
    assert Address("layers", "round") not in {one.address for one in found.observations}
