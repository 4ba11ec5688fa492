from __future__ import annotations

import pytest
from gguf.constants import GGML_QUANT_SIZES

from generator.architecture.element_types import CACHE_TYPES, GGML_TYPES


def test_types_of_tensors_are_those_of_ggml() -> None:
    ggml = {kind.value: (kind.name.lower(), *size) for kind, size in GGML_QUANT_SIZES.items()}
    assert {number: tuple(block) for number, block in GGML_TYPES.items() if number in ggml} == {
        number: size for number, size in ggml.items() if number in GGML_TYPES
    }
    assert len(GGML_TYPES.keys() & ggml.keys()) > 25


@pytest.mark.parametrize(
    ("name", "size"),
    # 32 elements with a scale of 2 bytes, and of q5 a further bit each, of _1 a minimum of 2 bytes
    [("f16", 2), ("q8_0", 34 / 32), ("q5_1", 24 / 32), ("q5_0", 22 / 32), ("q4_1", 20 / 32), ("q4_0", 18 / 32),
     ("iq4_nl", 18 / 32), ("fp8_e4m3", 1), ("bfloat16", 2)],
)  # fmt: skip
def test_bytes_of_an_element_of_the_cache(name: str, size: float) -> None:
    assert CACHE_TYPES[name] == size
