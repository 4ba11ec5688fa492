from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest

from generator.collect.demo import tiny_model as module
from generator.collect.demo.tiny_model import PRECISIONS, SHAPE, Precision, tiny_model, vocabulary
from generator.collect.words import WORDS
from generator.errors import InputError
from generator.store.files import cache_folder


def test_the_tokenizer_finds_every_word_over_its_beginnings() -> None:
    tokens = set(vocabulary())
    assert len(tokens) == len(vocabulary())
    for word in WORDS:
        # From two characters on: a space and a letter, then a letter more each time.
        assert set(list(accumulate(f"▁{word}"))[1:]) <= tokens


def test_special_tokens_and_bytes_stand_first_and_words_last() -> None:
    tokens = vocabulary()
    assert tokens[:5] == ("<unk>", "<s>", "</s>", "<0x00>", "<0x01>")
    assert tokens[3 + 255] == "<0xFF>"
    assert tokens[-len(set(WORDS)) :] == tuple(f"▁{word}" for word in dict.fromkeys(WORDS))


def test_the_weights_of_a_step_are_counted() -> None:
    # A layer: queries and output 256 × 256 each, keys and values 256 × (2 × 64) each, feed-forward 3 × 256 × 768:
    # 131072 + 65536 + 589824 = 786432. Six of them, and an output head of 256 for each token.
    assert SHAPE.head == 64
    assert SHAPE.matmul_params == 6 * 786_432 + 256 * len(vocabulary())


def test_the_cache_is_where_the_system_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/rounds")
    monkeypatch.setenv("XDG_CACHE_HOME", "some/where")
    assert cache_folder() == Path.home() / ".cache" / "rounds"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "rounds"


def stand_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    def write(path: Path, precision: Precision) -> None:
        path.write_bytes(data + precision.encode())

    monkeypatch.setattr(module, "require", lambda package: None)
    monkeypatch.setattr(module, "_write", write)


def test_a_model_is_written_once_and_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, b"first ")
    path = tiny_model("F16", tmp_path / "cache")
    stand_in(monkeypatch, b"second ")
    assert tiny_model("F16", tmp_path / "cache") == path
    assert path.read_bytes() == b"first F16"
    assert tiny_model("Q8_0", tmp_path / "cache").read_bytes() == b"second Q8_0"
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_nothing_is_left_of_a_model_that_could_not_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def write(path: Path, precision: Precision) -> None:
        path.write_bytes(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "require", lambda package: None)
    monkeypatch.setattr(module, "_write", write)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\); set XDG_CACHE_HOME"):
        tiny_model("F16", tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_gguf_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(package: str) -> None:
        raise InputError(package, "", "cannot be imported", "pip install 'rounds[demo]'")

    monkeypatch.setattr(module, "require", missing)
    with pytest.raises(InputError, match="gguf: cannot be imported"):
        tiny_model("F16", tmp_path)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_same_seed_writes_the_same_file(tmp_path: Path, precision: Precision) -> None:
    pytest.importorskip("gguf", reason="the extra demo is not installed")
    one, other = (tiny_model(precision, tmp_path / name) for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()
    assert 2e6 < one.stat().st_size < 12e6


def test_only_words_have_rows_in_the_output_head() -> None:
    head = module._output(np.random.default_rng(0))
    words = len(set(WORDS))
    assert not head[:-words].any()
    assert head[-words:].any(axis=1).all()
