"""Bytes and operations of a model as functions of tokens, sequences and ranks: pure arithmetic over its records.

Sources: KV of attention layers, two vectors a head (Shazeer 2019, multi-query attention; Ainslie et al. 2023, GQA); one
latent a token for MLA (DeepSeek-V2, 2024); two operations a parameter and token (Kaplan et al. 2020); distinct experts
of independent uniform routing, E × (1 − (1 − k ÷ E)^B).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from generator.architecture.records import Architecture, Layers


def kv_elements(layers: Iterable[Layers], ranks: int = 1) -> int:
    """Return the KV elements of one token that one rank holds.

    Heads are shared out among the ranks of a tensor-parallel server until each holds one, and then held by several.
    What has no heads (a latent) is held whole by each.
    """
    return sum(one.count * _of_rank(one, ranks) for one in layers)


def _of_rank(layers: Layers, ranks: int) -> int:
    if layers.kv_heads is None or ranks <= 1:
        return layers.elements
    return layers.elements // layers.kv_heads * max(1, -(-layers.kv_heads // ranks))


def kv_bytes(model: Architecture, tokens: int, element_bytes: float) -> float:
    """Return the bytes that a sequence of so many tokens has in the KV cache; states are not among them."""
    return sum(one.count * one.elements * _kept(one, tokens) for one in model.layers) * element_bytes


def _kept(layers: Layers, tokens: int) -> int:
    return min(tokens, layers.window) if layers.window is not None else tokens


def state_elements(model: Architecture) -> int:
    """Return the elements of the states of one sequence, whatever its length."""
    return sum(one.count * one.state_elements for one in model.layers)


def pair_flops(layers: Iterable[Layers]) -> int:
    """Return the operations of one query with one key, over some layers."""
    return sum(one.count * one.pair_flops for one in layers)


def expected_experts(count: int, used: int, tokens: float) -> float:
    """Return how many distinct experts of a layer so many tokens are sent to, where all are as likely."""
    return count * (1 - math.pow(1 - used / count, tokens))


def weight_bytes(model: Architecture, tokens: float) -> float | None:
    """Return the weight bytes that a step with so many tokens reads; None where bytes are not known."""
    fixed, experts = model.weights.step_bytes, model.experts
    if experts is None or fixed is None:
        return fixed
    if experts.bytes is None:
        return None
    return fixed + experts.layers * expected_experts(experts.count, experts.used, tokens) * experts.bytes


def matmul_params(model: Architecture) -> int:
    """Return the parameters in matrix products that one token passes, the output head among them."""
    return token_params(model) + model.weights.head_params


def token_params(model: Architecture) -> int:
    """Return the same without the output head: what every token of a prompt passes."""
    experts = model.experts
    routed = experts.layers * experts.used * experts.params if experts is not None else 0
    return model.weights.body_params + routed


def all_params(model: Architecture) -> int:
    """Return all parameters, as the model is named after."""
    weights, experts = model.weights, model.experts
    routed = experts.layers * experts.count * experts.params if experts is not None else 0
    return weights.body_params + weights.head_params + weights.other_params + weights.embedding_params + routed


def prefill_flops(model: Architecture, tokens: int, cached: int = 0) -> int:
    """Return the operations that a prompt takes at least.

    Linear part: two for each parameter and token; the head is needed for the last token alone. Attention: each token
    with itself and all before it, in layers with a window with those in it. Norms, softmax and the recurrence of layers
    with a state are left out: they are few.

    Args:
        model: the model.
        tokens: those computed.
        cached: those before them whose keys and values are there already.
    """
    linear = 2 * token_params(model) * tokens + 2 * model.weights.head_params
    return linear + sum(one.count * one.pair_flops * _pairs(one, tokens, cached) for one in model.layers)


def _pairs(layers: Layers, tokens: int, cached: int) -> int:
    return pairs_up_to(cached + tokens, layers.window) - pairs_up_to(cached, layers.window)


def pairs_up_to(tokens: int, window: int | None) -> int:
    """Return the pairs of a query and a key that it may see, over the first tokens of a sequence."""
    seen = tokens if window is None else min(tokens, window)
    return seen * tokens - seen * (seen - 1) // 2
