"""A language model of random weights, written on the spot: a real file that a real engine loads, and that says nothing.

It has the architecture of Llama and the vocabulary of the prompts: bytes, the words of ``words``, and the beginnings of
words from which a tokenizer of pairs puts them together. The same seed gives the same file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from generator.collect.demo.extra import require
from generator.collect.words import WORDS
from generator.errors import InputError
from generator.store.files import cache_folder

with suppress(ImportError):  # of the extra
    import gguf

Precision = Literal["F16", "Q8_0"]
PRECISIONS: Final[tuple[Precision, ...]] = ("F16", "Q8_0")

SEED: Final = 20_260_101
EDITION: Final = 1
"""Of what this file writes: part of the model's name, so that a cache never holds an older one under it."""

CONTEXT: Final = 4096
SPACE: Final = "▁"
"""What the tokenizer writes for a space."""
SPECIAL: Final = ("<unk>", "<s>", "</s>")
UNKNOWN, BEGIN, END = range(len(SPECIAL))
BYTES: Final = tuple(f"<0x{byte:02X}>" for byte in range(256))
NORM_EPSILON: Final = 1e-5

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the model: by default about five million weights, of which a step takes a millisecond or so.

    Attributes:
        layers: blocks of attention and feed-forward.
        width: of the embedding.
        heads: of the queries; ``kv_heads`` those with keys and values of their own.
        hidden: width of the feed-forward.
    """

    layers: int = 6
    width: int = 256
    heads: int = 4
    kv_heads: int = 2
    hidden: int = 768

    @property
    def head(self) -> int:
        """Return the width of a head."""
        return self.width // self.heads

    @property
    def matmul_params(self) -> int:
        """Return the weights that a token is multiplied with: those of all layers, and of the output head."""
        attention = 2 * self.width * (self.width + self.kv_heads * self.head)
        return self.layers * (attention + 3 * self.width * self.hidden) + len(vocabulary()) * self.width


SHAPE: Final = Shape()


def vocabulary() -> tuple[str, ...]:
    """Return the tokens by id: special ones, bytes, beginnings of words, words.

    A tokenizer of pairs reaches a word over all of its beginnings: ▁t, ▁ti, ▁tim, ▁time.
    """
    words = dict.fromkeys(f"{SPACE}{word}" for word in WORDS)
    begun = dict.fromkeys(part for word in words for part in list(accumulate(word))[1:-1])
    return (*SPECIAL, *BYTES, *(part for part in begun if part not in words), *words)


def tiny_model(precision: Precision, folder: Path | None = None) -> Path:
    """Return the file of the model, written into the user's cache unless it is there.

    Args:
        precision: of the matrices.
        folder: where it is to lie; None for the cache.

    Raises:
        InputError: gguf is not installed, or the folder cannot be written.
    """
    require("gguf")
    home = cache_folder() if folder is None else folder
    path = home / f"tiny-llama-{EDITION}-{precision.lower()}.gguf"
    if path.is_file():
        return path
    part = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        home.mkdir(parents=True, exist_ok=True)
        _write(part, precision)
        part.replace(path)
    except OSError as error:
        remedy = "set XDG_CACHE_HOME to a folder that can be"
        raise InputError(str(path), "", f"cannot be written ({error.strerror})", remedy) from error
    finally:
        part.unlink(missing_ok=True)
    return path


def _write(path: Path, precision: Precision) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    try:
        _describe(writer, precision)
        _add_vocabulary(writer)
        for name, tensor in _tensors():
            _add(writer, name, tensor, precision)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()


def _describe(writer: gguf.GGUFWriter, precision: Precision) -> None:
    writer.add_name("tiny-llama, random weights")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(SHAPE.width)
    writer.add_block_count(SHAPE.layers)
    writer.add_feed_forward_length(SHAPE.hidden)
    writer.add_head_count(SHAPE.heads)
    writer.add_head_count_kv(SHAPE.kv_heads)
    writer.add_rope_dimension_count(SHAPE.head)
    writer.add_layer_norm_rms_eps(NORM_EPSILON)
    writer.add_file_type(gguf.LlamaFileType[f"MOSTLY_{precision}"])


def _add_vocabulary(writer: gguf.GGUFWriter) -> None:
    tokens, kinds = vocabulary(), gguf.TokenType
    special = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL]
    normal = len(tokens) - len(SPECIAL) - len(BYTES)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(list(tokens))
    writer.add_token_scores([float(len(token)) for token in tokens])
    writer.add_token_types([*special, *[kinds.BYTE] * len(BYTES), *[kinds.NORMAL] * normal])
    writer.add_unk_token_id(UNKNOWN)
    writer.add_bos_token_id(BEGIN)
    writer.add_eos_token_id(END)
    # Then a text has as many tokens as it has words, with none put before it.
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)


def _add(writer: gguf.GGUFWriter, name: str, tensor: Matrix, precision: Precision) -> None:
    if tensor.ndim == 1:
        writer.add_tensor(name, tensor)
        return
    kind = gguf.GGMLQuantizationType[precision]
    writer.add_tensor(name, gguf.quants.quantize(tensor, kind), raw_dtype=kind)


def _tensors() -> Iterator[tuple[str, Matrix]]:
    rng = np.random.default_rng(SEED)
    width, narrow, hidden = SHAPE.width, SHAPE.kv_heads * SHAPE.head, SHAPE.hidden
    yield "token_embd.weight", _random(rng, len(vocabulary()), width)
    yield "output.weight", _output(rng)
    yield "output_norm.weight", np.ones(width, dtype=np.float32)
    for layer in range(SHAPE.layers):
        rows = {"attn_q": (width, width), "attn_k": (narrow, width), "attn_v": (narrow, width)}
        rows |= {"attn_output": (width, width)}
        rows |= {"ffn_gate": (hidden, width), "ffn_up": (hidden, width), "ffn_down": (width, hidden)}
        for name, (height, breadth) in rows.items():
            yield f"blk.{layer}.{name}.weight", _random(rng, height, breadth)
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{layer}.{name}.weight", np.ones(width, dtype=np.float32)


def _output(rng: np.random.Generator) -> Matrix:
    """Return the output head. Rows of zeros are those of what is no word.

    Their logit is 0, and of hundreds of words one is always above that: an answer is words, one a token and each valid
    text, and never ends before its length.
    """
    head = _random(rng, len(vocabulary()), SHAPE.width)
    head[: -len(set(WORDS))] = 0
    return head


def _random(rng: np.random.Generator, height: int, breadth: int) -> Matrix:
    """Return a matrix that keeps the size of what it is multiplied with: variance 1 ÷ breadth."""
    return rng.standard_normal((height, breadth), dtype=np.float32) / np.float32(np.sqrt(breadth))
