from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.store.gguf_file import Header, parts_of, read_gguf

WORDS = [f"token {number}" for number in range(70_000)]


def tiny(path: Path, *, words: list[str] | None = None) -> Path:
    """Write a model of one layer; of its matrices one is quantised."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_embedding_length(64)
    writer.add_head_count(4)
    writer.add_head_count_kv([2])
    writer.add_array("tokenizer.ggml.tokens", words or ["a", "b"])
    writer.add_bool("general.odd", True)
    writer.add_float32("llama.rope.freq_base", 10_000.0)
    writer.add_tensor("token_embd.weight", np.zeros((100, 64), dtype=np.float16))
    q8 = gguf.quants.quantize(np.ones((64, 64), dtype=np.float32), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("blk.0.attn_q.weight", q8, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_keys_and_tensors_are_read(tmp_path: Path) -> None:
    header = read_gguf(tiny(tmp_path / "m.gguf"))

    assert header.keys["general.architecture"] == "llama"
    assert header.keys["llama.attention.head_count_kv"] == [2]
    assert header.keys["general.odd"] is True
    assert header.keys["llama.rope.freq_base"] == 10_000
    assert {one.name: (one.params, one.bytes) for one in header.tensors} == {
        # 100 × 64 × 2; 64 × 64 × 34 ÷ 32
        "token_embd.weight": (6400, 12_800),
        "blk.0.attn_q.weight": (4096, 4352),
    }


def test_a_vocabulary_is_passed_over(tmp_path: Path) -> None:
    header = read_gguf(tiny(tmp_path / "m.gguf", words=WORDS))
    assert "tokenizer.ggml.tokens" not in header.keys
    assert len(header.tensors) == 2


def test_parts_are_one_model(tmp_path: Path) -> None:
    for number in (1, 2):
        tiny(tmp_path / f"m-0000{number}-of-00002.gguf")
    assert len(read_gguf(tmp_path / "m-00001-of-00002.gguf").tensors) == 4
    assert [path.name for path in parts_of(tmp_path / "m-00002-of-00002.gguf")] == [
        "m-00001-of-00002.gguf", "m-00002-of-00002.gguf",
    ]  # fmt: skip


def test_a_part_that_is_not_there_is_named(tmp_path: Path) -> None:
    tiny(tmp_path / "m-00001-of-00002.gguf")
    with pytest.raises(InputError, match=r"m-00002-of-00002\.gguf: there is no such file"):
        read_gguf(tmp_path / "m-00001-of-00002.gguf")


HEAD = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "ends within its header"),
        (b"GGML0000", "is not a GGUF file"),
        (b"GGUF" + struct.pack("<I", 1), "is of version 1"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**63, 0), "tensors, more than"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**63), "keys, more than"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**40), "bytes in a key, more than"),
        (HEAD + struct.pack("<I", 77), "a value of type 77 under 'k'"),
        (HEAD + struct.pack("<IIQ", 9, 8, 10**8), "ends within its header"),
        (HEAD + struct.pack("<IIQ", 9, 4, 2**60), "entries under 'k'"),
        # an array of arrays of arrays …
        (HEAD + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 9, "a value of type 9 under 'k'"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 1, 0, 1) + b"t" + struct.pack("<I", 9), "a tensor of 9 dimensions"),
    ],
)
def test_damaged_files_are_one_line(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "m.gguf").write_bytes(data)
    with pytest.raises(InputError, match=problem):
        read_gguf(tmp_path / "m.gguf")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(at=st.integers(0, 600), byte=st.integers(0, 255), cut=st.integers(1, 700))
def test_a_damaged_byte_is_no_crash(tmp_path: Path, at: int, byte: int, cut: int) -> None:
    whole = tmp_path / "whole.gguf"
    data = bytearray((whole if whole.exists() else tiny(whole)).read_bytes())
    data[at % len(data)] = byte
    (tmp_path / "m.gguf").write_bytes(data[:cut] if cut < 600 else data)
    with suppress(InputError):
        assert isinstance(read_gguf(tmp_path / "m.gguf"), Header)
