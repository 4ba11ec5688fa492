"""The header of a GGUF file to the architecture of its model: keys say what layers keep, the tensors what they weigh.

Sources: the GGUF specification (ggml docs/gguf.md), and llama.cpp for what its code takes for granted: which layers of
a kind look back on a window, and what recurrent ones keep (``n_embd_r``, ``n_embd_s``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from generator.architecture.element_types import GGML_TYPES
from generator.architecture.grouping import NO_ATTENTION, attending, grouped, latent, recurrent
from generator.architecture.keys import Keys
from generator.architecture.records import Architecture, Experts, Layers, UnknownArchitectureError, Weights, sized
from generator.errors import nearest, quote

EVERY: Final = 4
"""Every which layer of Qwen3-Next attends to all tokens, unless a key says otherwise."""
KINDS: Final[Mapping[str, int]] = {
    "llama": 0, "qwen2": 0, "qwen3": 0, "qwen2moe": 0, "qwen3moe": 0, "gemma": 0, "phi3": 0, "deepseek2": 0,
    "qwen3next": 0, "nemotron_h": 0, "jamba": 0, "gemma2": 2, "gemma3": 6, "gpt-oss": 2,
}  # fmt: skip
"""Kinds that are known, and of those with windows every which layer attends to all tokens; the others have none."""
INPUT, HEAD = "token_embd.weight", "output.weight"
F16: Final = 2.0
"""Bytes of an element of llama.cpp's KV cache unless it is told otherwise."""
OF_LAYER: Final = re.compile(r"blk\.([0-9]{1,5})\.(.+)")
EXPERT: Final = re.compile(r"ffn_(?:gate|up|down|gate_up)_exps\.weight")


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor as the header tells of it: its name, its shape and its type by ggml's number."""

    name: str
    shape: tuple[int, ...]
    type: int

    @property
    def params(self) -> int:
        """Return the number of its elements."""
        total = 1
        for one in self.shape:
            total *= one
        return total

    @property
    def bytes(self) -> float:
        """Return its size.

        Raises:
            UnknownArchitectureError: it is of a type that is not known here.
        """
        block = GGML_TYPES.get(self.type)
        if block is None:
            raise UnknownArchitectureError(quote(self.name), f"is of type {self.type}, which is not known here")
        return self.params * block.bytes / block.elements


@dataclass(slots=True)
class _Sums:
    """What tensors come to: parameters and bytes by what they are for."""

    params: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, tensor: Tensor) -> None:
        self.params[what] = self.params.get(what, 0) + tensor.params
        self.bytes[what] = self.bytes.get(what, 0.0) + tensor.bytes


def from_gguf(metadata: Mapping[str, Any], tensors: Sequence[Tensor]) -> Architecture:
    """Read the architecture off the header of a GGUF file, or of all parts of one that is split.

    Layers for speculative decoding (``nextn_predict_layers``) are left out: a plain step does not pass them.

    Args:
        metadata: the keys with their values, arrays as lists.
        tensors: the tensors of all parts.

    Raises:
        UnknownArchitectureError: the kind of model is not known, or a key is missing or wrong.
    """
    with sized("gguf"):
        return _read(metadata, tensors)


def _read(metadata: Mapping[str, Any], tensors: Sequence[Tensor]) -> Architecture:
    kind = Keys(metadata).word("general.architecture")
    if kind not in KINDS:
        problem = (
            f"is {quote(kind)}, whose layers are not known here ({nearest(kind, KINDS)})" if kind else "is missing"
        )
        raise UnknownArchitectureError("general.architecture", problem)
    prefix = f"{kind}."
    below = {key.removeprefix(prefix): one for key, one in metadata.items() if key.startswith(prefix)}
    keys = Keys(below, prefix)
    depth = keys.layers("block_count") - keys.count("nextn_predict_layers")
    if depth < 1:
        raise UnknownArchitectureError(f"{prefix}block_count", "leaves no layer beside those for speculative decoding")
    weights, experts = _weighed(keys, tensors, depth)
    layers = grouped(_layers(keys, kind, depth))
    return Architecture(
        type=kind, source="gguf", kv_element_bytes=F16, layers=layers, weights=weights, experts=experts,
    )  # fmt: skip


def _layers(keys: Keys, kind: str, depth: int) -> list[Layers]:
    if keys.has("attention.kv_lora_rank") and keys.has("attention.key_length_mla"):
        return [_latent(keys)] * depth
    heads = keys.per_layer("attention.head_count", depth)
    groups = keys.per_layer("attention.head_count_kv", depth, default=-1)
    slides = _sliding(keys, kind, depth)
    return [
        _recurrent(keys, kind, at) if _is_recurrent(keys, kind, at, groups[at])
        else _attending(keys, heads[at], heads[at] if groups[at] < 0 else groups[at], slides=slides[at])
        for at in range(depth)
    ]  # fmt: skip


def _is_recurrent(keys: Keys, kind: str, at: int, groups: int) -> bool:
    if kind == "qwen3next":
        return (at + 1) % keys.whole("full_attention_interval", default=EVERY) != 0
    return groups == 0


def _attending(keys: Keys, heads: int, groups: int, *, slides: bool) -> Layers:
    suffix = "_swa" if slides and keys.has("attention.key_length_swa") else ""
    key_dim, value_dim = _dim(keys, "key", suffix, heads), _dim(keys, "value", suffix, heads)
    window = keys.whole("attention.sliding_window") if slides else None
    return attending(heads, groups, key_dim, value_dim, window=window)


def _dim(keys: Keys, of: str, suffix: str, heads: int) -> int:
    """Return the dimension of a head's keys or values: as given, else the hidden size spread over the heads."""
    name = f"attention.{of}_length{suffix}"
    if keys.has(name):
        return keys.whole(name)
    hidden = keys.whole("embedding_length")
    if heads < 1 or hidden % heads:
        raise UnknownArchitectureError(keys.place + name, f"is missing, and {hidden} is no multiple of {heads} heads")
    return hidden // heads


def _sliding(keys: Keys, kind: str, depth: int) -> list[bool]:
    """Say of each layer whether it looks back on a window only."""
    every = KINDS[kind]
    if not every or not keys.has("attention.sliding_window"):
        return [False] * depth
    pattern = keys.table.get("attention.sliding_window_pattern")
    if isinstance(pattern, list):
        if len(pattern) < depth:
            place = f"{keys.place}attention.sliding_window_pattern"
            raise UnknownArchitectureError(place, f"is a list of {len(pattern)}, not one for each of {depth} layers")
        return [bool(one) for one in pattern[:depth]]
    every = keys.whole("attention.sliding_window_pattern", default=every)
    return [at % every < every - 1 for at in range(depth)]


def _latent(keys: Keys) -> Layers:
    heads, rope = keys.whole("attention.head_count"), keys.whole("rope.dimension_count")
    key_dim, value_dim = keys.whole("attention.key_length_mla"), keys.whole("attention.value_length_mla")
    return latent(keys.whole("attention.kv_lora_rank"), rope, heads, key_dim, value_dim)


def _recurrent(keys: Keys, kind: str, at: int) -> Layers:
    """Return a layer that keeps a state; of Nemotron-H those with a feed-forward network keep nothing."""
    if kind == "nemotron_h" and keys.has("feed_forward_length"):
        widths = keys.table["feed_forward_length"]
        if isinstance(widths, list) and at < len(widths) and widths[at]:
            return NO_ATTENTION
    inner, state = keys.whole("ssm.inner_size"), keys.whole("ssm.state_size")
    width = inner + 2 * keys.count("ssm.group_count") * state
    return recurrent(keys.whole("ssm.conv_kernel"), width, inner * state)


def _weighed(keys: Keys, tensors: Iterable[Tensor], depth: int) -> tuple[Weights, Experts | None]:
    sums, mixed = _Sums(), set[int]()
    for tensor in tensors:
        found = OF_LAYER.fullmatch(tensor.name)
        at = int(found[1]) if found else -1
        if at < depth:
            what = _purpose(tensor, found[2] if found else "")
            sums.add(what, tensor)
            mixed |= {at} if what == "expert" else set()
    if "embedding" not in sums.params:
        raise UnknownArchitectureError(INPUT, "is missing: part of a split model may be missing")
    if "body" not in sums.params:
        raise UnknownArchitectureError("tensors", "there are none of any layer")
    experts = _experts(keys, sums, len(mixed))
    if experts is None and "expert" in sums.params:  # all of them are used
        sums.params["body"] += sums.params["expert"]
        sums.bytes["body"] += sums.bytes["expert"]
    return _weights(sums), experts


def _purpose(tensor: Tensor, name: str) -> str:
    if tensor.name in (INPUT, HEAD):
        return "embedding" if tensor.name == INPUT else "head"
    if EXPERT.fullmatch(name):
        return "expert"
    return "body" if name and len(tensor.shape) > 1 else "other"


def _experts(keys: Keys, sums: _Sums, layers: int) -> Experts | None:
    if not layers:
        return None
    count, used = keys.whole("expert_count"), keys.whole("expert_used_count")
    if used >= count:
        return None
    params, size = sums.params["expert"] // (layers * count), sums.bytes["expert"] / (layers * count)
    return Experts(layers=layers, count=count, used=used, params=params, bytes=size)


def _weights(sums: _Sums) -> Weights:
    """Return the sums; where there is no head of its own, the input table is read as one."""
    is_tied = "head" not in sums.params
    head = "embedding" if is_tied else "head"
    return Weights(
        body_params=sums.params["body"],
        head_params=sums.params[head],
        other_params=sums.params.get("other", 0),
        embedding_params=0 if is_tied else sums.params["embedding"],
        step_bytes=sums.bytes["body"] + sums.bytes.get("other", 0.0) + sums.bytes[head],
        embedding_bytes=0.0 if is_tied else sums.bytes["embedding"],
    )
