"""Layer after layer to groups of layers that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.architecture.records import Layers


def grouped(layers: Sequence[Layers]) -> list[Layers]:
    """Return single layers with those alike together, in the order of their first."""
    counted: dict[Layers, int] = {}
    for one in layers:
        counted[one] = counted.get(one, 0) + one.count
    return [one.model_copy(update={"count": count}) for one, count in counted.items()]


def attending(
    heads: int, kv_heads: int, key_dim: int, value_dim: int | None = None, *, window: int | None = None
) -> Layers:
    """Return one layer of attention with heads of keys and values, each shared by a group of queries."""
    value_dim = key_dim if value_dim is None else value_dim
    return Layers(
        count=1,
        keeps="all" if window is None else "window",
        kv_heads=kv_heads,
        key_elements=kv_heads * key_dim,
        value_elements=kv_heads * value_dim,
        pair_flops=2 * heads * (key_dim + value_dim),
        window=window,
    )


def latent(rank: int, rope_dim: int, heads: int, key_dim: int, value_dim: int) -> Layers:
    """Return one layer of MLA: a single vector a token, and keys and values that are made from it for a prompt."""
    return Layers(
        count=1, keeps="all", key_elements=rank + rope_dim, pair_flops=2 * heads * (key_dim + value_dim),
    )  # fmt: skip


def recurrent(conv_kernel: int, conv_width: int, state: int) -> Layers:
    """Return one layer that keeps a state: the last inputs of a convolution, and a matrix."""
    return Layers(count=1, keeps="state", state_elements=(conv_kernel - 1) * conv_width + state)


NO_ATTENTION: Final = Layers(count=1, keeps="nothing")
"""A layer that is a feed-forward network alone."""
