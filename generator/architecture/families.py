"""Kinds of models whose config.json is known: what their code takes for granted, since no key says it.

Sources: the configuration and modelling files of Hugging Face transformers, by ``model_type``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Windows = Literal["none", "all", "even", "pattern", "late"]
"""Which layers look back on a window where no list says so: none, all, every other from the first on, all but each
``sliding_window_pattern``-th, or, where ``use_sliding_window`` says so, those from ``max_window_layers`` on."""


@dataclass(frozen=True, slots=True)
class Family:
    """What a kind of model is like.

    Attributes:
        windows: which layers look back on a window only.
        is_tied: whether the output head shares the input table unless a key says otherwise.
        qkv_bias: whether queries, keys and values have a bias unless ``attention_bias`` says otherwise.
        out_bias: whether the output of attention has one wherever those have.
        norms: norms of a layer over the hidden size.
        head_norms: whether queries and keys are normed head by head.
        defaults: values of keys that its files leave out where they are these.
    """

    windows: Windows = "none"
    is_tied: bool = False
    qkv_bias: bool = False
    out_bias: bool = True
    norms: int = 2
    head_norms: bool = False
    defaults: Mapping[str, int] = field(default_factory=dict)


GEMMA3: Final = {
    "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 262_208,
    "sliding_window_pattern": 6, "sliding_window": 4096, "num_hidden_layers": 26, "hidden_size": 2304,
    "intermediate_size": 9216,
}  # fmt: skip
GEMMA2: Final = {"head_dim": 256, "sliding_window": 4096}

FAMILIES: Final[Mapping[str, Family]] = {
    "llama": Family(),
    "mistral": Family("all"),
    "mixtral": Family("all"),
    "qwen2": Family("late", qkv_bias=True, out_bias=False),
    "qwen2_moe": Family("late", qkv_bias=True, out_bias=False),
    "qwen3": Family("late", head_norms=True),
    "qwen3_moe": Family("late", head_norms=True),
    "qwen3_next": Family(head_norms=True),
    "phi3": Family("all"),
    "gemma": Family(is_tied=True, defaults={"head_dim": 256}),
    "gemma2": Family("even", is_tied=True, norms=4, defaults=GEMMA2),
    "gemma3_text": Family("pattern", is_tied=True, norms=4, head_norms=True, defaults=GEMMA3),
    "gpt_oss": Family("even", qkv_bias=True),
    "deepseek_v2": Family(),
    "deepseek_v3": Family(),
    "kimi_k2": Family(),
    "nemotron_h": Family(norms=1),
}
