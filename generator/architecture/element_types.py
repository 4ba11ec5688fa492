"""Bytes of an element of each type: of tensors in GGUF files, of KV caches, of models by their config.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Block(NamedTuple):
    """A quantised type: elements that share their scales, and the bytes of all of them with the scales."""

    name: str
    elements: int
    bytes: int


GGML_TYPES: Final[Mapping[int, Block]] = {
    0: Block("f32", 1, 4), 1: Block("f16", 1, 2), 2: Block("q4_0", 32, 18), 3: Block("q4_1", 32, 20),
    6: Block("q5_0", 32, 22), 7: Block("q5_1", 32, 24), 8: Block("q8_0", 32, 34), 9: Block("q8_1", 32, 40),
    10: Block("q2_k", 256, 84), 11: Block("q3_k", 256, 110), 12: Block("q4_k", 256, 144), 13: Block("q5_k", 256, 176),
    14: Block("q6_k", 256, 210), 15: Block("q8_k", 256, 292), 16: Block("iq2_xxs", 256, 66),
    17: Block("iq2_xs", 256, 74), 18: Block("iq3_xxs", 256, 98), 19: Block("iq1_s", 256, 50),
    20: Block("iq4_nl", 32, 18), 21: Block("iq3_s", 256, 110), 22: Block("iq2_s", 256, 82),
    23: Block("iq4_xs", 256, 136), 24: Block("i8", 1, 1), 25: Block("i16", 1, 2), 26: Block("i32", 1, 4),
    27: Block("i64", 1, 8), 28: Block("f64", 1, 8), 29: Block("iq1_m", 256, 56), 30: Block("bf16", 1, 2),
    34: Block("tq1_0", 256, 54), 35: Block("tq2_0", 256, 66), 39: Block("mxfp4", 32, 17), 40: Block("nvfp4", 64, 36),
    41: Block("q1_0", 128, 18),
}  # fmt: skip
"""As ggml numbers them; the tests hold this against the ``gguf`` package."""

CACHE_TYPES: Final[Mapping[str, float]] = {
    "f32": 4, "f16": 2, "bf16": 2, "float16": 2, "half": 2, "bfloat16": 2, "float": 4, "float32": 4,
    "fp8": 1, "fp8_e4m3": 1, "fp8_e5m2": 1, "fp8_inc": 1,
    "q8_0": 34 / 32, "q5_1": 24 / 32, "q5_0": 22 / 32, "q4_1": 20 / 32, "q4_0": 18 / 32, "iq4_nl": 18 / 32,
}  # fmt: skip
"""Bytes of an element of the KV cache, as servers are told on their command line."""

MODEL_TYPES: Final[Mapping[str, float]] = {"bfloat16": 2, "float16": 2, "half": 2, "float32": 4, "float": 4}
"""As config.json calls the type of the weights."""
