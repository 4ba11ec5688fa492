"""The weights of a model by its config.json: parameters in matrix products, and the bytes that a step reads of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from generator.architecture.config_layers import (
    ATTENTION,
    MAMBA,
    grouped_width,
    head_dim,
    inner_width,
    key_width,
    kv_heads,
    pattern_of,
    value_width,
)
from generator.architecture.families import Family
from generator.architecture.keys import Keys
from generator.architecture.quantisation import quantised_bytes
from generator.architecture.records import Experts, Layers, UnknownArchitectureError, Weights

EXPERTS: Final = ("num_local_experts", "n_routed_experts", "num_experts")
USED: Final = ("num_experts_per_tok", "experts_per_token")
GATED: Final = 3
"""Matrices of a feed-forward network with a gate."""
PLAIN: Final = 2
"""Matrices of one without."""


class _Sum(NamedTuple):
    """Parameters in matrix products, and others (norms, biases)."""

    body: int
    other: int = 0

    def and_(self, more: _Sum) -> _Sum:
        return _Sum(self.body + more.body, self.other + more.other)


def experts_of(keys: Keys, kind: str, depth: int, element_bytes: float) -> Experts | None:
    """Return the routed experts; None where there are none, or where a token uses all.

    Args:
        keys: of the model.
        kind: of model.
        depth: its layers.
        element_bytes: of its weights where they are not quantised.
    """
    count = _routed(keys)
    layers = sum(_has_experts(keys, kind, at) for at in range(depth)) if count else 0
    used = keys.whole(*USED) if layers else 0
    if layers == 0 or used >= count:
        return None
    params = GATED * keys.whole("hidden_size") * _expert_width(keys)
    each = quantised_bytes(keys, element_bytes, experts=True)
    return Experts(
        layers=layers, count=count, used=used, params=params, bytes=None if each is None else float(params * each)
    )


def weights_of(keys: Keys, kind: str, family: Family, layers: Sequence[Layers], element_bytes: float) -> Weights:
    """Return the weights outside the routed experts.

    The input table and the head keep the type of the model where the rest is quantised, and so do norms and biases.
    """
    hidden = keys.whole("hidden_size")
    total = _of_pattern(keys) if kind == "nemotron_h" else _of_layers(keys, kind, family, layers)
    table = hidden * keys.whole("vocab_size")
    is_tied = keys.flag("tie_word_embeddings", family.is_tied)
    other = total.other + hidden  # the norm behind the last layer
    each = quantised_bytes(keys, element_bytes, experts=False)
    return Weights(
        body_params=total.body,
        head_params=table,
        other_params=other,
        embedding_params=0 if is_tied else table,
        step_bytes=None if each is None else float(total.body * each + (table + other) * element_bytes),
        embedding_bytes=0.0 if is_tied else float(table * element_bytes),
    )


def _routed(keys: Keys) -> int:
    name = next((one for one in EXPERTS if keys.has(one)), None)
    return keys.count(name) if name else 0


def _expert_width(keys: Keys) -> int:
    return keys.whole("moe_intermediate_size") if keys.has("moe_intermediate_size") else keys.whole("intermediate_size")


def _has_experts(keys: Keys, kind: str, at: int) -> bool:
    """Say whether a layer has routed experts: the first ones may be dense, or all but every n-th."""
    if kind in ("deepseek_v2", "deepseek_v3", "kimi_k2"):
        return at >= keys.count("first_k_dense_replace") and at % keys.whole("moe_layer_freq", default=1) == 0
    if kind in ("qwen2_moe", "qwen3_moe", "qwen3_next"):
        return at not in _dense_ones(keys) and (at + 1) % keys.whole("decoder_sparse_step", default=1) == 0
    return True


def _dense_ones(keys: Keys) -> set[int]:
    found = keys.table.get("mlp_only_layers") or []
    if not isinstance(found, list) or not all(isinstance(one, int) for one in found):
        raise UnknownArchitectureError(f"{keys.place}mlp_only_layers", "expected a list of whole numbers")
    return set(found)


def _of_layers(keys: Keys, kind: str, family: Family, layers: Sequence[Layers]) -> _Sum:
    hidden = keys.whole("hidden_size")
    count = _routed(keys)
    attention = {one: _attention(keys, one, kind, family) for one in dict.fromkeys(layers)}
    total = _Sum(0)
    for at, layer in enumerate(layers):
        mixed = count > 0 and _has_experts(keys, kind, at)
        body = _around_experts(keys, kind, count) if mixed else GATED * hidden * keys.whole("intermediate_size")
        total = total.and_(attention[layer]).and_(_Sum(body, family.norms * hidden))
    return total


def _around_experts(keys: Keys, kind: str, count: int) -> int:
    """Return what all tokens pass in a layer with experts: the router, shared experts, and all where all are used."""
    hidden, width = keys.whole("hidden_size"), _expert_width(keys)
    shared = keys.count("n_shared_experts") * width + keys.count("shared_expert_intermediate_size")
    gate = hidden if keys.has("shared_expert_intermediate_size") and kind.startswith("qwen") else 0
    used_by_all = count if keys.whole(*USED) >= count else 0
    return hidden * count + GATED * hidden * (shared + used_by_all * width) + gate


def _attention(keys: Keys, layer: Layers, kind: str, family: Family) -> _Sum:
    if keys.has("kv_lora_rank"):
        return _latent(keys)
    if layer.keeps == "state":
        return _linear(keys)
    heads, groups, dim, hidden = (
        keys.whole("num_attention_heads"), kv_heads(keys), head_dim(keys), keys.whole("hidden_size")
    )  # fmt: skip
    queries = heads * dim * (2 if kind == "qwen3_next" else 1)  # its queries bring a gate of the output along
    bias = (queries + 2 * groups * dim) if keys.flag("attention_bias", family.qkv_bias) else 0
    bias += hidden if bias and family.out_bias else 0
    norms = 2 * dim if family.head_norms else 0
    return _Sum(hidden * (queries + 2 * groups * dim) + heads * dim * hidden, bias + norms)


def _latent(keys: Keys) -> _Sum:
    """Return the projections of MLA: down to the latents, and up from them for each head."""
    hidden, heads, rank = keys.whole("hidden_size"), keys.whole("num_attention_heads"), keys.whole("kv_lora_rank")
    rope, plain, value = keys.whole("qk_rope_head_dim"), keys.whole("qk_nope_head_dim"), keys.whole("v_head_dim")
    width = heads * (plain + rope)
    low = keys.count("q_lora_rank")
    queries = low * (hidden + width) if low else hidden * width
    rest = hidden * (rank + rope) + rank * heads * (plain + value) + heads * value * hidden
    return _Sum(queries + rest, low + rank)


def _linear(keys: Keys) -> _Sum:
    """Return a gated delta net: queries, keys, values and gate; two numbers a head; the convolution; the way back."""
    hidden, key, value = keys.whole("hidden_size"), key_width(keys), value_width(keys)
    heads = keys.whole("linear_num_value_heads")
    into = hidden * (2 * key + 2 * value) + hidden * 2 * heads
    convolution = (2 * key + value) * keys.whole("linear_conv_kernel_dim")
    return _Sum(into + convolution + value * hidden, 2 * heads + keys.whole("linear_value_head_dim"))


def _of_pattern(keys: Keys) -> _Sum:
    total = _Sum(0)
    made = {letter: _of_letter(letter, keys) for letter in dict.fromkeys(pattern_of(keys))}
    for letter in pattern_of(keys):
        total = total.and_(made[letter])
    return total


def _of_letter(letter: str, keys: Keys) -> _Sum:
    hidden = keys.whole("hidden_size")
    if letter == MAMBA:
        return _mamba(keys)
    if letter == ATTENTION:
        width = keys.whole("head_dim", "attention_head_dim")
        heads, groups = keys.whole("num_attention_heads"), kv_heads(keys)
        return _Sum(hidden * width * (2 * heads + 2 * groups), hidden)
    return _Sum(PLAIN * hidden * keys.whole("intermediate_size"), hidden)


def _mamba(keys: Keys) -> _Sum:
    hidden, inner, heads = keys.whole("hidden_size"), inner_width(keys), keys.whole("mamba_num_heads")
    mixed = inner + grouped_width(keys)
    into = hidden * (inner + mixed + heads)
    return _Sum(into + mixed * keys.whole("conv_kernel") + inner * hidden, hidden + mixed + 3 * heads + inner)
