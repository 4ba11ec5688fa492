"""``quantization_config`` of a model: bytes of an element of the weights that it speaks of.

A scale is counted with the elements that share it: of 4-bit weights in groups of 128 with a scale of 2 bytes and a zero
point of 4 bits, 4 ÷ 8 + 2.5 ÷ 128 bytes.
"""

from __future__ import annotations

from typing import Final

from generator.architecture.keys import Keys
from generator.architecture.records import UnknownArchitectureError
from generator.errors import quote

SCALE: Final = 2
"""Bytes of a scale."""
BLOCK_SCALE: Final = 4
"""Bytes of a scale of a block of fp8."""
MXFP4: Final = 4 / 8 + 1 / 32
"""4 bits, and for each 32 elements a scale of one byte."""
NF4_GROUP: Final = 64
USUAL_GROUP: Final = 128
LEFT_OUT: Final = ("lm_head", "embed_tokens", "embedding", "norm", "router", "gate")
"""Modules that every method leaves as they are: the head and the input table are counted apart, the rest is small."""
EXPERTS_ALONE: Final = ("self_attn", *LEFT_OUT)
"""What MXFP4 of gpt-oss leaves as it is: all but the experts."""


def quantised_bytes(keys: Keys, element_bytes: float, *, experts: bool) -> float | None:
    """Return the bytes of an element of the layers' matrices; None where it cannot be told for all of them.

    Args:
        keys: of the model.
        element_bytes: of what is not quantised.
        experts: whether it is asked of the routed experts.

    Raises:
        UnknownArchitectureError: the method is not known here.
    """
    told = keys.table_at("quantization_config")
    if told is None:
        return element_bytes
    method = told.word("quant_method")
    left_out = EXPERTS_ALONE if method == "mxfp4" else LEFT_OUT
    if not _leaves_only(told, left_out):
        return None
    if method == "mxfp4":
        return MXFP4 if experts else element_bytes
    return _bytes_of(method, told)


def _leaves_only(told: Keys, usual: tuple[str, ...]) -> bool:
    """Say whether nothing is left unquantised but what always is."""
    names: list[object] = []
    for key in ("modules_to_not_convert", "ignore", "ignored_layers"):
        found = told.table.get(key)
        names += found if isinstance(found, list) else []
    return all(isinstance(one, str) and any(word in one for word in usual) for one in names)


def _bytes_of(method: str, told: Keys) -> float:
    match method:
        case "fp8":
            return 1 + _of_block(told)
        case "awq" | "gptq":
            bits = told.whole("bits", "w_bit", default=4)
            return _in_groups(bits, told.whole("group_size", "q_group_size", default=USUAL_GROUP), zeros=True)
        case "bitsandbytes":
            return _in_groups(4, NF4_GROUP, zeros=False) if told.flag("load_in_4bit", False) else 1.0
        case "compressed-tensors":
            return _of_groups(told)
    raise UnknownArchitectureError(f"{told.place}quant_method", f"is {quote(method)}, which is not known here")


def _of_block(told: Keys) -> float:
    shape = told.table.get("weight_block_size")
    if not isinstance(shape, list) or not all(isinstance(one, int) and 0 < one <= 2**20 for one in shape):
        return 0.0
    size = 1
    for one in shape:
        size *= one
    return BLOCK_SCALE / size


def _in_groups(bits: int, group: int, *, zeros: bool) -> float:
    return bits / 8 + (SCALE + (bits / 8 if zeros else 0)) / group


def _of_groups(told: Keys) -> float:
    """Return the bytes by ``config_groups`` of compressed-tensors, where there is one group of all linear layers.

    Raises:
        UnknownArchitectureError: there are several, or it does not say how its weights are stored.
    """
    groups = told.table_at("config_groups")
    if groups is None or len(groups.table) != 1:
        raise UnknownArchitectureError(f"{told.place}config_groups", "expected one group of all linear layers")
    group = groups.table_at(next(iter(groups.table)))
    weights = group.table_at("weights") if group is not None else None
    if weights is None:
        raise UnknownArchitectureError(groups.place + "weights", "is missing")
    bits = weights.whole("num_bits")
    symmetric = weights.flag("symmetric", True)
    size = weights.table.get("group_size")
    if not isinstance(size, int) or isinstance(size, bool) or size <= 0:
        return bits / 8
    return _in_groups(bits, size, zeros=not symmetric)
